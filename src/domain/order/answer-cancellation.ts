import { isNothing } from "../invoice/tax-groups.ts";
import type { IssuedForOrder, OrderContext } from "./context.ts";
import { inForceOf, targetOf } from "./decide-after.ts";
import type { CorrectionEvent } from "./facts.ts";
import { isOver } from "./generation.ts";
import { canonicalEventId } from "./order-origin.ts";
import { balancesOf, remainingIn } from "./take-back.ts";

const OWNER_CANCELLATION = "owner:cancellation";

/**
 * The cancellation that the owner adds to the events of the shop. It has an id like any other, so it acts
 * once: a second one is possible only after the rectification of the first was annulled. Undefined where one
 * has been asked for already.
 */
export function ownerCancellation(context: OrderContext): CorrectionEvent | undefined {
  const { answers, history } = context;
  const own = answers.events.filter(({ type }) => type === "cancellation");
  const isWaiting = own.some(
    (event) => !isOver(context, event) && !history.acted.some(({ id }) => id === event.id),
  );
  const target = correctedInvoice(context);
  const isDone = own.length > 0 && (!target || !isSomethingLeft(target));
  if (isWaiting || isDone) return undefined;
  return { id: freeId(context, own.length + 1), type: "cancellation", lines: [] };
}

/** A shop may call its events whatever it likes, also like ours. */
function freeId({ facts, history }: OrderContext, ordinal: number): string {
  const taken = new Set([...facts.events, ...history.acted].map(({ id }) => canonicalEventId(id)));
  const idOf = (number: number) => (number === 1 ? OWNER_CANCELLATION : `${OWNER_CANCELLATION}:${number}`);
  let free = ordinal;
  while (taken.has(idOf(free))) free += 1;
  return idOf(free);
}

/** The invoice that the customer has; annulled, if there is no other. */
export function invoiceInForce(context: OrderContext): IssuedForOrder | undefined {
  const { invoice } = context.history;
  return invoice && inForceOf(context, invoice);
}

/** The invoice that corrections act on. */
export function correctedInvoice(context: OrderContext): IssuedForOrder | undefined {
  const { invoice } = context.history;
  return invoice && targetOf(context, invoice);
}

export function isSomethingLeft({ rectifiable }: IssuedForOrder): boolean {
  return balancesOf(rectifiable).some((balance) => !isNothing(remainingIn(balance)));
}
