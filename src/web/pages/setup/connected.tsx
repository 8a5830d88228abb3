import { Button, Card, Loader } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox, Radio } from "../../parts/choices.tsx";
import { Command, CopyIcon, Linked } from "../../parts/copy-text.tsx";
import { Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { Loading } from "../../parts/states.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { useWords } from "../../words/words.tsx";
import { DirectShop } from "../shop/direct-shop.tsx";
import { directPlatform } from "../shop/platform.ts";
import { type ShopReading, useShop } from "../shop/queries.ts";
import { ConnectAside } from "./connect.tsx";
import { SetupFailed, SetupFrame } from "./frame.tsx";
import { OTHER_PLATFORM, platformTitle } from "./platforms.ts";
import styles from "./setup.module.css";
import { type ConnectionPlace, ofConnection, type Setup, useConnectionPlace, useSetup } from "./setup.ts";
import { forgetKey, showKey, shownKey } from "./shown-key.ts";

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
  const platform = platformIn(useLocation().state);
  const [key, setKey] = useState(() => shownKey(place.connection));
  const [isSaved, setSaved] = useState(false);
  const [isTold, setTold] = useState(false);
  const isShop = setup.kind === "commerce";
  const direct = directPlatform(platform);
  const [way, setWay] = useState<"direct" | "module">(
    isShop && (direct !== undefined || platform === undefined) ? "direct" : "module",
  );
  const isWaiting = isShop && setup.setup.state === "pending_inventory";
  const hasChoice = isWaiting && reading !== undefined && platform !== OTHER_PLATFORM;
  const isDirect = reading !== undefined && (reading.shop !== null || (hasChoice && way === "direct"));
  // Whoever connects the shop itself needs no key.
  useUnsaved(key !== undefined && !isSaved && !isDirect, "key.leave");
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
          {key !== undefined && !isSaved && !isDirect ? (
            <Button type="submit" form={KEY_FORM}>
              {say("continue")}
            </Button>
          ) : isWaiting ? (
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
      {reading && isDirect ? (
        <DirectShop reading={reading} platform={direct} />
      ) : (
        <>
          <Form id={KEY_FORM} onSubmit={() => setTold(true)}>
            <KeyCard keyText={key} place={place} made={setKey}>
              <Checkbox
                label={say("step1.key.copied")}
                checked={isSaved}
                error={isTold && !isSaved && say("key.unsaved")}
                onChange={({ currentTarget: { checked } }) => {
                  setSaved(checked);
                  if (checked) forgetKey(place.connection);
                }}
              />
            </KeyCard>
          </Form>
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

const KEY_FORM = "key";

/** Handed over by the first half of the setup; lost when the tab closes. */
function platformIn(state: unknown): string | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const platform: unknown = Reflect.get(state, "platform");
  return typeof platform === "string" ? platform : undefined;
}

interface KeyCardProps {
  readonly keyText: string | undefined;
  readonly place: { readonly account: string; readonly connection: string };
  readonly made: (key: string) => void;
  /** The box that the person ticks once it is saved. */
  readonly children: ReactNode;
}

function KeyCard({ keyText, place, made, children }: KeyCardProps) {
  const say = useWords();
  const { me, isReadOnly } = useCompany();
  const another = useAnotherKey(place, made);
  return (
    <Section title={say("step1.key.title")}>
      {keyText === undefined ? (
        <div className="stack">
          <p>{say("step1.key.gone")}</p>
          {!isReadOnly && (
            <div>
              <Button variant="default" loading={another.isPending} onClick={() => another.mutate(undefined)}>
                {say("step1.key.another")}
              </Button>
            </div>
          )}
        </div>
      ) : (
        <div className="stack">
          <div className={styles.key}>
            <code>{keyText}</code>
            <CopyIcon text={keyText} what={say("step1.key.title")} />
          </div>
          <p>
            {say("step1.key.once")} {say("step1.key.safe")}
          </p>
          {children}
          <div>
            <p className="muted small">{say("step1.key.address")}</p>
            <div className={styles.key}>
              <a href={me.apiUrl} target="_blank" rel="noreferrer">
                {me.apiUrl}
              </a>
              <CopyIcon text={me.apiUrl} what={say("step1.key.address")} />
            </div>
          </div>
          <div>
            <p className="muted small">{say("step1.key.try")}</p>
            <Command text={curlOf(me.apiUrl, keyText)} />
          </div>
        </div>
      )}
    </Section>
  );
}

/** A call that a key may make from the first moment on. */
function curlOf(apiUrl: string, key: string): string {
  return `curl ${apiUrl}/api/v1/module-version -H 'X-API-KEY: ${key}'`;
}

/** A key that nobody has seen works for nobody: the new one takes its place. */
function useAnotherKey(place: ConnectionPlace, made: (key: string) => void) {
  const client = useQueryClient();
  return useSave({
    send: async () => {
      const { keys } = await answer(ofConnection.$get({ param: place }));
      const { key } = await answer(ofConnection.keys.$post({ param: place }));
      for (const { id } of keys)
        await answer(ofConnection.keys[":key"].$delete({ param: { ...place, key: id } }));
      return key;
    },
    onSaved: (key) => {
      showKey(place.connection, key);
      made(key);
      void client.invalidateQueries({ queryKey: ["connections", place.account] });
    },
  });
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
          <li key={step}>
            <Linked text={say(step, facts)} />
          </li>
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
