import type { OrdersWanted } from "../../db/order-state.ts";
import type { RateKey } from "../../db/rates/rate-for.ts";
import { referenceDay } from "../../domain/exchange/reference-day.ts";
import type { OrderAnswer } from "../../domain/order/answers/table.ts";
import { type NormalizedOrder, normalizeOrder } from "../../domain/order/normalize-order.ts";
import type { TimeZone } from "../../domain/shared/instant.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";
import type { OrderSubmission } from "./order-outcomes.ts";

/** What is asked about one order of a connection. */
export type OrderInstruction =
  | { readonly kind: "submit"; readonly submission: OrderSubmission; readonly requestId: string }
  /** Because what it was decided under has changed; by itself, or because its owner asks. */
  | {
      readonly kind: "again";
      readonly idExternal: string;
      readonly requestId: string;
      /** The owner who asks. */
      readonly userId?: string;
    }
  | ({ readonly kind: "answer" } & OwnerAnswering)
  | ({ readonly kind: "together" } & OwnerAnsweringTogether)
  | ({ readonly kind: "preview" } & OrderPreviewing);

export interface OwnerAnswering {
  readonly userId: string;
  readonly idExternal: string;
  readonly answer: OrderAnswer;
  readonly requestId: string;
}

/** Several answers at once: the order is decided after the last of them. */
export interface OwnerAnsweringTogether extends Omit<OwnerAnswering, "answer"> {
  readonly answers: readonly OrderAnswer[];
}

/** What would come of these answers. */
export type OrderPreviewing = Omit<OwnerAnsweringTogether, "userId">;

/** A submission as the issuer's zone reads it. */
export interface ReadSubmission extends NormalizedOrder {
  readonly sent: string;
  readonly sentSha256: string;
}

export function readSubmission({ sent, asSent }: OrderSubmission, zone: TimeZone): ReadSubmission {
  return { ...normalizeOrder(sent, zone), sent: asSent, sentSha256: sha256Hex(asSent) };
}

export function orderIdOf(instruction: OrderInstruction): string {
  return instruction.kind === "submit" ? instruction.submission.sent.idExternal : instruction.idExternal;
}

/** The rate that an order is converted by; none in euros. */
export function rateKeyOf({
  currency,
  paidAt,
}: {
  readonly currency: string;
  readonly paidAt: number;
}): RateKey | undefined {
  return currency === "EUR" ? undefined : { day: referenceDay(paidAt), currency };
}

/** All that a group needs to be read; what its orders need as they are stored comes with their rows. */
export function wantedBy(group: readonly OrderInstruction[], zones: readonly TimeZone[]): OrdersWanted {
  const received = group.flatMap((instruction) =>
    instruction.kind === "submit"
      ? zones.map((zone) => normalizeOrder(instruction.submission.sent, zone).facts)
      : [],
  );
  return {
    ids: [...new Set(group.map(orderIdOf))],
    rates: received.flatMap((facts) => rateKeyOf(facts) ?? []),
    statuses: received.flatMap(({ status }) => status ?? []),
  };
}
