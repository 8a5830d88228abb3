import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { Loading } from "../../parts/states.tsx";
import { longDate, shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ConfirmDialog } from "../settings/confirm-dialog.tsx";
import { type Connection, connectionsKey } from "../settings/queries.ts";
import { useConnectionPlace } from "../setup/setup.ts";
import { failureText } from "./access-values.ts";
import { BackfillChoice } from "./backfill-choice.tsx";
import { platformName } from "./platform.ts";
import { type Backfill, ofShop, openOf, type Shop, shopKey } from "./queries.ts";
import styles from "./shop.module.css";

interface BackfillCardProps {
  readonly shop: Shop;
  readonly connection: Connection;
}

/** Earlier orders: what each would become, and none is decided before its owner says so. */
export function BackfillCard({ shop, connection }: BackfillCardProps) {
  const say = useWords();
  const { backfill } = shop;
  const isListed = backfill?.state === "listed";
  return (
    <Section
      title={say("shop.back")}
      aside={backfill && say("shop.back.from", { date: longDate(backfill.from) })}
      flush={isListed}
    >
      {!backfill && <BeginBackfill shop={shop} connection={connection} />}
      {backfill?.state === "listing" && <Listing shop={shop} backfill={backfill} />}
      {isListed && <BackfillChoice backfill={backfill} end={<EndButton />} />}
      {(backfill?.state === "confirmed" || backfill?.state === "done") && (
        <Deciding shop={shop} backfill={backfill} />
      )}
    </Section>
  );
}

type From = "cutoff" | "today" | "more";

function useBegin() {
  const place = useConnectionPlace();
  return useSave({
    send: (from: From) => answer(ofShop.backfill.$post({ param: place, json: { from } })),
    refresh: [shopKey(place), connectionsKey(place.account)],
  });
}

function BeginBackfill({ shop, connection }: BackfillCardProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const begin = useBegin();
  const { consent } = connection;
  const isOn = consent !== undefined && !consent.withdrawnAt;
  if (shop.url === null) return <p className={styles.lead}>{say("shop.back.no_access")}</p>;
  if (!isOn) {
    return (
      <>
        <p className={styles.lead}>{say("shop.back.no_consent")}</p>
        {!isReadOnly && (
          <div className={styles.acts}>
            <Button component={Link} to={paths.consent(account.id, connection.id)}>
              {say("conn.turn_on")}
            </Button>
          </div>
        )}
      </>
    );
  }
  return (
    <>
      <p className={styles.lead}>{say("shop.back.lead")}</p>
      {!isReadOnly && (
        <div className={styles.acts}>
          <Button
            loading={begin.isPending && begin.variables === "cutoff"}
            onClick={() => begin.mutate("cutoff")}
          >
            {say("shop.back.begin", { date: longDate(consent.cutoffDate) })}
          </Button>
          <Button
            variant="default"
            loading={begin.isPending && begin.variables === "today"}
            onClick={() => begin.mutate("today")}
          >
            {say("shop.back.today")}
          </Button>
        </div>
      )}
    </>
  );
}

interface RunProps {
  readonly shop: Shop;
  readonly backfill: Backfill;
}

/** The list grows while the page is open; it may be left. */
function Listing({ shop, backfill }: RunProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { listed, lookedAt } = backfill;
  return (
    <>
      <p role="status">{say("shop.back.listing", { listed, looked: lookedAt })}</p>
      {listed === 0 && <Loading />}
      <Trouble shop={shop} backfill={backfill} />
      {!isReadOnly && (
        <div className={styles.acts}>
          <EndButton />
        </div>
      )}
    </>
  );
}

function Trouble({ shop, backfill: { failure, nextAt } }: RunProps) {
  const say = useWords();
  const { account } = useCompany();
  if (failure === null) return null;
  const cause = failureText(failure, platformName(shop.platform), say);
  return (
    <p className="muted small" role="status">
      {nextAt === null
        ? cause
        : say("shop.back.again", { cause, when: shortMoment(nextAt, account.timeZone) })}
    </p>
  );
}

/** The confirmed orders are decided one after the other. */
function Deciding({ shop, backfill }: RunProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const begin = useBegin();
  const { confirmed, decided, failing, givenUp, hasMore } = backfill;
  const isDone = openOf(backfill) === 0;
  return (
    <>
      <p role="status">
        {isDone
          ? say("shop.back.done", { n: decided })
          : say("shop.back.deciding", { decided, total: confirmed })}
      </p>
      {failing > 0 && <p className="muted small">{say("shop.back.failing", { n: failing })}</p>}
      {givenUp.count > 0 && <GivenUp backfill={backfill} />}
      <Trouble shop={shop} backfill={backfill} />
      {isDone && (
        <div className={styles.acts}>
          <Button component={Link} to={paths.invoices(account.id)}>
            {say("nav.invoices")}
          </Button>
          <Button component={Link} to={paths.review(account.id)} variant="default">
            {say("nav.review")}
          </Button>
          {!isReadOnly && hasMore && (
            <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate("more")}>
              {say("shop.back.more")}
            </Button>
          )}
          {!isReadOnly && <EndButton word="shop.back.close" />}
        </div>
      )}
    </>
  );
}

/** Confirmed orders that stay without a decision, by the cause of each. */
function GivenUp({ backfill: { givenUp } }: Pick<RunProps, "backfill">) {
  const say = useWords();
  const { count, first } = givenUp;
  const causes = Map.groupBy(first, ({ failure }) => (failure === "gone" ? "gone" : "unreadable"));
  return (
    <>
      <p>{say("shop.back.given_up", { n: count })}</p>
      <ul className={styles.lead}>
        {[...causes].map(([cause, orders]) => (
          <li key={cause}>
            {say(`shop.back.given_up.${cause}`, { orders: orders.map(({ orderId }) => orderId).join(", ") })}
          </li>
        ))}
      </ul>
      {count > first.length && (
        <p className="muted small">{say("shop.back.given_up.more", { n: count - first.length })}</p>
      )}
    </>
  );
}

/** Forgets the list: what is decided stays decided. */
function EndButton({ word = "shop.back.end" }: { readonly word?: "shop.back.end" | "shop.back.close" }) {
  const say = useWords();
  const place = useConnectionPlace();
  const [isAsked, setAsked] = useState(false);
  const end = useSave({
    send: () => answer(ofShop.backfill.$delete({ param: place })),
    refresh: [shopKey(place)],
    onSaved: () => setAsked(false),
  });
  const needsAsking = word === "shop.back.end";
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        loading={end.isPending}
        onClick={() => (needsAsking ? setAsked(true) : end.mutate(undefined))}
      >
        {say(word)}
      </Button>
      <ConfirmDialog
        title={say("shop.back.end.title")}
        isOpen={isAsked}
        close={() => setAsked(false)}
        act={say("shop.back.end")}
        isBusy={end.isPending}
        isHarmless
        confirm={() => end.mutate(undefined)}
      >
        <p>{say("shop.back.end.body")}</p>
      </ConfirmDialog>
    </>
  );
}
