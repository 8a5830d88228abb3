import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox, Radio } from "../../parts/choices.tsx";
import { Select } from "../../parts/fields.tsx";
import { MoreOfList } from "../../parts/more-of-list.tsx";
import { useSave } from "../../parts/save.ts";
import { orderTone, StateMark } from "../../parts/state-mark.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, date, money } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import { invoiceTypeWord, stateWord } from "../orders/shown.ts";
import { ConfirmDialog } from "../settings/confirm-dialog.tsx";
import { useConnectionPlace } from "../setup/setup.ts";
import { sumsOf } from "./backfill-sums.ts";
import { factName } from "./missing.tsx";
import {
  type Backfill,
  type BackfillTotals,
  type Candidate,
  ofShop,
  shopKey,
  useBackfill,
  useBackfillTotals,
  type Would,
} from "./queries.ts";
import styles from "./shop.module.css";

/** States of an order that has an invoice. */
const INVOICED = ["invoiced", "partially_rectified", "rectified"] as const satisfies readonly Would[];
/** Nothing can be decided of these. */
const UNDECIDABLE = ["unreadable", "gone", "erased"] as const satisfies readonly Would[];
const WOULD: readonly Would[] = [
  ...INVOICED,
  ...UNDECIDABLE,
  ...(["held", "stored", "deferred", "before_cutoff", "store_not_selected", "cancelled"] as const),
];

type Which = "invoiced" | "all" | "picked";

interface BackfillChoiceProps {
  readonly backfill: Backfill;
  readonly end: ReactNode;
}

/** What each earlier order would become, and the choice of those that are decided. */
export function BackfillChoice({ backfill, end }: BackfillChoiceProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [which, setWhich] = useState<Which>("invoiced");
  const [picked, setPicked] = useState<ReadonlyMap<string, Candidate>>(new Map());
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState("");
  const totals = useBackfillTotals(useConnectionPlace(), backfill);
  const chosen = chosenIn(backfill, { which, picked, totals: totals.data });
  if (backfill.listed === 0) {
    return (
      <Empty text={say("shop.back.nothing")}>
        <div className="row">{!isReadOnly && end}</div>
      </Empty>
    );
  }
  function pick(candidate: Candidate, isPicked: boolean) {
    const next = new Map(picked);
    if (isPicked) next.set(candidate.orderId, candidate);
    else next.delete(candidate.orderId);
    setProblem("");
    setPicked(next);
  }
  return (
    <>
      <div className={`${styles.pad} stack`}>
        <p role="status">{say("shop.back.listed", { n: backfill.listed })}</p>
        <p className={styles.lead}>{say("shop.back.listed.lead")}</p>
        {backfill.hasMore && <p className="muted small">{say("shop.back.has_more")}</p>}
        {!isReadOnly && <WhichChoice backfill={backfill} which={which} choose={setWhich} />}
      </div>
      <Candidates
        backfill={backfill}
        picked={which === "picked" && !isReadOnly ? picked : undefined}
        pick={pick}
      />
      {!isReadOnly && (
        <div className={styles.foot}>
          {end}
          <div className="row end">
            {problem ? (
              <span className={styles.problem} role="alert">
                {problem}
              </span>
            ) : (
              <span className="muted small" aria-live="polite">
                {chosenText(chosen, say)}
              </span>
            )}
            <Button
              onClick={() =>
                chosen.orders === 0 ? setProblem(say("shop.back.none_chosen")) : setAsked(true)
              }
            >
              {say("shop.back.confirm")}
            </Button>
          </div>
        </div>
      )}
      <ConfirmChosen
        backfill={backfill}
        which={which}
        picked={picked}
        chosen={chosen}
        isOpen={isAsked}
        close={() => setAsked(false)}
      />
    </>
  );
}

interface Chosen {
  readonly orders: number;
  readonly invoiced: number;
  readonly totals: readonly { readonly currency: string; readonly total: string }[];
}

