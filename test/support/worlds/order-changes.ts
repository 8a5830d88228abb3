import { env } from "cloudflare:workers";
import type { OrderAnswer } from "../../../src/domain/order/answers/table.ts";
import type { Ledger } from "../../../src/ledger/core/ledger.ts";
import type { TripCount } from "../../../src/ledger/core/outcomes.ts";
import type {
  AnswerOutcome,
  OwnerAnswering,
  ReadOrderOutcome,
} from "../../../src/ledger/orders/order-outcomes.ts";
import type { ConnectorCalls } from "../../../src/ledger/rpc.ts";
import { A_RECIPIENT } from "../builders/requests.ts";
import { gate } from "../faults/fault-kinds.ts";
import { faults, type SqlPredicate } from "../faults/faults.ts";
import {
  A_SENT_COMPANY,
  aSentLine,
  aSentOrder,
  aSentRefund,
  type Connector,
  openCommerce,
  orderConnector,
  orderIn,
  type SentBody,
} from "./order-calls.ts";
import { answerOrder, MARTA } from "./owners.ts";
import type { Shop, ShopOptions } from "./shop.ts";

/** Changes of orders by connectors and owners, each with its result, to be tried with every fault. */

/** A connector and an owner, and every answer that they were given. */
export interface Dealing extends Connector {
  /** In the order in which they came. */
  readonly answers: readonly (AnswerOutcome | ReadOrderOutcome)[];
  answer(idExternal: string, answer: OrderAnswer): Promise<AnswerOutcome & TripCount>;
}

/** Calls the object of the shop, through a fresh stub each time. */
export function dealing(shop: Shop): Dealing {
  return heardBy(orderConnector(shop), (idExternal, answer) => answerOrder(shop, idExternal, answer));
}

/** Calls a `Ledger` of the test's own. */
export function dealingWith(shop: Shop, ledger: Ledger): Dealing {
  return heardBy(orderConnector(shop, ledger), (idExternal, answer) =>
    ledger.answerOrder(shop.connectionId, asOwner(idExternal, answer)),
  );
}

/** Calls an object that is not named after the shop. */
export function dealingThrough(
  shop: Shop,
  object: ConnectorCalls & {
    answerOrder(connectionId: string, answering: OwnerAnswering): Promise<AnswerOutcome & TripCount>;
  },
): Dealing {
  return heardBy(orderConnector(shop, object), (idExternal, answer) =>
    object.answerOrder(shop.connectionId, asOwner(idExternal, answer)),
  );
}

function asOwner(idExternal: string, answer: OrderAnswer): OwnerAnswering {
  return { userId: MARTA, idExternal, answer, requestId: "test-answer" };
}

function heardBy(connector: Connector, answer: Dealing["answer"]): Dealing {
  const answers: (AnswerOutcome | ReadOrderOutcome)[] = [];
  const heard = async <T extends AnswerOutcome | ReadOrderOutcome>(told: Promise<T>): Promise<T> => {
    const outcome = await told;
    answers.push(outcome);
    return outcome;
  };
  return {
    shop: connector.shop,
    answers,
    send: (body) => heard(connector.send(body)),
    preview: (body) => heard(connector.preview(body)),
    events: (idExternal, body) => heard(connector.events(idExternal, body)),
    read: (idExternal) => heard(connector.read(idExternal)),
    answer: (idExternal, given) => heard(answer(idExternal, given)),
  };
}

/** The same, about orders of its own. */
export function withSuffix(suffix: string, dealing: Dealing): Dealing {
  const { shop, answers, send, preview, events, read, answer } = dealing;
  const own = (body: SentBody): SentBody => ({ ...body, id_external: `${body.id_external}${suffix}` });
  return {
    shop,
    answers,
    send: (body) => send(own(body)),
    preview: (body) => preview(own(body)),
    events: (idExternal, body) => events(`${idExternal}${suffix}`, body),
    read: (idExternal) => read(`${idExternal}${suffix}`),
    answer: (idExternal, given) => answer(`${idExternal}${suffix}`, given),
  };
}

/** Above the limit of simplified invoices, without a recipient for a full one. */
export const HELD: SentBody = { total: 1210, breakdown: [aSentLine(1000, 210, 21)] };
export const COMPLETE: SentBody = { ...HELD, client: A_SENT_COMPANY };
export const REFUNDED: SentBody = { correction_events: [aSentRefund("r1", 10, 2.1, 21)] };
export const FULL: SentBody = { fiscal_event: "full_invoice_requested", client: A_SENT_COMPANY };
export const CANCELLED: SentBody = { fiscal_event: "cancelled" };
export const VOID: SentBody = { correction_events: [{ id_external_event: "v1", event_type: "void" }] };

export const RECIPIENT: OrderAnswer = {
  answer: "enter_recipient",
  recipient: A_RECIPIENT,
};
export const NO_SALE: OrderAnswer = { answer: "confirm_annulment", eventId: "v1" };

/** Orders for the changes: one invoiced, one held, one declared never to have been a sale. */
export async function sendThree({ send }: Connector): Promise<void> {
  await send(aSentOrder("known"));
  await send(aSentOrder("held", HELD));
  await send(aSentOrder("voided"));
  await send(aSentOrder("voided", VOID));
}

