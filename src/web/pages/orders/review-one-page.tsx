import { Button, Card } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import partStyles from "../../parts/parts.module.css";
import { showNotice, useSave } from "../../parts/save.ts";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { count, dayOfMonth, longDate, time } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { ShopDocumentCard } from "../shop/order-document.tsx";
import { type AlsoOthers, useAlsoOthers } from "./also-others.tsx";
import { DismissDialog } from "./dismiss-dialog.tsx";
import own from "./order.module.css";
import { OrderFacts, RawData } from "./order-facts.tsx";
import {
  ORDERS,
  type Order,
  type OrderPlace,
  type Preview,
  type ShownReason,
  sendAnswers,
  useCounts,
  useOrder,
  usePreview,
} from "./queries.ts";
import { useQuestionJob } from "./question-calls.ts";
import { QuestionOutcomes } from "./question-outcomes.tsx";
import { goToFirstOpen, isOpen, ReasonList } from "./reason-list.tsx";
import {
  type Done,
  DoneCard,
  NotHeld,
  type OrderProps,
  useAddressOf,
  useReviewNeighbours,
} from "./review-done.tsx";
import { nameOf, shopOf } from "./shown.ts";
import {
  keyedAnswers,
  refusalsByReason,
  type TypedByReason,
  withAnswered,
  withoutStrayCourses,
} from "./typed-answers.ts";
import { WouldBe } from "./would-be.tsx";

/** One waiting order: reasons, facts, the resulting invoice, and one button. */
export function ReviewOnePage() {
  const { connection = "", order = "" } = useParams();
  return <ReviewOne key={`${connection} ${order}`} place={{ connection, order }} />;
}

function ReviewOne({ place }: { readonly place: OrderPlace }) {
  const order = useOrder(place);
  const [done, setDone] = useState<Done>();
  const [begun, setBegun] = useState<string>();
  const job = useQuestionJob({ connectionId: place.connection }, begun);
  if (order.isLoadingError) return <ReviewFailed order={order} id={place.order} />;
  if (!order.data) return <Loading rows={6} />;
  return (
    <>
      <ReviewHead order={order.data} place={place} />
      <div className="stack">
        {done && <DoneCard done={done} order={order.data} place={place} />}
        {job.data && (
          <Card>
            <QuestionOutcomes job={job.data} />
          </Card>
        )}
        {!done && order.data.state === "held" && (
          <Deciding order={order.data} place={place} onDone={setDone} onBegun={setBegun} />
        )}
        {!done && order.data.state !== "held" && <NotHeld order={order.data} place={place} />}
      </div>
    </>
  );
}

interface ReviewFailedProps {
  readonly order: Pick<ReturnType<typeof useOrder>, "error" | "refetch">;
  readonly id: string;
}

function ReviewFailed({ order, id }: ReviewFailedProps) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <>
      <PageHead
        title={say("order.title", { order: id })}
        from={{ to: paths.review(account.id), name: say("nav.review") }}
      />
      <ErrorCard error={order.error} retry={() => void order.refetch()} />
    </>
  );
}

function ReviewHead({ order, place }: OrderProps) {
  const say = useWords();
  const { account } = useCompany();
  const { neighbours, query, isWhole } = useReviewNeighbours({ order, place });
  const addressOf = useAddressOf(query);
  const counts = useCounts();
  const total = counts.data && isWhole ? count(counts.data.waiting) : "";
  const isPlaced = neighbours !== undefined && total !== "" && order.state === "held";
  const lead = say("review.head", {
    connection: shopOf(order),
    date: longDate(order.orderedAt, account.timeZone),
    time: time(order.orderedAt, account.timeZone),
    due: dayOfMonth(order.dueDate),
  });
  return (
    <PageHead
      title={say("order.title", { order: nameOf({ orderId: order.orderId, ...order.facts }) })}
      lead={lead}
      from={{ to: `${paths.review(account.id)}${query === "" ? "" : `?${query}`}`, name: say("nav.review") }}
      {...(isPlaced ? { place: say("review.place", { place: count(neighbours.place), total }) } : {})}
    >
      {neighbours?.previous && (
        <Button
          component={Link}
          to={addressOf(neighbours.previous)}
          variant="default"
          leftSection={<IconChevronLeft size={18} aria-hidden />}
        >
          {say("review.previous.one")}
        </Button>
      )}
      {neighbours?.next && (
        <Button
          component={Link}
          to={addressOf(neighbours.next)}
          variant="default"
          rightSection={<IconChevronRight size={18} aria-hidden />}
        >
          {say("review.next.one")}
        </Button>
      )}
    </PageHead>
  );
}