interface Choice {
  readonly which: Which;
  readonly picked: ReadonlyMap<string, Candidate>;
  /** Of the whole list, while they are known. */
  readonly totals?: BackfillTotals | undefined;
}

function chosenIn(backfill: Backfill, { which, picked, totals = [] }: Choice): Chosen {
  if (which === "picked") {
    const candidates = [...picked.values()];
    const invoices = candidates.flatMap(({ invoices }) => invoices);
    const invoiced = candidates.filter(({ would }) => isOf(INVOICED, would)).length;
    return { orders: candidates.length, invoiced, totals: sumsOf(invoices) };
  }
  const groups = backfill.counts.filter(({ would }) =>
    which === "invoiced" ? isOf(INVOICED, would) : !isOf(UNDECIDABLE, would),
  );
  const states = new Set(groups.map(({ would }) => would));
  const sum = (of: typeof groups) => of.reduce((orders, group) => orders + group.orders, 0);
  return {
    orders: sum(groups),
    invoiced: sum(groups.filter(({ would }) => isOf(INVOICED, would))),
    totals: sumsOf(totals.filter(({ would }) => states.has(would))),
  };
}

function isOf(states: readonly string[], would: string | null): boolean {
  return would !== null && states.includes(would);
}

function chosenText({ orders, invoiced, totals }: Chosen, say: Say): string {
  const amounts = totals.map(({ total, currency }) => money(total, currency)).join(" + ");
  return say(amounts === "" ? "shop.back.chosen" : "shop.back.chosen.total", {
    orders,
    invoiced,
    total: amounts,
  });
}

interface WhichChoiceProps {
  readonly backfill: Backfill;
  readonly which: Which;
  readonly choose: (which: Which) => void;
}

function WhichChoice({ backfill, which, choose }: WhichChoiceProps) {
  const say = useWords();
  const ordersOf = (which: Which) => chosenIn(backfill, { which, picked: new Map() }).orders;
  return (
    <Radio.Group
      label={say("shop.back.which")}
      value={which}
      onChange={(value) => choose(value === "all" || value === "picked" ? value : "invoiced")}
    >
      <div className={styles.radios}>
        <Radio.One value="invoiced" label={say("shop.back.which.invoiced", { n: ordersOf("invoiced") })} />
        <Radio.One value="all" label={say("shop.back.which.all", { n: ordersOf("all") })} />
        <Radio.One value="picked" label={say("shop.back.which.picked")} />
      </div>
    </Radio.Group>
  );
}

interface CandidatesProps {
  readonly backfill: Backfill;
  /** Undefined where none is picked one by one. */
  readonly picked: ReadonlyMap<string, Candidate> | undefined;
  readonly pick: (candidate: Candidate, isPicked: boolean) => void;
}

function Candidates({ backfill, picked, pick }: CandidatesProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const [would, setWould] = useState<Would>();
  const list = useBackfill(place, would);
  const candidates = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const options = backfill.counts.map(({ would, orders }) => ({
    value: would,
    label: `${wouldText(would, say)} (${count(orders)})`,
  }));
  return (
    <div>
      <div className={styles.pad}>
        <Select
          label={say("shop.back.filter")}
          maw={320}
          allowDeselect={false}
          data={[{ value: "", label: say("shop.back.filter.all", { n: backfill.listed }) }, ...options]}
          value={would ?? ""}
          onChange={(value) => setWould(WOULD.find((one) => one === value))}
        />
      </div>
      {list.isPending && <Loading />}
      {list.isLoadingError && <ErrorCard error={list.error} retry={() => void list.refetch()} />}
      <ul className={styles.picks} aria-label={say("shop.back.list")}>
        {candidates.map((candidate) => (
          <CandidateRow key={candidate.orderId} candidate={candidate} picked={picked} pick={pick} />
        ))}
      </ul>
      <MoreOfList list={list} label={say("shop.back.list.more")} className={styles.foot} />
    </div>
  );
}

