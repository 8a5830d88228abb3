import type { OrderContext } from "./context.ts";
import { orderDateOf } from "./dates.ts";
import type { OrderState } from "./decision.ts";
import type { OrderFacts } from "./facts.ts";
import { because, NOT_STATED, type Reason } from "./reasons.ts";

/** An end of the ladder before the order's amounts are read. */
export interface Stop {
  readonly state: OrderState;
  readonly reasons: readonly Reason[];
}

/** The only connections that submit orders. */
export function takesOrders(connectionKind: string): boolean {
  return connectionKind === "commerce" || connectionKind === "api";
}

/** The first condition that stops an order from getting its first invoice. */
export function stopAtGates(context: OrderContext): Stop | undefined {
  // For a returned order the owner has decided all of this.
  if (context.history.generation > 1) return withoutConsent(context);
  return (
    notACandidate(context) ??
    withoutConsent(context) ??
    beforeCutoff(context) ??
    otherStore(context) ??
    test(context) ??
    cancelled(context) ??
    dismissed(context)
  );
}

/** A full invoice is an invoice too. */
export function asksForInvoice({ isCandidate, asksFullInvoice }: OrderFacts): boolean {
  return isCandidate || asksFullInvoice;
}

export function isCancelled(facts: OrderFacts): boolean {
  return facts.isCancelled || facts.events.some(({ type }) => type === "cancellation" || type === "void");
}

/** The order's status, if the connector has mapped it to a cancelled order. */
export function cancelledStatus({ facts, settings }: OrderContext): string | undefined {
  const { status } = facts;
  if (status === undefined || !Object.hasOwn(settings.statuses, status)) return undefined;
  const known = settings.statuses[status];
  return known?.cancelled ? known.name : undefined;
}

/** A test order that requests no invoice is still reported as a test. */
function notACandidate(context: OrderContext): Stop | undefined {
  const { facts } = context;
  const isOver = isCancelled(facts) || cancelledStatus(context) !== undefined;
  if (asksForInvoice(facts) || isOver) return undefined;
  return test(context) ?? { state: "stored", reasons: [because("not_a_candidate")] };
}

function withoutConsent({ issuer, settings }: OrderContext): Stop | undefined {
  if (issuer.consented) return undefined;
  return { state: "deferred", reasons: [because("deferred", { connection: settings.connectionName })] };
}

function beforeCutoff(context: OrderContext): Stop | undefined {
  const { answers, settings } = context;
  const { cutoffDate } = settings;
  const orderDate = orderDateOf(context);
  if (answers.released || orderDate >= cutoffDate) return undefined;
  const facts = { order_date: { date: orderDate }, cutoff_date: { date: cutoffDate } };
  return { state: "before_cutoff", reasons: [because("before_cutoff", facts)] };
}

/** An order that names no store is in none of those selected. */
function otherStore({ facts, settings }: OrderContext): Stop | undefined {
  const { selectedStores } = settings;
  if (selectedStores === null || selectedStores === "all") return undefined;
  if (facts.storeId !== undefined && selectedStores.includes(facts.storeId)) return undefined;
  const reason = because("store_not_selected", { store: facts.storeId ?? NOT_STATED });
  return { state: "store_not_selected", reasons: [reason] };
}

/** A test of the shop, until the owner declares it a sale. */
function test({ facts, answers }: OrderContext): Stop | undefined {
  if (facts.isTest !== true || answers.testReleased === true) return undefined;
  return { state: "stored", reasons: [because("test_order")] };
}

function cancelled(context: OrderContext): Stop | undefined {
  if (!isCancelled(context.facts) && cancelledStatus(context) === undefined) return undefined;
  return { state: "cancelled", reasons: [because("cancelled_before_invoice")] };
}

function dismissed({ answers }: OrderContext): Stop | undefined {
  return answers.dismissed ? { state: "stored", reasons: [because("dismissed")] } : undefined;
}
