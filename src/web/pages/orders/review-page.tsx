import { Button, Card } from "@mantine/core";
import { useState } from "react";
import { answersTo, HOLDING_REASONS, type ReasonCode } from "../../../domain/order/reasons.ts";
import { useCompany } from "../../app/session.tsx";
import { Checkbox, Switch } from "../../parts/choices.tsx";
import { Select } from "../../parts/fields.tsx";
import { amongIds, isPlace, oneOf } from "../../parts/filters/known.ts";
import { useRefusedParams } from "../../parts/filters/known-params.ts";
import { PageHead, Section } from "../../parts/page-head.tsx";
import { Pager } from "../../parts/pager.tsx";
import partStyles from "../../parts/parts.module.css";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { useAddress, withoutEmpty } from "./address.ts";
import { ConnectionFilter } from "./connection-filter.tsx";
import { DismissDialog } from "./dismiss-dialog.tsx";
import { ManyOutcome, useMany } from "./many.tsx";
import own from "./orders.module.css";
import {
  REVIEW_PARAMS,
  type ReviewFilter,
  useCounts,
  useCurrentPlaces,
  useReview,
  useReviewGroups,
  type Waiting,
} from "./queries.ts";
import { useQuestions } from "./question-calls.ts";
import { QuestionsView } from "./questions-view.tsx";
import { NO_TICKS, ReviewRows } from "./review-rows.tsx";

type Address = ReturnType<typeof useAddress>;

/** The review queue: orders that wait for the owner, by due date. */
export function ReviewPage() {
  const say = useWords();
  const places = useCurrentPlaces();
  const address = useAddress({
    ...{ by: oneOf(["reason", "question", "one"]), reason: oneOf(HOLDING_REASONS), cursor: isPlace },
    connection: amongIds(places?.connections),
  });
  const counts = useCounts();
  const isGrouped = address.value("by") === "reason" && address.value("reason") === "";
  const view = useView(address);
  const asked = useQuestions({}, { isOn: view === "question" }).data;
  // A further page has more of them.
  const questions = view === "question" && asked?.next === null ? asked.items.length : 0;
  return (
    <>
      <PageHead title={say("nav.review")} lead={counts.data && leadText(counts.data, questions, say)} />
      <ReviewFilters address={address} isByQuestion={view === "question"} />
      {view === "undecided" && <Loading rows={6} />}
      {view === "question" && <QuestionsView address={address} />}
      {view === "one" && (isGrouped ? <Groups address={address} /> : <Queue address={address} />)}
    </>
  );
}

/**
 * Without a choice in the address the page opens on the questions where two orders ask the same. That is
 * decided once: an answer that leaves single questions must not take its own outcome off the screen.
 */
function useView(address: Address): "question" | "one" | "undecided" {
  const [opening, setOpening] = useState<"question" | "one">();
  const by = address.value("by");
  const isOpening = by === "" && opening === undefined && address.value("reason") === "";
  const most = useQuestions({}, { isOn: isOpening });
  if (by !== "") return by === "question" ? "question" : "one";
  if (!isOpening) return opening ?? "one";
  // The queue says itself that it cannot be read.
  if (most.isLoadingError) return "one";
  if (!most.data) return "undecided";
  const found = (most.data.items[0]?.orders ?? 0) > 1 ? "question" : "one";
  setOpening(found);
  return found;
}

type Counts = NonNullable<ReturnType<typeof useCounts>["data"]>;

/** With the number of different questions where they are shown, and all of them are known. */
function leadText({ waiting, overdue, hasMore }: Counts, questions: number, say: Say): string {
  if (waiting === 0) return "";
  const some =
    questions > 0
      ? say("review.questions.lead", { n: waiting, q: questions })
      : say("review.lead", { n: waiting });
  const lead = hasMore ? say("review.lead.many", { n: count(waiting - 1) }) : some;
  return overdue === 0 ? lead : `${lead} ${say("review.overdue", { n: overdue })}`;
}

interface ReviewFiltersProps {
  readonly address: Address;
  readonly isByQuestion: boolean;
}

