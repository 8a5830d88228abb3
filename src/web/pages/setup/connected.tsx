import { Button, Card, Loader } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { CopyIcon } from "../../parts/copy-text.tsx";
import { Section } from "../../parts/page-head.tsx";
import { Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { ConnectAside } from "./connect.tsx";
import { SetupFailed, SetupFrame } from "./frame.tsx";
import { platformTitle } from "./platforms.ts";
import styles from "./setup.module.css";
import { type Setup, useConnectionPlace, useSetup } from "./setup.ts";

const POLL_EVERY_MS = 2_000;
const LATE_MS = 120_000;

/** Step 1, second half: the key, shown once, its use, and the wait for the shop. */
export function ConnectedPage() {
  const say = useWords();
  const place = useConnectionPlace();
  const setup = useSetup(place, POLL_EVERY_MS);
  const { key, platform } = keptState(useLocation().state);
  if (setup.isPending) return <Loading />;
  if (setup.isLoadingError) return <SetupFailed setup={setup} step={1} />;
  const isShop = setup.data.kind === "commerce";
  const isConnected = !isShop || setup.data.setup.state !== "pending_inventory";
  const next = isShop
    ? paths.stores(place.account, place.connection)
    : paths.consent(place.account, place.connection);
  return (
    <SetupFrame
      step={1}
      hasShops={isShop}
      title={say("step1.title")}
      lead={setup.data.name}
      aside={<ConnectAside say={say} />}
      foot={
        <div className="end">
          {isConnected ? (
            <Button component={Link} to={next}>
              {say("continue")}
            </Button>
          ) : (
            <Button disabled>{say("continue")}</Button>
          )}
        </div>
      }
    >
      <KeyCard keyText={key} place={place} />
      <HowTo setup={setup.data} platform={platform} />
      <WaitingLine setup={setup.data} isConnected={isConnected} />
    </SetupFrame>
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
