import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Database, fromOwnJson } from "../../db/database.ts";
import {
  originsOfOrders,
  selectActing,
  selectActsOn,
  selectCorrections,
  selectInvoices,
  storedInvoices,
} from "../../db/invoices/invoice-reads.ts";
import type { StoredInvoice, StoredOrder } from "../../db/ledger-state.ts";
import { selectOrders, storedOrder } from "../../db/orders/order-reads.ts";
import { connection } from "../../db/schema/ledger.ts";
import { shopOrder, shopOrderSent } from "../../db/schema/orders.ts";
import { auditLog, shopStore } from "../../db/schema/shop.ts";
import { annulmentsOf } from "../../domain/invoice/invoice-view.ts";
import { isAsSold, type OrderFacts } from "../../domain/order/facts.ts";
import { identityOf } from "../../domain/order/order-totals.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import { isZero } from "../../domain/shared/decimal.ts";
import { type Instant, instantOf } from "../../domain/shared/instant.ts";

/** Shown changes per order: the oldest ones. */
const MOST_CHANGES = 100;

export function orderDetailReads(db: Database): OrderDetailReads {
  return {
    async read(accountId, connectionId, idExternal) {
      const ids = ofAccount(accountId, connectionId, idExternal);
      const origins = originsOfOrders(connectionId, ids);
      const [orders, [frame], changes, invoices, corrections, acting, actsOn] = await db.batch([
        selectOrders(db, connectionId, ids),
        selectFrame(db, accountId, connectionId, idExternal),
        selectChanges(db, accountId, connectionId, idExternal),
        selectInvoices(db, connectionId, origins),
        selectCorrections(db, connectionId, origins),
        selectActing(db, connectionId, origins),
        selectActsOn(db, connectionId, origins),
      ]);
      const [order] = orders;
      if (!order || !frame) return undefined;
      const { store, ...rest } = frame;
      return {
        order: storedOrder(order),
        ...rest,
        ...(store === null ? {} : { store }),
        invoices: storedInvoices({ invoices, corrections, acting, actsOn }),
        changes: changes.slice(0, MOST_CHANGES).map(orderChange),
        hasMoreChanges: changes.length > MOST_CHANGES,
      };
    },
    async sent(accountId, connectionId, idExternal) {
      const [row] = await db
        .select({ sent: shopOrderSent.sent })
        .from(shopOrderSent)
        .innerJoin(connection, isOurs(accountId, connectionId))
        .where(and(eq(shopOrderSent.connectionId, connectionId), eq(shopOrderSent.idExternal, idExternal)));
      return row?.sent;
    },
  };
}

function isOurs(accountId: string, connectionId: string) {
  return and(eq(connection.id, connectionId), eq(connection.accountId, accountId));
}

/** The order's id, or no row if the connection belongs to another account. */
function ofAccount(accountId: string, connectionId: string, idExternal: string): SQL {
  return sql`SELECT ${idExternal} AS id WHERE EXISTS
    (SELECT 1 FROM ${connection} WHERE ${isOurs(accountId, connectionId)})`;
}

function selectFrame(db: Database, accountId: string, connectionId: string, idExternal: string) {
  return db
    .select({
      connection: connection.name,
      store: sql<string | null>`coalesce(${shopStore.name}, ${shopOrder.storeId})`.as("store"),
      createdAt: shopOrder.createdAt,
      changedAt: shopOrder.changedAt,
    })
    .from(shopOrder)
    .innerJoin(connection, isOurs(accountId, connectionId))
    .leftJoin(
      shopStore,
      and(eq(shopStore.connectionId, shopOrder.connectionId), eq(shopStore.storeId, shopOrder.storeId)),
    )
    .where(and(eq(shopOrder.connectionId, connectionId), eq(shopOrder.idExternal, idExternal)));
}

function selectChanges(db: Database, accountId: string, connectionId: string, idExternal: string) {
  return db
    .select({ at: auditLog.at, userId: auditLog.userId, verb: auditLog.verb, facts: auditLog.facts })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.connectionId, connectionId),
        eq(auditLog.orderId, idExternal),
        eq(auditLog.accountId, accountId),
      ),
    )
    .orderBy(auditLog.at)
    .limit(MOST_CHANGES + 1);
}