function ReviewFilters({ address, isByQuestion }: ReviewFiltersProps) {
  const say = useWords();
  const groups = useReviewGroups(address.value("connection") || undefined);
  const reason = address.value("reason");
  const data = (groups.data?.groups ?? []).map(({ code, orders }) => ({
    value: code as string,
    label: `${groupWord(code, say)} (${count(orders)})`,
  }));
  const known = data.some(({ value }) => value === reason) || reason === "";
  return (
    <div className={own.filters}>
      <Select
        {...withClass(own.reasonFilter)}
        aria-label={say("review.filter.reason")}
        data={[
          { value: "", label: say("review.filter.all") },
          ...data,
          ...(known ? [] : [{ value: reason, label: groupWord(reason, say) }]),
        ]}
        value={reason}
        allowDeselect={false}
        onChange={(value) => address.filter("reason", value ?? "")}
      />
      <ConnectionFilter address={address} />
      <ByQuestion address={address} isByQuestion={isByQuestion} />
      {!isByQuestion && (
        <Switch
          {...withClass(own.grouping)}
          label={say("review.grouped")}
          checked={address.value("by") === "reason"}
          onChange={({ currentTarget: { checked } }) => address.filter("by", checked ? "reason" : "one")}
        />
      )}
    </div>
  );
}

/** Equal questions together, or order by order. */
function ByQuestion({ address, isByQuestion }: ReviewFiltersProps) {
  const say = useWords();
  return (
    <Button.Group aria-label={say("review.by")}>
      <Button
        variant={isByQuestion ? "light" : "default"}
        aria-pressed={isByQuestion}
        onClick={() => address.filter("by", "question")}
      >
        {say("review.by.question")}
      </Button>
      <Button
        variant={isByQuestion ? "default" : "light"}
        aria-pressed={!isByQuestion}
        onClick={() => isByQuestion && address.filter("by", "one")}
      >
        {say("review.by.one")}
      </Button>
    </Button.Group>
  );
}

export function groupWord(code: string, say: Say): string {
  const known = HOLDING_REASONS.find((one) => one === code);
  return known ? say(`review.group.${known}`) : code;
}

/** One card per reason, with its first orders: one answer often settles many. */
function Groups({ address }: { readonly address: Address }) {
  const say = useWords();
  const of = address.value("connection");
  const groups = useReviewGroups(of || undefined);
  if (useRefusedParams(groups.error, REVIEW_PARAMS)) return <Loading rows={6} />;
  if (groups.isLoadingError) return <ErrorCard error={groups.error} retry={() => void groups.refetch()} />;
  if (!groups.data) return <Loading rows={6} />;
  if (groups.data.groups.length === 0) return <NothingWaits />;
  return (
    <div className="stack">
      {groups.data.groups.map(({ code, orders }) => (
        <Section
          key={code}
          title={groupWord(code, say)}
          aside={
            <Button variant="subtle" size="compact-sm" onClick={() => address.filter("reason", code)}>
              {say("review.group.open", { n: orders })}
            </Button>
          }
          flush
        >
          <GroupRows filter={{ reason: code, ...withoutEmpty({ connection: of }) } as ReviewFilter} />
        </Section>
      ))}
    </div>
  );
}

const FIRST_OF_GROUP = 3;

function GroupRows({ filter }: { readonly filter: ReviewFilter }) {
  const queue = useReview(filter);
  if (queue.isLoadingError) return <ErrorCard error={queue.error} retry={() => void queue.refetch()} />;
  if (!queue.data) return <Loading rows={2} />;
  return <ReviewRows orders={queue.data.items.slice(0, FIRST_OF_GROUP)} ticking={NO_TICKS} filter={filter} />;
}

