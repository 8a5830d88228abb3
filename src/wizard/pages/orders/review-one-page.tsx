import { Button, Card } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconChevronLeft, IconChevronRight, IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { useSave } from "../../parts/save.ts";
import { Section } from "../../parts/section.tsx";
import { count, dayOfMonth, longDate, money, time } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import { OrderFacts } from "./order-facts.tsx";
import {
  type Neighbour,
  ORDERS,
  type Order,
  type OrderPlace,
  type Preview,
  type ReviewFilter,
  type ShownReason,
  sendAnswers,
  useCounts,
  useNeighbours,
  useOrder,
  usePreview,
} from "./queries.ts";
import { RawData } from "./raw-data.tsx";
import { ReasonList } from "./reason-list.tsx";
import { ReviewDock } from "./review-dock.tsx";
import { nameOf, shopOf, stateWord } from "./shown.ts";
import { keyedAnswers, refusalsByReason, type TypedByReason, withAnswered } from "./typed-answers.ts";
import { WouldBe } from "./would-be.tsx";

/** One order that waits: why, what the shop sent, what would result, and the one button. */
export function ReviewOnePage() {
  const { connection = "", order = "" } = useParams();
  return <ReviewOne key={`${connection} ${order}`} place={{ connection, order }} />;
}

type Done = Awaited<ReturnType<typeof sendAnswers>>;

function ReviewOne({ place }: { readonly place: OrderPlace }) {
  const order = useOrder(place);
  const [done, setDone] = useState<Done>();
  if (order.isError) return <ErrorCard error={order.error} retry={() => void order.refetch()} />;
  if (!order.data) return <Loading rows={6} />;
  return (
    <>
      <ReviewHead order={order.data} place={place} />
      <div className="stack">
        {done && <DoneCard done={done} order={order.data} place={place} />}
        {!done && order.data.state === "held" && (
          <Deciding order={order.data} place={place} onDone={setDone} />
        )}
        {!done && order.data.state !== "held" && <NotHeld order={order.data} place={place} />}
      </div>
    </>
  );
}

interface OrderProps {
  readonly order: Order;
  readonly place: OrderPlace;
}

/** What one came from stands in the address: what is next is next in that list. */
function useBeside({ order, place }: OrderProps) {
  const [parameters] = useSearchParams();
  const of = parameters.get("connection") ?? undefined;
  // Whatever stands in an address is checked by the API.
  const reason = (parameters.get("reason") ?? undefined) as ReviewFilter["reason"];
  const beside = useNeighbours({ place, due: order.dueDate, reason, of });
  return {
    beside: beside.data,
    query: parameters.toString(),
    isWhole: of === undefined && reason === undefined,
  };
}

function useAddressOf(query: string) {
  const { account } = useCompany();
  return ({ connectionId, orderId }: Neighbour) =>
    `${paths.reviewOne(account.id, connectionId, orderId)}${query === "" ? "" : `?${query}`}`;
}

function ReviewHead({ order, place }: OrderProps) {
  const say = useWords();
  const { account } = useCompany();
  const { beside, query, isWhole } = useBeside({ order, place });
  const addressOf = useAddressOf(query);
  const counts = useCounts();
  const total = counts.data && isWhole ? count(counts.data.waiting) : "";
  const isPlaced = beside !== undefined && total !== "" && order.state === "held";
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
      {...(isPlaced ? { place: say("review.place", { place: count(beside.place), total }) } : {})}
    >
      {beside?.previous && (
        <Button
          component={Link}
          to={addressOf(beside.previous)}
          variant="default"
          leftSection={<IconChevronLeft size={18} aria-hidden />}
        >
          {say("review.previous.one")}
        </Button>
      )}
      {beside?.next && (
        <Button
          component={Link}
          to={addressOf(beside.next)}
          variant="default"
          rightSection={<IconChevronRight size={18} aria-hidden />}
        >
          {say("review.next.one")}
        </Button>
      )}
    </PageHead>
  );
}

/** The reasons of the last preview, and with them those that were answered before. */
interface Seen {
  readonly last: Preview["reasons"];
  readonly all: readonly ShownReason[];
}

const TYPING_MS = 300;