function orderChange({
  facts,
  ...change
}: Omit<OrderChange, "facts"> & { readonly facts: string }): OrderChange {
  return { ...change, facts: fromOwnJson(facts) };
}

/** One order with its history. */
export interface OrderRead {
  readonly order: StoredOrder;
  readonly connection: string;
  readonly store?: string;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  readonly invoices: readonly StoredInvoice[];
  /** The owner's changes, oldest first. */
  readonly changes: readonly OrderChange[];
  readonly hasMoreChanges: boolean;
}

interface OrderChange {
  readonly at: Instant;
  readonly userId: string;
  readonly verb: string;
  readonly facts: Readonly<Record<string, string>>;
}

export interface OrderDetailReads {
  read(accountId: string, connectionId: string, idExternal: string): Promise<OrderRead | undefined>;
  /** The newest body, exactly as the connector sent it. */
  sent(accountId: string, connectionId: string, idExternal: string): Promise<string | undefined>;
}

export type OrderStep = { readonly at: Instant } & (
  | { readonly step: "received" }
  | ({ readonly step: "issued" | "annulled" } & IssuedDocument)
  | { readonly step: "deed"; readonly deed: OrderChange }
  /** The current decision. */
  | { readonly step: "decided" }
);

interface IssuedDocument {
  readonly invoiceId: string;
  readonly fullNumber: string;
  readonly invoiceType: string;
}

/** Newest first: the last step is the current state. */
export function storyOf({ createdAt, changedAt, invoices, changes }: OrderRead): OrderStep[] {
  const steps: OrderStep[] = [
    { at: createdAt, step: "received" },
    ...invoices.flatMap(stepsOfInvoice),
    ...changes.map((change) => ({ at: change.at, step: "deed", deed: change }) as const),
    { at: changedAt, step: "decided" },
  ];
  return steps.toSorted((a, b) => inSeconds(a) - inSeconds(b) || rankOf(a) - rankOf(b)).toReversed();
}

/** Record times have whole seconds; within one second the steps follow `TURN`. */
function inSeconds({ at }: OrderStep): number {
  return Math.floor(at / 1000);
}

const TURN = ["received", "deed", "issued", "annulled", "decided"];

function rankOf({ step }: OrderStep): number {
  return TURN.indexOf(step);
}

function stepsOfInvoice({ view }: StoredInvoice): OrderStep[] {
  const { invoiceId, fullNumber, document, alta } = view;
  const issued = { invoiceId, fullNumber, invoiceType: document.request.invoiceType };
  const at = (generatedAt: string) => instantOf(generatedAt);
  return [
    { at: at(alta.record.content.generatedAt), step: "issued", ...issued },
    ...annulmentsOf(view)
      .slice(0, 1)
      .map(({ record }) => ({ at: at(record.content.generatedAt), step: "annulled", ...issued }) as const),
  ];
}

/** The order's lines and discounts add up to its total, as read now or as invoiced. */
export function addsUp({ facts, reasons, answers, soldFingerprint }: StoredOrder): boolean {
  if (reasons.some(({ code }) => code === "totals_mismatch")) return false;
  if (isSum(facts, answers.sales.discountsIncluded ?? false) || isSum(facts, true)) return true;
  return soldFingerprint !== undefined && isAsSold(soldFingerprint, facts);
}

function isSum(facts: OrderFacts, discountsIncluded: boolean): boolean {
  return isZero(identityOf(facts, { discountsIncluded }).difference);
}

/** A reason as the owner's form shows it: a settled reason keeps its place. */
interface AnsweredReason {
  readonly reason: Reason;
  readonly isSettled: boolean;
}

/** The earlier reasons, settled or current, followed by the reasons that the answers added. */
export function answeredReasons(before: readonly Reason[], after: readonly Reason[]): AnsweredReason[] {
  const left = Map.groupBy(after, reasonIdentity);
  const known = before.map((reason) => {
    const current = left.get(reasonIdentity(reason))?.shift();
    return { reason: current ?? reason, isSettled: current === undefined };
  });
  const fresh = [...left.values()].flat();
  return [...known, ...fresh.map((reason) => ({ reason, isSettled: false }))];
}

function reasonIdentity({ code, about = "" }: Reason): string {
  return `${code} ${about}`;
}