function Queue({ address }: { readonly address: Address }) {
  const filter = withoutEmpty({
    reason: address.value("reason"),
    connection: address.value("connection"),
    cursor: address.value("cursor"),
  });
  // The API checks the values in the address.
  const reviewFilter = filter as ReviewFilter;
  const queue = useReview(reviewFilter);
  if (useRefusedParams(queue.error, REVIEW_PARAMS)) return <Loading rows={6} />;
  if (queue.isLoadingError) return <ErrorCard error={queue.error} retry={() => void queue.refetch()} />;
  if (!queue.data) return <Loading rows={6} />;
  const { items } = queue.data;
  return (
    <Card>
      <TickedQueue
        key={reviewFilter.reason ?? ""}
        orders={items}
        filter={reviewFilter}
        clear={address.clear}
      />
      <Pager {...queue.data} go={address.go} />
    </Card>
  );
}

function NothingWaits() {
  const say = useWords();
  return (
    <Card>
      <Empty text={say("review.empty")} />
    </Card>
  );
}

interface TickedQueueProps {
  readonly orders: readonly Waiting[];
  readonly filter: ReviewFilter;
  readonly clear: () => void;
}

/** Ticked orders of one reason are answered together. */
function TickedQueue({ orders, filter, clear }: TickedQueueProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const many = useMany(() => setTicked(new Set()));
  const chosen = orders.filter((order) => ticked.has(keyOf(order)));
  const reason = chosen[0]?.reason?.code;
  const canTick = (order: Waiting) => !isReadOnly && (reason === undefined || order.reason?.code === reason);
  const tick = (order: Waiting) => setTicked((before) => toggled(before, keyOf(order)));
  const tickable = orders.filter(canTick);
  return (
    <>
      <ManyOutcome outcomes={many.data?.outcomes ?? []} />
      {chosen.length > 0 && (
        <div className={partStyles.dock}>
          <Checkbox
            size="xs"
            label={say("review.tick_all")}
            checked={chosen.length === tickable.length}
            onChange={() => setTicked(new Set(chosen.length === tickable.length ? [] : tickable.map(keyOf)))}
          />
          <ManyActs chosen={chosen} reason={reason} many={many} />
        </div>
      )}
      {orders.length === 0 ? (
        <NoneWaits isFiltered={Object.keys(filter).length > 0} clear={clear} />
      ) : (
        <ReviewRows
          orders={orders}
          filter={filter}
          ticking={{ isTicked: (order) => ticked.has(keyOf(order)), canTick, tick }}
        />
      )}
    </>
  );
}

function NoneWaits({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: () => void }) {
  const say = useWords();
  if (!isFiltered) return <Empty text={say("review.empty")} />;
  return (
    <Empty text={say("review.none")}>
      <Button variant="default" onClick={clear}>
        {say("clear_filters")}
      </Button>
    </Empty>
  );
}

interface ManyActsProps {
  readonly chosen: readonly Waiting[];
  readonly reason: ReasonCode | undefined;
  readonly many: ReturnType<typeof useMany>;
}

function ManyActs({ chosen, reason, many }: ManyActsProps) {
  const say = useWords();
  const [isDismissing, setDismissing] = useState(false);
  const n = chosen.length;
  const orders = chosen.map(({ connectionId, orderId }) => ({ connection: connectionId, order: orderId }));
  const canApprove = reason !== undefined && answersTo(reason).includes("approve");
  return (
    <span className="end">
      <Button variant="subtle" color="gray" size="xs" onClick={() => setDismissing(true)}>
        {say("review.dismiss.many", { n })}
      </Button>
      {canApprove && (
        <Button
          size="xs"
          loading={many.isPending}
          onClick={() => many.mutate({ orders, answer: { answer: "approve" } })}
        >
          {say("review.issue_many", { n })}
        </Button>
      )}
      <DismissDialog
        title={say("review.dismiss.title.many", { n })}
        isOpen={isDismissing}
        isBusy={many.isPending}
        close={() => setDismissing(false)}
        dismiss={(why) =>
          many.mutate(
            { orders, answer: { answer: "dismiss", why } },
            { onSuccess: () => setDismissing(false) },
          )
        }
      />
    </span>
  );
}

function keyOf({ connectionId, orderId }: Waiting): string {
  return `${connectionId} ${orderId}`;
}

function toggled(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(before);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** The type of a CSS module allows for missing classes. */
function withClass(name: string | undefined) {
  return name === undefined ? {} : { className: name };
}