function Deciding({ order, place, onDone }: OrderProps & { readonly onDone: (done: Done) => void }) {
  const say = useWords();
  const [typed, setTyped] = useState<TypedByReason>({});
  const [seen, setSeen] = useState<Seen>({ last: [], all: [] });
  const answers = keyedAnswers(typed, seen.last);
  const [asked] = useDebouncedValue(answers, TYPING_MS);
  const preview = usePreview(
    place,
    asked.map(({ answer }) => answer),
  );
  // To approve is among the answers where a reason asks for it: the preview says so first.
  const told = preview.data?.reasons;
  if (told && told !== seen.last) setSeen({ last: told, all: withAnswered(told, seen.all, typed) });
  const acts = useActs({ order, place }, { answers, preview: preview.data, onDone });
  if (preview.isError) return <ErrorCard error={preview.error} retry={() => void preview.refetch()} />;
  if (!preview.data) return <Loading rows={6} />;
  const isFading = preview.isPlaceholderData || JSON.stringify(asked) !== JSON.stringify(answers);
  return (
    <>
      <ReasonList
        order={order}
        place={place}
        reasons={seen.all}
        choices={preview.data.choices}
        typed={typed}
        refusals={preview.isPlaceholderData ? {} : refusalsByReason(asked, preview.data.refusals)}
        change={(key, one) => setTyped((before) => ({ ...before, [key]: one }))}
      />
      <div className={own.pair}>
        <Section title={say("review.facts")} flush>
          <OrderFacts order={order}>
            <RawData place={place} />
          </OrderFacts>
        </Section>
        <WouldBe order={order} preview={preview.data} isFading={isFading} />
      </div>
      <ReviewDock
        order={order}
        preview={preview.data}
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
  readonly onDone: (done: Done) => void;
}

/** All answers go together: nothing is issued between two of them. */
function useActs({ place }: OrderProps, { answers, preview, onDone }: Acting) {
  const say = useWords();
  const { account } = useCompany();
  const refused = new Set(preview?.refusals.map(({ index }) => index));
  const fitting = answers.filter(({ key }, index) => key !== "approve" && !refused.has(index));
  const send = useSave({
    send: (given: Acting["answers"]) => {
      const forAll = given.flatMap(({ isForAll }, index) => (isForAll ? [index] : []));
      const profile = preview?.choices.profileId;
      return sendAnswers(account.id, place, {
        answers: given.map(({ answer }) => answer),
        ...(forAll.length > 0
          ? { for_all: { answers: forAll, ...(profile === undefined ? {} : { profile_id: profile }) } }
          : {}),
      });
    },
    refresh: [[account.id, ORDERS]],
    onSaved: (saved) => {
      if (saved.state === "held") notifications.show({ message: say("review.saved"), color: "tinta" });
      else onDone(saved);
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

/** What happened, and the way on. */
function DoneCard({ done, order, place }: OrderProps & { readonly done: Done }) {
  const say = useWords();
  const { account } = useCompany();
  const { beside, query } = useBeside({ order, place });
  const addressOf = useAddressOf(query);
  const newest = done.documents.at(-1);
  const isNew = newest !== undefined && done.documents.length > order.documents.length - 1;
  const text =
    newest && isNew && newest.state !== "cancelled"
      ? say("review.done", { number: newest.fullNumber, total: money(newest.total, newest.currency) })
      : say("review.done.settled", { state: stateWord(done.state, say).toLowerCase() });
  return (
    <Card>
      <div className={own.done} role="status">
        <IconCircleCheck size={20} aria-hidden />
        <span>{text}</span>
        <Link to={paths.order(account.id, place.connection, place.order)}>
          {say("order.title", { order: nameOf({ orderId: order.orderId, ...order.facts }) })}
        </Link>
        {beside?.next ? (
          <Button component={Link} to={addressOf(beside.next)}>
            {say("review.next")}
          </Button>
        ) : (
          <Button component={Link} to={paths.review(account.id)} variant="default">
            {say("review.back")}
          </Button>
        )}
      </div>
    </Card>
  );
}

function NotHeld({ order, place }: OrderProps) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <Card>
      <div className={own.done}>
        <IconCircleCheck size={20} aria-hidden />
        <span>{say("review.not_held", { state: stateWord(order.state, say).toLowerCase() })}</span>
        <Button
          component={Link}
          to={paths.order(account.id, place.connection, place.order)}
          variant="default"
        >
          {say("order.title", { order: nameOf({ orderId: order.orderId, ...order.facts }) })}
        </Button>
      </div>
    </Card>
  );
}
