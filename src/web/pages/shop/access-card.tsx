import { Button } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { StateMark, type Tone } from "../../parts/state-mark.tsx";
import { shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { AccessForm } from "./access-form.tsx";
import { failureText, lackingText } from "./access-values.ts";
import { credentialsOf, platformName } from "./platform.ts";
import { ofShop, type Shop, type ShopReading, shopKey } from "./queries.ts";
import styles from "./shop.module.css";

interface AccessCardProps {
  readonly reading: ShopReading;
  readonly shop: Shop;
  readonly keepSecret: (secret: string) => void;
  readonly isEditing: boolean;
  readonly edit: (isEditing: boolean) => void;
}

/** What the service knows of the shop and of its own access to it. */
export function AccessCard({ reading, shop, keepSecret, isEditing, edit }: AccessCardProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  if (isEditing) {
    return (
      <Section title={say("shop.access")}>
        <AccessForm
          reading={reading}
          cancel={() => edit(false)}
          onConnected={() => edit(false)}
          keepSecret={keepSecret}
        />
      </Section>
    );
  }
  return (
    <Section title={say("shop.access")} aside={shop.url !== null && <TestMark shop={shop} />}>
      <AccessFacts shop={shop} />
      <TestProblem shop={shop} />
      {!isReadOnly && (
        <div className={styles.acts}>
          {shop.url !== null && <TestButton wasTested={shop.tested !== null} />}
          <Button variant="default" onClick={() => edit(true)}>
            {say(shop.url === null ? "shop.access.change.post" : "shop.access.change")}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** The facts of the shop, also at the end of the guided setup. */
export function AccessFacts({ shop }: { readonly shop: Shop }) {
  const say = useWords();
  const { account } = useCompany();
  const { platform, url, tested, nifKey, creditKeys } = shop;
  return (
    <dl className="facts">
      <dt>{say("shop.platform")}</dt>
      <dd>{platformName(platform)}</dd>
      <dt>{say("shop.url")}</dt>
      <dd>{url ?? say("shop.access.none")}</dd>
      <Credentials shop={shop} />
      {nifKey !== null && (
        <>
          <dt>{say("shop.own.nif")}</dt>
          <dd className="code">{nifKey}</dd>
        </>
      )}
      {creditKeys.length > 0 && (
        <>
          <dt>{say("shop.own.credit")}</dt>
          <dd className="code">{creditKeys.join(", ")}</dd>
        </>
      )}
      {tested?.result === "given" && <TestedFacts tested={tested} />}
      {tested && (
        <>
          <dt>{say("shop.test.result")}</dt>
          <dd>{shortMoment(tested.at, account.timeZone)}</dd>
        </>
      )}
    </dl>
  );
}

function Credentials({ shop: { platform, credentials } }: { readonly shop: Shop }) {
  const say = useWords();
  const names = (["client", "token"] as const)
    .flatMap((app) => credentialsOf(platform, "fetch", app))
    .filter((name, place, all) => name in credentials && all.indexOf(name) === place);
  return names.map((name) => {
    const tail = credentials[name] ?? "";
    return [
      <dt key={name}>{say(`shop.key.${name}`)}</dt>,
      <dd key={`${name} tail`}>
        {tail === "" ? say("shop.access.kept") : say("shop.access.ends", { tail })}
      </dd>,
    ];
  });
}

type Tested = NonNullable<Shop["tested"]>;

function TestedFacts({ tested }: { readonly tested: Tested }) {
  const say = useWords();
  const { version, currency, timeZone, lastOrder, lacking, scopes } = tested;
  const unsaid = say("shop.test.unsaid");
  return (
    <>
      <dt>{say("shop.test.version")}</dt>
      <dd>{version ?? unsaid}</dd>
      <dt>{say("shop.test.currency")}</dt>
      <dd>{currency ?? unsaid}</dd>
      <dt>{say("shop.test.zone")}</dt>
      <dd>{timeZone ?? unsaid}</dd>
      <dt>{say("shop.test.last_order")}</dt>
      <dd>{lastOrder ?? unsaid}</dd>
      <dt>{say("shop.test.rights")}</dt>
      <dd>
        {lacking.length > 0
          ? lackingText(lacking, say)
          : scopes.length > 0
            ? scopes.join(", ")
            : say("shop.test.rights.ok")}
      </dd>
    </>
  );
}

/** The last test in two words. */
export function TestMark({ shop: { tested } }: { readonly shop: Shop }) {
  const say = useWords();
  if (!tested) return <StateMark tone="waiting">{say("shop.test.never")}</StateMark>;
  if (tested.result === "given" && tested.lacking.length > 0) {
    return <StateMark tone="decide">{say("shop.test.lacking")}</StateMark>;
  }
  const word = tested.result === "given" ? "shop.test.ok" : (`shop.test.${tested.result}` as const);
  return <StateMark tone={TONES[tested.result]}>{say(word)}</StateMark>;
}

const TONES: Readonly<Record<Tested["result"], Tone>> = {
  given: "done",
  refused: "declined",
  gone: "decide",
  failed: "decide",
};

/** After a reload there is no field left to say it at. */
function TestProblem({ shop }: { readonly shop: Shop }) {
  const say = useWords();
  const { tested, platform, url } = shop;
  if (!tested || tested.result === "given" || url === null) return null;
  const name = platformName(platform);
  const text =
    tested.result === "refused"
      ? say("shop.refused")
      : tested.result === "gone"
        ? say("shop.gone", { platform: name })
        : failureText(tested.cause, name, say);
  return (
    <p role="alert" style={{ marginTop: 12 }}>
      {text}
    </p>
  );
}

function TestButton({ wasTested }: { readonly wasTested: boolean }) {
  const say = useWords();
  const place = useConnectionPlace();
  const test = useSave({
    send: () => answer(ofShop.test.$post({ param: place })),
    refresh: [shopKey(place)],
  });
  return (
    <Button
      variant="default"
      loading={test.isPending}
      leftSection={test.isSuccess ? <IconCircleCheck size={18} aria-hidden /> : undefined}
      onClick={() => test.mutate(undefined)}
    >
      {say(wasTested ? "shop.test.again" : "shop.test")}
    </Button>
  );
}
