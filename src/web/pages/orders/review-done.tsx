import { Button, Card } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { Link } from "react-router";
import { HOLDING_REASONS } from "../../../domain/order/reasons.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { oneOf } from "../../parts/filters/known.ts";
import { useKnownParams } from "../../parts/filters/known-params.ts";
import { money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import {
  type Neighbour,
  type Order,
  type OrderPlace,
  type ReviewFilter,
  type sendAnswers,
  useNeighbours,
} from "./queries.ts";
import { nameOf, stateWord } from "./shown.ts";

export interface OrderProps {
  readonly order: Order;
  readonly place: OrderPlace;
}

export interface Done {
  readonly saved: Awaited<ReturnType<typeof sendAnswers>>;
  /** The number of documents before. */
  readonly documentsBefore: number;
}

/** The filter of the last list is in the address: the next order comes from that list. */
export function useReviewNeighbours({ order, place }: OrderProps) {
  const parameters = useKnownParams({ reason: oneOf(HOLDING_REASONS) });
  const of = parameters.get("connection") ?? undefined;
  // The API checks the values in the address.
  const reason = (parameters.get("reason") ?? undefined) as ReviewFilter["reason"];
  const neighbours = useNeighbours({ place, due: order.dueDate, reason, of });
  return {
    neighbours: neighbours.data,
    query: parameters.toString(),
    isWhole: of === undefined && reason === undefined,
  };
}

export function useAddressOf(query: string) {
  const { account } = useCompany();
  return ({ connectionId, orderId }: Neighbour) =>
    `${paths.reviewOne(account.id, connectionId, orderId)}${query === "" ? "" : `?${query}`}`;
}

/** The result, and the way on. */
export function DoneCard({ done, order, place }: OrderProps & { readonly done: Done }) {
  const say = useWords();
  const { account } = useCompany();
  const { neighbours, query } = useReviewNeighbours({ order, place });
  const addressOf = useAddressOf(query);
  const { documents, state } = done.saved;
  const newest = documents.length > done.documentsBefore ? documents.at(-1) : undefined;
  const text =
    newest && newest.state !== "cancelled"
      ? say("review.done", { number: newest.fullNumber, total: money(newest.total, newest.currency) })
      : say("review.done.settled", { state: stateWord(state, say).toLowerCase() });
  return (
    <Card>
      <div className={own.done} role="status">
        <IconCircleCheck size={20} aria-hidden />
        <span>{text}</span>
        <Link to={paths.order(account.id, place.connection, place.order)}>
          {say("order.title", { order: nameOf({ orderId: order.orderId, ...order.facts }) })}
        </Link>
        {neighbours?.next ? (
          <Button component={Link} to={addressOf(neighbours.next)}>
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

export function NotHeld({ order, place }: OrderProps) {
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