interface Deed {
  readonly id: string;
  readonly act: (dealing: Dealing) => Promise<AnswerOutcome & TripCount>;
  /** In the form of `plainly`. */
  readonly before: string | undefined;
  readonly after: string;
}

function sends(id: string, change: SentBody, before: string | undefined, after: string): Deed {
  return { id, act: ({ send }) => send(aSentOrder(id, change)), before, after };
}

const TICKET = "invoiced F2 121";
const IS_HELD = "held recipient_incomplete";
const FULL_OF_HELD = "invoiced F1 1210";

export const DEEDS: Readonly<Record<string, Deed>> = {
  "a new order that is invoiced": sends("new", {}, undefined, TICKET),
  "a new order that is held": sends("new", HELD, undefined, IS_HELD),
  "a held order that comes complete": sends("held", COMPLETE, IS_HELD, FULL_OF_HELD),
  "a refund": sends("known", REFUNDED, TICKET, "partially_rectified F2 121 R5 -12.1"),
  "a refund without its order": {
    id: "known",
    act: ({ events }) => events("known", REFUNDED),
    before: TICKET,
    after: "partially_rectified F2 121 R5 -12.1",
  },
  "a cancellation": sends("known", CANCELLED, TICKET, "rectified F2 121 R5 -121"),
  "a refund and a full invoice at once": sends(
    "known",
    { ...FULL, ...REFUNDED },
    TICKET,
    "partially_rectified F2 121 R5 -12.1 F3 108.9",
  ),
  "an owner's answer that issues": {
    id: "held",
    act: ({ answer }) => answer("held", RECIPIENT),
    before: IS_HELD,
    after: FULL_OF_HELD,
  },
  "an owner's answer that annuls": {
    id: "voided",
    act: ({ answer }) => answer("voided", NO_SALE),
    before: "held annulment_review F2 121",
    after: "cancelled F2 121 annulled",
  },
};

/** The state with its reasons, and every document with its total, without numbers. */
export function plainly(outcome: AnswerOutcome | ReadOrderOutcome): string | undefined {
  if (outcome.outcome === "unknown") return undefined;
  const { state, reasons, invoices } = orderIn(outcome);
  const documents = invoices.map(
    ({ invoiceType, totals, issued }) =>
      `${invoiceType} ${totals.total}${issued?.state === "cancelled" ? " annulled" : ""}`,
  );
  return [state, ...reasons.map(({ code }) => code), ...documents].join(" ");
}

/** The calls that wait while the batch of `first` is held before them are one group. */
export async function behindFirst<T>(to: Dealing, calls: () => Promise<T>): Promise<T> {
  await to.send(aSentOrder("warm"));
  const held = faults.when(writesOrders, gate());
  const first = to.send(aSentOrder("first"));
  await held.reached();
  const group = calls();
  held.open();
  await first;
  return group;
}

/** The fence alone, with the reads that settle what became of a lost batch. */
export const closes: SqlPredicate = (sql) =>
  sql.some((text) => text.startsWith('insert into "ledger_head"')) &&
  !sql.slice(1).some((text) => text.startsWith("insert"));

/** A trip that asks for orders in order to decide on them, of a ledger that is warm. */
export const readsOrders: SqlPredicate = (sql) =>
  sql.every((text) => text.startsWith("select")) &&
  sql.some((text) => text.includes("from (SELECT value AS id"));

/** Connections with orders that wait for a consent. */

interface Waiting {
  readonly shop: Shop;
  readonly connector: Connector;
}

/** So many orders `o1`, `o2`, ..., sent in that turn, of which the last is the oldest. */
export async function deferredOrders(count: number, options: ShopOptions = {}): Promise<Waiting> {
  const shop = await openCommerce({ ...options, consented: false });
  const connector = orderConnector(shop);
  const bodies = Array.from({ length: count }, (_, index) => aDatedOrder(`o${index + 1}`, count - index));
  await Promise.all(bodies.map((body) => connector.send(body)));
  return { shop, connector };
}

/** On that minute of the first of November, or of the hours after it. */
export function aDatedOrder(idExternal: string, minute: number, change: SentBody = {}): SentBody {
  const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  return aSentOrder(idExternal, { order_date: `2026-11-01 ${time}:00`, ...change });
}

/** Orders in the turn in which they were numbered. */
export async function numberedIn({ connectionId }: Shop): Promise<readonly string[]> {
  const { results } = await env.LEDGER_000.prepare(
    "SELECT origin FROM record WHERE connection_id = ? ORDER BY position",
  )
    .bind(connectionId)
    .all<{ origin: string }>();
  return results.map(({ origin }) => origin.replace("order:", ""));
}

/** `o5 o4 ...` down to the last of them. */
export function downFrom(first: number, last = 1): readonly string[] {
  return Array.from({ length: first - last + 1 }, (_, index) => `o${first - index}`);
}

/** A trip that reads due work. */
export function asksWhatIsDue(sql: readonly string[]): boolean {
  return sql.some((text) => text.includes("'deferred'") && text.startsWith("select"));
}

/** A trip that writes orders. */
export function writesOrders(sql: readonly string[]): boolean {
  return sql.some((text) => text.startsWith('insert into "shop_order"'));
}