/** The reasons of the last preview, and those that were answered before it. */
interface ListedReasons {
  readonly last: Preview["reasons"];
  readonly all: readonly ShownReason[];
}

const TYPING_MS = 300;

interface DecidingProps extends OrderProps {
  readonly onDone: (done: Done) => void;
  /** The answer of this order is on its way to others. */
  readonly onBegun: (jobId: string) => void;
}

function Deciding({ order, place, onDone, onBegun }: DecidingProps) {
  const say = useWords();
  const [typed, setTyped] = useState<TypedByReason>({});
  const [listed, setListed] = useState<ListedReasons>({ last: [], all: [] });
  const others = useAlsoOthers(order, place, typed);
  const answers = keyedAnswers(typed, listed.last).map((one) =>
    // With others that ask the same, their box says whether the answer is theirs too.
    one.key === others.key ? { ...one, isForAll: false } : one,
  );
  const [debounced] = useDebouncedValue(answers, TYPING_MS);
  const preview = usePreview(
    place,
    debounced.map(({ answer }) => answer),
  );
  // Approval is an answer if a reason asks for it, so the preview must come first.
  const newest = preview.data;
  if (newest && newest.reasons !== listed.last) {
    const kept = withoutStrayCourses(typed, newest.choices.destination);
    if (kept !== typed) setTyped(kept);
    setListed({ last: newest.reasons, all: withAnswered(newest.reasons, listed.all, kept) });
  }
  const acts = useActs({ order, place }, { answers, preview: preview.data, others, onDone, onBegun });
  const [shown, setShown] = useState<Preview>();
  if (preview.data && preview.data !== shown) setShown(preview.data);
  const failed = preview.isError && <ErrorCard error={preview.error} retry={() => void preview.refetch()} />;
  if (!shown) return failed || <Loading rows={6} />;
  const isStale = preview.isPlaceholderData || preview.data === undefined;
  const isFading = isStale || JSON.stringify(debounced) !== JSON.stringify(answers);
  return (
    <>
      <ReasonList
        order={order}
        place={place}
        reasons={listed.all}
        choices={shown.choices}
        typed={typed}
        refusals={isStale ? {} : refusalsByReason(debounced, shown.refusals)}
        change={(key, one) => setTyped((before) => ({ ...before, [key]: one }))}
        others={others}
      />
      <div className={own.pair}>
        <Section title={say("review.facts")} flush>
          <OrderFacts order={order}>
            <RawData place={place} />
          </OrderFacts>
        </Section>
        {failed || <WouldBe order={order} preview={shown} isFading={isFading} />}
      </div>
      <ShopDocumentCard place={place} currency={order.facts.currency} />
      <ReviewDock
        order={order}
        preview={shown}
        canSave={acts.fitting.length > 0}
        isBusy={acts.isBusy || (isFading && preview.isFetching)}
        issue={acts.issue}
        save={acts.save}
        dismiss={acts.dismiss}
      />
    </>
  );
}

interface Acting {
  readonly answers: ReturnType<typeof keyedAnswers>;
  readonly preview: Preview | undefined;
  readonly others: AlsoOthers;
  readonly onDone: (done: Done) => void;
  readonly onBegun: (jobId: string) => void;
}

/**
 * All answers go together: nothing is issued between two of them. Other orders with the same question get its
 * answer after that, so that a refusal here reaches none of them.
 */
