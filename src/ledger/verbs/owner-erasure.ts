import type { ErasureAsked, ErasureReading, OrderToErase } from "../../db/erasure-state.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { keptUntil } from "../../domain/retention/keeping.ts";
import { type CivilDate, laterOf, yearOf } from "../../domain/shared/civil-date.ts";
import { type OwnerDecision, refused, UNCHANGED, write } from "./owner-decision.ts";
import type { ErasureRequest } from "./owner-request.ts";

export function askedBy(request: ErasureRequest): ErasureAsked {
  return request.verb === "erase_client" ? { clientId: request.clientId } : { orderId: request.orderId };
}

/** Articles 17.1 and 17.3.b of the GDPR: what nothing obliges to keep goes, what the law has kept stays. */
export function decideErasure(request: ErasureRequest, reading: ErasureReading): OwnerDecision {
  switch (request.verb) {
    case "erase_order":
      return eraseOrder(request.orderId, reading);
    case "erase_client":
      return eraseClient(request.clientId, reading);
    case "admit_order":
      return admitOrder(request.orderId, reading);
  }
}

/** Of an order that an invoice was issued for, until when that has to be kept. */
export function keptOf({ invoices }: OrderToErase): CivilDate | undefined {
  const days = invoices.map(({ issueDate, hasOneStopShop }) => keptUntil(yearOf(issueDate), hasOneStopShop));
  const [first, ...others] = days;
  return first && others.reduce(laterOf, first);
}

function eraseOrder(orderId: string, { orders: [order], erased }: ErasureReading): OwnerDecision {
  if (order) {
    if (order.invoices.length > 0) return kept([order]);
    return write({ deed: "erase", orders: [orderId] }, { order: orderId });
  }
  return erased ? UNCHANGED : refused(refuse("nothing_to_erase", {}, "id").error);
}

/** The line of the log counts, and names nobody. Where nothing is left it was done before. */
function eraseClient(clientId: string, { orders, isClientKnown }: ErasureReading): OwnerDecision {
  const erasable = orders.filter(({ invoices }) => invoices.length === 0);
  const staying = orders.filter(({ invoices }) => invoices.length > 0);
  if (erasable.length === 0 && !isClientKnown) {
    return staying.length > 0 ? kept(staying) : UNCHANGED;
  }
  const deed = { deed: "erase", orders: erasable.map(({ idExternal }) => idExternal), clientId } as const;
  return write(deed, { orders: String(erasable.length), kept: String(staying.length) });
}

/** An order that had an invoice is never admitted again: it would get a second one. */
function admitOrder(orderId: string, { erased }: ErasureReading): OwnerDecision {
  if (!erased) return UNCHANGED;
  if (erased.because === "retention") return refused(refuse("order_stays_erased", {}, "id").error);
  return write({ deed: "admit_order", orderId }, { order: orderId });
}

function kept(orders: readonly OrderToErase[]): OwnerDecision {
  const numbers = orders.flatMap(({ invoices }) => invoices.map(({ number }) => number));
  const days = orders.flatMap((order) => keptOf(order) ?? []);
  const until = days.reduce(laterOf);
  return refused(refuse("erasure_not_allowed", { numbers: { all: numbers }, until: { date: until } }).error);
}
