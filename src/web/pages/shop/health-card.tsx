import { Button } from "@mantine/core";
import { IconAlertOctagon, IconAlertTriangle } from "@tabler/icons-react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { StateMark, type Tone } from "../../parts/state-mark.tsx";
import { shortMoment } from "../../words/format.ts";
import { type Say, useWords, type WordId } from "../../words/words.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { failureText } from "./access-values.ts";
import { factName } from "./missing.tsx";
import { platformName } from "./platform.ts";
import { ofShop, type Shop, shopKey } from "./queries.ts";
import styles from "./shop.module.css";
import { statusName } from "./statuses-card.tsx";

interface Sign {
  readonly tone: Tone;
  readonly word: WordId;
}

/** The worst that is true of the shop now. */
export function signOf({ health, url }: Shop): Sign {
  const { credentialsRefusedAt, failingSince, deliveredAt, fetchedAt } = health;
  if (credentialsRefusedAt !== null) return { tone: "declined", word: "shop.health.refused" };
  if (failingSince !== null && url !== null) return { tone: "decide", word: "shop.health.failing" };
  const asks = health.unmapped.length > 0 || health.missing.length > 0 || health.failing > 0;
  if (asks) return { tone: "decide", word: "shop.health.look" };
  const isNew = deliveredAt === null && fetchedAt === null;
  return isNew
    ? { tone: "waiting", word: "shop.health.waiting" }
    : { tone: "done", word: "shop.health.good" };
}

/** Whether everything that happens in the shop arrives here. */
export function HealthCard({ shop }: { readonly shop: Shop }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { tone, word } = signOf(shop);
  return (
    <Section title={say("shop.health")} aside={<StateMark tone={tone}>{say(word)}</StateMark>}>
      <div className="stack">
        <Trouble shop={shop} />
        <HealthFacts shop={shop} />
        {!isReadOnly && shop.canFetch && <ReconcileButton />}
      </div>
    </Section>
  );
}

/** What has stopped, since when, and whose turn it is. */
function Trouble({ shop: { health, platform, url } }: { readonly shop: Shop }) {
  const say = useWords();
  const { account } = useCompany();
  const { credentialsRefusedAt, failingSince, failure } = health;
  const when = (at: string) => shortMoment(at, account.timeZone);
  if (credentialsRefusedAt !== null) {
    return (
      <div className={styles.notice} data-bad role="alert">
        <IconAlertOctagon size={20} aria-hidden />
        <p>{say("shop.health.refused.body", { when: when(credentialsRefusedAt) })}</p>
      </div>
    );
  }
  if (failingSince === null || url === null) return null;
  const cause = failureText(failure, platformName(platform), say);
  return (
    <div className={styles.notice} role="status">
      <IconAlertTriangle size={20} aria-hidden />
      <p>{say("shop.health.failing.body", { when: when(failingSince), cause })}</p>
    </div>
  );
}

function HealthFacts({ shop }: { readonly shop: Shop }) {
  const say = useWords();
  const { account } = useCompany();
  const { health, url } = shop;
  const { deliveredAt, fetchedAt, reconciledAt, waiting, failing, forged, forgedAt } = health;
  const when = (at: string | null, never: WordId) =>
    at === null ? say(never) : shortMoment(at, account.timeZone);
  return (
    <dl className="facts">
      <dt>{say("shop.health.delivered")}</dt>
      <dd>{when(deliveredAt, "shop.health.never.delivered")}</dd>
      {url !== null && (
        <>
          <dt>{say("shop.health.fetched")}</dt>
          <dd>{when(fetchedAt, "shop.health.never")}</dd>
          <dt>{say("shop.health.reconciled")}</dt>
          <dd>{when(reconciledAt, "shop.health.never")}</dd>
          <dt>{say("shop.health.waiting.orders")}</dt>
          <dd>
            {failing > 0
              ? say("shop.health.waiting.failing", { n: waiting, failing })
              : say("shop.health.waiting.count", { n: waiting })}
          </dd>
        </>
      )}
      <dt>{say("shop.health.forged")}</dt>
      <dd>
        {forged === 0
          ? say("shop.health.forged.none")
          : say("shop.health.forged.count", { n: forged, when: when(forgedAt, "shop.health.never") })}
      </dd>
      <Unmapped shop={shop} />
      <Lacking missing={health.missing} />
    </dl>
  );
}

function Unmapped({ shop: { health } }: { readonly shop: Shop }) {
  const say = useWords();
  const { unmapped } = health;
  return (
    <>
      <dt>{say("shop.health.unmapped")}</dt>
      <dd>
        {unmapped.length === 0 ? (
          say("shop.health.unmapped.none")
        ) : (
          <ul className={styles.plain}>
            {unmapped.map((status) => (
              <li key={status.status}>
                {say("shop.health.missing.orders", { what: statusName(status, say), n: status.orders })}
              </li>
            ))}
          </ul>
        )}
      </dd>
    </>
  );
}

function Lacking({ missing }: { readonly missing: Shop["health"]["missing"] }) {
  const say = useWords();
  return (
    <>
      <dt>{say("shop.health.missing")}</dt>
      <dd>
        {missing.length === 0 ? (
          say("shop.health.missing.none")
        ) : (
          <ul className={styles.plain}>
            {missing.map((fact) => (
              <li key={fact.what}>{lackingText(fact, say)}</li>
            ))}
          </ul>
        )}
      </dd>
    </>
  );
}

function lackingText({ what, orders, isMore }: Shop["health"]["missing"][number], say: Say): string {
  const word = isMore ? "shop.health.missing.more" : "shop.health.missing.orders";
  return say(word, { what: factName(what, say), n: orders });
}

function ReconcileButton() {
  const say = useWords();
  const place = useConnectionPlace();
  const ask = useSave({
    send: () => answer(ofShop.reconcile.$post({ param: place })),
    refresh: [shopKey(place)],
    said: say("shop.reconcile.asked"),
  });
  return (
    <div>
      <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate(undefined)}>
        {say("shop.reconcile")}
      </Button>
    </div>
  );
}