function useActs({ order, place }: OrderProps, acting: Acting) {
  const { answers, preview, others, onDone, onBegun } = acting;
  const say = useWords();
  const { account } = useCompany();
  const refused = new Set(preview?.refusals.map(({ index }) => index));
  const fitting = answers.filter(({ key }, index) => key !== "approve" && !refused.has(index));
  const send = useSave({
    send: async (given: Acting["answers"]): Promise<Done> => {
      const documentsBefore = order.documents.length;
      const forAll = given.flatMap(({ isForAll }, index) => (isForAll ? [index] : []));
      const profile = preview?.choices.profileId;
      const saved = await sendAnswers(account.id, place, {
        answers: given.map(({ answer }) => answer),
        ...(forAll.length > 0
          ? { for_all: { answers: forAll, ...(profile === undefined ? {} : { profile_id: profile }) } }
          : {}),
      });
      const isOthers = given.some(({ answer }) => answer.answer !== "dismiss") && others.send;
      const job = isOthers ? await others.send?.() : undefined;
      if (job) onBegun(job.id);
      return { saved, documentsBefore };
    },
    refresh: [[account.id, ORDERS]],
    onSaved: (done) => {
      if (done.saved.state === "held") showNotice(say("review.saved"), say);
      else onDone(done);
    },
  });
  return {
    fitting,
    isBusy: send.isPending,
    issue: () => send.mutate(answers),
    save: () => send.mutate(fitting),
    dismiss: (why: string) =>
      send.mutate([{ key: "dismiss", answer: { answer: "dismiss", why }, isForAll: false }]),
  };
}

interface ReviewDockProps {
  readonly order: Order;
  readonly preview: Preview;
  /** True if typed answers can be saved while other reasons are open. */
  readonly canSave: boolean;
  readonly isBusy: boolean;
  readonly issue: () => void;
  readonly save: () => void;
  readonly dismiss: (why: string) => void;
}

/**
 * Two buttons: dismiss and the main action. The main one is never disabled: with open reasons it leads to the
 * first.
 */
export function ReviewDock(props: ReviewDockProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [isDismissing, setDismissing] = useState(false);
  const { order, preview, canSave, isBusy, issue, save, dismiss } = props;
  const left = preview.reasons.filter(isOpen).length;
  if (isReadOnly) {
    return (
      <Card>
        <p className={`${partStyles.dock} muted`}>{say("error.readonly")}</p>
      </Card>
    );
  }
  return (
    <Card>
      <div className={partStyles.dock}>
        <Button
          {...(own.quiet ? { className: own.quiet } : {})}
          variant="subtle"
          color="gray"
          onClick={() => setDismissing(true)}
        >
          {say(order.documents.length > 0 ? "review.dismiss.after" : "review.dismiss")}
        </Button>
        <div className={`end ${own.first}`}>
          {left > 0 && <span className="muted small">{say("review.pending", { n: left })}</span>}
          {left > 0 && canSave && (
            <Button variant="default" loading={isBusy} onClick={save}>
              {say("review.issue.save")}
            </Button>
          )}
          <Button loading={isBusy} onClick={left > 0 ? goToFirstOpen : issue}>
            {verbOf(props, say)}
          </Button>
        </div>
      </div>
      <DismissDialog
        title={say("review.dismiss.title", { order: nameOf({ orderId: order.orderId, ...order.facts }) })}
        isOpen={isDismissing}
        isBusy={isBusy}
        close={() => setDismissing(false)}
        dismiss={dismiss}
      />
    </Card>
  );
}

function verbOf({ order, preview }: ReviewDockProps, say: Say): string {
  const [annulled] = preview.annulled;
  if (annulled !== undefined) return say("review.issue.annul", { number: annulled });
  if (preview.drafts.some(({ kind }) => kind === "rectification")) return say("review.issue.rectify");
  if (preview.drafts.length > 0) return say("review.issue");
  const isFirst = order.documents.length === 0;
  return say(isFirst && preview.state === "held" ? "review.issue" : "review.issue.settle");
}