interface CandidateRowProps extends Pick<CandidatesProps, "picked" | "pick"> {
  readonly candidate: Candidate;
}

function CandidateRow({ candidate, picked, pick }: CandidateRowProps) {
  const say = useWords();
  const { account } = useCompany();
  const { orderId, reference, orderedAt, status, would, total, currency } = candidate;
  const name = reference ?? orderId;
  return (
    <li className={styles.pick} data-picks={picked !== undefined || undefined}>
      {picked && (
        <Checkbox
          aria-label={say("shop.back.pick", { order: name })}
          checked={picked.has(orderId)}
          disabled={isOf(UNDECIDABLE, would)}
          onChange={({ currentTarget: { checked } }) => pick(candidate, checked)}
        />
      )}
      <div>
        <b>{name}</b>
        <span className="muted small">
          {[
            orderedAt === null ? "" : date(orderedAt, account.timeZone),
            status === null ? "" : statusText(status, say),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      <div className={styles.outcome}>
        {would === null ? (
          <StateMark tone="waiting">{say("shop.back.unseen")}</StateMark>
        ) : (
          <StateMark tone={orderTone(would)}>{wouldText(would, say)}</StateMark>
        )}
        <span className="muted small">{whyText(candidate, say)}</span>
      </div>
      <span className="num">{total === null || currency === null ? "—" : money(total, currency)}</span>
    </li>
  );
}

function statusText(status: string, say: Say): string {
  const id = `shop.status.${status}`;
  return isWord(id) ? say(id) : status;
}

function wouldText(would: string, say: Say): string {
  const id = `shop.would.${would}`;
  return isWord(id) ? say(id) : stateWord(would, say);
}

/** The invoices that would come of it, or what keeps them back. */
function whyText({ invoices, reasons, missing, failure }: Candidate, say: Say): string {
  if (invoices.length > 0) {
    return invoices
      .map(({ invoiceType, series }) => `${invoiceTypeWord(invoiceType, say)}, ${series}`)
      .join(" · ");
  }
  const facts = [...new Set(missing.map(({ what }) => factName(what, say)))];
  if (facts.length > 0) return say("shop.delivery.why", { what: facts.join(", ") });
  // The state says enough of a reason that asks nothing of the owner.
  const titles = reasons.flatMap((code) => {
    const id = `review.group.${code}`;
    return isWord(id) ? [say(id)] : [];
  });
  return titles.length > 0 ? titles.join(" · ") : (failure ?? "");
}

interface ConfirmChosenProps {
  readonly backfill: Backfill;
  readonly which: Which;
  readonly picked: ReadonlyMap<string, Candidate>;
  readonly chosen: Chosen;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Says number and total before anything is issued, because an issued invoice stays. */
function ConfirmChosen({ backfill, which, picked, chosen, isOpen, close }: ConfirmChosenProps) {
  const say = useWords();
  const place = useConnectionPlace();
  const { version, counts } = backfill;
  const confirm = useSave({
    send: () => answer(ofShop.backfill.confirm.$post({ param: place, json: body() })),
    refresh: [shopKey(place)],
    onSaved: close,
  });
  function body() {
    if (which === "all") return { version, all: true as const };
    if (which === "picked") return { version, orders: [...picked.keys()] };
    return { version, would: INVOICED.filter((state) => counts.some(({ would }) => would === state)) };
  }
  const others = chosen.orders - chosen.invoiced;
  return (
    <ConfirmDialog
      title={say("shop.back.confirm.title", { n: chosen.orders })}
      isOpen={isOpen}
      close={close}
      act={say("shop.back.confirm.act", { n: chosen.orders })}
      isBusy={confirm.isPending}
      isHarmless
      confirm={() => confirm.mutate(undefined)}
    >
      <p>
        <b>{chosenText(chosen, say)}</b>
      </p>
      {others > 0 && <p>{say("shop.back.confirm.others", { n: others })}</p>}
      <p>{say("shop.back.confirm.body")}</p>
    </ConfirmDialog>
  );
}
