import { Button, Card, Loader, Radio } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { Section } from "../../parts/page-head.tsx";
import { Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { DirectShop } from "../shop/direct-shop.tsx";
import { directPlatform } from "../shop/platform.ts";
import { type ShopReading, useShop } from "../shop/queries.ts";
import { ConnectAside } from "./connect.tsx";
import { SetupFailed, SetupFrame } from "./frame.tsx";
import { OTHER_PLATFORM, platformTitle } from "./platforms.ts";
import styles from "./setup.module.css";
import { type Setup, useConnectionPlace, useSetup } from "./setup.ts";

const POLL_EVERY_MS = 2_000;
const LATE_MS = 120_000;

/** Step 1, second half: the shop itself, or the key of its module, and the wait for it. */
export function ConnectedPage() {
  const place = useConnectionPlace();
  const setup = useSetup(place, POLL_EVERY_MS);
  const isShop = setup.data?.kind === "commerce";
  const shop = useShop(place, isShop);
  if (setup.isPending || (isShop && shop.isPending)) return <Loading />;
  if (setup.isLoadingError) return <SetupFailed setup={setup} step={1} />;
  if (shop.isLoadingError) return <SetupFailed setup={shop} step={1} />;
  return <Connected setup={setup.data} reading={shop.data} />;
}

interface ConnectedProps {
  readonly setup: Setup;
  /** Undefined for a program of one's own. */
  readonly reading: ShopReading | undefined;
}

function Connected({ setup, reading }: ConnectedProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const { key, platform } = keptState(useLocation().state);
  const isShop = setup.kind === "commerce";
  const direct = directPlatform(platform);
  const [way, setWay] = useState<"direct" | "module">(
    isShop && (direct !== undefined || platform === undefined) ? "direct" : "module",
  );
  const isWaiting = isShop && setup.setup.state === "pending_inventory";
  const hasChoice = isWaiting && reading !== undefined && platform !== OTHER_PLATFORM;
  // A shop is asked for its stores only by its module.
  const next =
    isShop && setup.stores.length > 0
      ? paths.stores(place.account, place.connection)
      : paths.consent(place.account, place.connection);
  return (
    <SetupFrame
      step={1}
      hasShops={isShop && !reading?.shop}
      title={say("step1.title")}
      lead={setup.name}
      aside={<ConnectAside say={say} />}
      foot={
        <div className="end">
          {isWaiting ? (
            <Button disabled>{say("continue")}</Button>
          ) : (
            <Button component={Link} to={next}>
              {say("continue")}
            </Button>
          )}
        </div>
      }
    >
      {hasChoice && <WayChoice way={way} choose={setWay} />}
      {reading && (reading.shop || (hasChoice && way === "direct")) ? (
        <DirectShop reading={reading} platform={direct} />
      ) : (
        <>
          <KeyCard keyText={key} place={place} />
          <HowTo setup={setup} platform={platform} />
          <WaitingLine setup={setup} isConnected={!isWaiting} />
        </>
      )}
    </SetupFrame>
  );
}

interface WayChoiceProps {
  readonly way: "direct" | "module";
  readonly choose: (way: "direct" | "module") => void;
}

function WayChoice({ way, choose }: WayChoiceProps) {
  const say = useWords();
  return (
    <Radio.Group
      label={say("step1.way")}
      value={way}
      onChange={(value) => choose(value === "module" ? "module" : "direct")}
    >
      <div className={styles.options}>
        {(["direct", "module"] as const).map((one) => (
          <Radio.Card key={one} value={one} className={styles.option ?? ""}>
            <Radio.Indicator />
            <div>
              <b>{say(`step1.way.${one}`)}</b>
              <span>{say(`step1.way.${one}.sub`)}</span>
            </div>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}

interface Kept {
  readonly key?: string;
  readonly platform?: string;
}

/** Data handed over by the first half of the setup; lost when the tab closes. */
function keptState(state: unknown): Kept {
  if (typeof state !== "object" || state === null) return {};
  const text = (name: string) => {
    const value: unknown = Reflect.get(state, name);
    return typeof value === "string" ? { [name]: value } : {};
  };
  return { ...text("key"), ...text("platform") };
}

interface KeyCardProps {
  readonly keyText: string | undefined;
  readonly place: { readonly account: string; readonly connection: string };
}

function KeyCard({ keyText, place }: KeyCardProps) {
  const say = useWords();
  const { me } = useCompany();
  return (
    <Section title={say("step1.key.title")}>
      {keyText === undefined ? (
        <p>
          {say("step1.key.gone")}{" "}
          <Link to={paths.connection(place.account, place.connection, "claves")}>
            {say("step1.key.another")}
          </Link>
        </p>
      ) : (
        <div className="stack">
          <div className={styles.key}>
            <code>{keyText}</code>
            <CopyIcon text={keyText} what={say("step1.key.title")} />
          </div>
          <p>
            {say("step1.key.once")} {say("step1.key.safe")}
          </p>
          <div>
            <p className="muted small">{say("step1.key.address")}</p>
            <div className={styles.key}>
              <code>{me.apiUrl}</code>
              <CopyIcon text={me.apiUrl} what={say("step1.key.address")} />
            </div>
          </div>
        </div>
      )}
    </Section>
  );
}

function HowTo({ setup, platform }: { readonly setup: Setup; readonly platform: string | undefined }) {
  const say = useWords();
  const { me } = useCompany();
  const name = platformTitle(setup.platform ?? platform) ?? say("step2.shop");
  const facts = { platform: name, api_url: me.apiUrl, docs_url: `${me.apiUrl}/docs` };
  const steps =
    setup.kind === "commerce"
      ? (["step1.how.shop.1", "step1.how.shop.2", "step1.how.shop.3"] as const)
      : (["step1.how.api.1", "step1.how.api.2", "step1.how.api.3"] as const);
  return (
    <Section title={say("step1.how")}>
      <ol className={styles.how}>
        {steps.map((step) => (
          <li key={step}>{say(step, facts)}</li>
        ))}
      </ol>
    </Section>
  );
}

function WaitingLine({ setup, isConnected }: { readonly setup: Setup; readonly isConnected: boolean }) {
  const say = useWords();
  const isLate = useIsLate();
  const isShop = setup.kind === "commerce";
  return (
    <Card className={styles.waiting} style={{ flexDirection: "row" }} role="status">
      {isConnected ? (
        <IconCircleCheck size={20} color="var(--ok)" aria-hidden />
      ) : isLate ? (
        <IconAlertTriangle size={20} color="var(--warn)" aria-hidden />
      ) : (
        <Loader size={18} aria-hidden />
      )}
      <p>
        {isConnected
          ? say(isShop ? "step1.ok" : "step1.ok.api", { n: setup.stores.length })
          : say(isLate ? "step1.late" : "step1.wait")}
      </p>
    </Card>
  );
}

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}
