import { sql } from "drizzle-orm";
import { invariant } from "../domain/shared/result.ts";
import { selectIssued, selectShopfront, shopfrontFrom } from "./access/access-reads.ts";
import {
  booksOf,
  lookFrom,
  selectChainHead,
  selectKeys,
  selectProfiles,
  selectSeriesHeads,
  selectSettings,
  selectSettingsVersion,
  selectTagRules,
} from "./book-reads.ts";
import { type Database, databaseOn, rowParameters, rowSelects, rowsOf } from "./database.ts";
import { type EntryStore, entryStore } from "./entries/entry-store.ts";
import { closingFence, type FencedStatement, fence, fenceAbort, fencedBatch } from "./fence.ts";
import {
  bothOrigins,
  citedByNumber,
  citedByOrigin,
  numberedInvoice,
  type Origins,
  originsAround,
  originsById,
  originsOf,
  originsOfOrders,
  selectActing,
  selectActsOn,
  selectCorrections,
  selectInvoices,
  selectNumbered,
  selectRetiredOrigins,
  storedInvoices,
  theseOrigins,
} from "./invoices/invoice-reads.ts";
import { type InvoiceListPage, type InvoiceListQuery, invoiceListReads } from "./invoices/listed-invoices.ts";
import type {
  CommitResult,
  DueOrders,
  DueWorkFound,
  ErasedBecause,
  FindResult,
  InvoiceLookup,
  IssueBatch,
  LoadQuery,
  LoadRequest,
  LoadResult,
  NewInvoice,
  NewRecord,
  OrderStore,
  OrdersFound,
  OrdersQuery,
  OrdersRead,
  OwnerStore,
  ShopStore,
} from "./ledger-state.ts";
import { selectNextMail } from "./mailing/mailing-reads.ts";
import { type MailingStore, mailingStore } from "./mailing/mailing-store.ts";
import { insertMails } from "./mailing/mailing-writes.ts";
import { type OrderListPage, type OrderListQuery, orderListReads } from "./orders/changed-orders.ts";
import {
  dueOrders,
  erasureReads,
  knownStatuses,
  type OrderIds,
  selectErased,
  selectOrderRates,
  selectOrderStatuses,
  selectOrders,
  storedOrder,
  theseOrders,
} from "./orders/order-reads.ts";
import { upsertOrders } from "./orders/order-writes.ts";
import {
  type QuestionStore,
  questionStore,
  selectOpenJob,
  settleQuestions,
} from "./orders/question-store.ts";
import { ownerStore, selectCallbackDueAt } from "./owner-store.ts";
import { keepRates, rateFromRow } from "./rates/rate-store.ts";
import { invoice, invoiceDocument, invoiceLink, record, series } from "./schema/ledger.ts";
import { shopStore } from "./shop/shop-store.ts";
import { insertAudit } from "./shop/shop-writes.ts";
import { writeOfShop } from "./shops/delivery-writes.ts";
import type { WebhookStore } from "./webhooks/webhook-reads.ts";
import { webhookStore } from "./webhooks/webhook-store.ts";

/** The ledger database as one connection sees it. Every method is exactly one D1 round trip. */
export interface LedgerStore extends ShopStore, OrderStore, OwnerStore {
  load(query: LoadQuery): Promise<LoadResult>;
  find(lookup: InvoiceLookup): Promise<FindResult>;
  commit(batch: IssueBatch): Promise<CommitResult>;
  listInvoices(query: InvoiceListQuery): Promise<InvoiceListPage>;
  listOrders(query: OrderListQuery): Promise<OrderListPage>;
  /** Outside the books and their fence. */
  readonly webhooks: WebhookStore;
  readonly entries: EntryStore;
  readonly mailing: MailingStore;
  readonly questions: QuestionStore;
}

/** The ledger of one connection on its D1 database: every method is one batch, so one round trip. */
export function ledgerStore(binding: D1Database, connectionId: string): LedgerStore {
  const db = databaseOn(binding);
  return {
    ...shopStore(db, connectionId),
    load: (query) => load(db, connectionId, query),
    ...orderStore(db, connectionId),
    ...ownerStore(db, erasureReads(binding), connectionId),
    webhooks: webhookStore(db, connectionId),
    entries: entryStore(binding, connectionId),
    mailing: mailingStore(db, connectionId),
    questions: questionStore(db, connectionId),
    find: (lookup) => find(db, connectionId, lookup),
    commit: (batch) => commit(db, connectionId, batch),
    listInvoices: invoiceListReads(binding, connectionId),
    listOrders: orderListReads(binding, connectionId),
  };
}

/** The cold load; with a fence it also closes a lost batch. */
async function load(db: Database, connectionId: string, query: LoadQuery): Promise<LoadResult> {
  const reads = bookReads(db, connectionId, query);
  if (!query.closing) return loadedFrom(await db.batch(reads), connectionId);
  try {
    const [, ...rows] = await db.batch([closingFence(db, connectionId), ...reads]);
    return loadedFrom(rows, connectionId);
  } catch (error) {
    // It carries the settings of the same moment, so only a frozen account can make them stale.
    if (fenceAbort(error) === "stale_settings") return { result: "frozen" };
    throw error;
  }
}

function bookReads(db: Database, connectionId: string, { orders, ...lookup }: LoadRequest) {
  const ids = theseOrders(orders.ids);
  const both = bothOrigins(lookupOrigins(connectionId, lookup), originsOfOrders(connectionId, ids));
  return [
    selectSettings(db, connectionId),
    selectKeys(db, connectionId),
    selectSeriesHeads(db, connectionId),
    selectChainHead(db, connectionId),
    selectProfiles(db, connectionId),
    selectTagRules(db, connectionId),
    ...invoiceReads(db, connectionId, both, lookup),
    ...orderReads(db, connectionId, ids, orders),
  ] as const;
}

function lookupOrigins(connectionId: string, lookup: InvoiceLookup): Origins {
  const { origins, invoiceIds = [], replacedOnes = [], numbers = [] } = lookup;
  const numbered = citedByNumber(connectionId, numbers);
  const replaced = citedByOrigin(connectionId, replacedOnes);
  const all = [
    ...(invoiceIds.length === 0 ? [] : [originsById(connectionId, invoiceIds)]),
    ...(replacedOnes.length === 0 ? [] : [originsAround(connectionId, replaced)]),
    ...(numbers.length === 0 ? [] : [originsOf(numbered), originsAround(connectionId, numbered)]),
  ];
  return all.reduce(bothOrigins, theseOrigins(origins));
}

function invoiceReads(
  db: Database,
  connectionId: string,
  origins: Origins,
  { numbers = [] }: Pick<InvoiceLookup, "numbers">,
) {
  return [
    selectInvoices(db, connectionId, origins),
    selectCorrections(db, connectionId, origins),
    selectActing(db, connectionId, origins),
    selectActsOn(db, connectionId, origins),
    selectRetiredOrigins(db, connectionId, origins),
    selectNumbered(db, connectionId, numbers),
  ] as const;
}

type Rows<Reads extends readonly unknown[]> = { -readonly [Index in keyof Reads]: Awaited<Reads[Index]> };

function loadedFrom(rows: Readonly<Rows<ReturnType<typeof bookReads>>>, connectionId: string): LoadResult {
  const [[settings], keys, series, [head], profiles, tagRules, ...found] = rows;
  if (!settings) return { result: "unknown_connection" };
  const [invoices, corrections, acting, actsOn, retiredOrigins, numbered, ...orders] = found;
  return {
    result: "loaded",
    books: booksOf({ settings, keys, series, head, profiles, tagRules }),
    invoices: storedInvoices({ invoices, corrections, acting, actsOn }),
    retiredOrigins,
    numbered: numbered.map((row) => numberedInvoice(row, connectionId)),
    ...ordersFrom(orders),
  };
}

async function find(db: Database, connectionId: string, lookup: InvoiceLookup): Promise<FindResult> {
  const [[settings], invoices, corrections, acting, actsOn, retiredOrigins, numbered] = await db.batch([
    selectSettingsVersion(db, connectionId),
    ...invoiceReads(db, connectionId, lookupOrigins(connectionId, lookup), lookup),
  ]);
  return {
    settingsVersion: settings?.version,
    ...(settings ? lookFrom(settings) : {}),
    invoices: storedInvoices({ invoices, corrections, acting, actsOn }),
    retiredOrigins,
    numbered: numbered.map((row) => numberedInvoice(row, connectionId)),
  };
}

/** Fence, series, invoices, documents, links, records, orders, audit lines: all of it or nothing. */
function commit(db: Database, connectionId: string, batch: IssueBatch): Promise<CommitResult> {
  const { accountId, installation } = batch.settings;
  invariant(installation || batch.records.length === 0, "an issuance has an installation");
  const owner = { accountId, connectionId, installationId: installation?.id ?? "" };
  const statements: FencedStatement[] = [
    ...insertSeries(db, owner, batch.newSeries),
    ...insertInvoices(db, owner, batch.invoices),
    ...insertDocuments(db, batch.invoices),
    ...insertLinks(db, batch.invoices),
    ...insertRecords(db, owner, batch.records),
    // Before the orders: the answered order is decided already.
    ...keepRates(db, accountId, batch.keptRates),
    ...upsertOrders(db, connectionId, batch.orders, batch.seq),
    ...batch.audits.map((entry) => insertAudit(db, owner, entry)),
    ...batch.shopWrites.flatMap((write) => writeOfShop(db, connectionId, write)),
    ...insertMails(db, owner, batch.mails),
    ...settleQuestions(db, connectionId, batch.questionOutcomes),
  ];
  return fencedBatch(db, [fence(db, connectionId, batch), ...statements]);
}

interface Owner {
  readonly accountId: string;
  readonly connectionId: string;
  readonly installationId: string;
}

/** Values of a row in the order of its table's columns, which an INSERT from a SELECT follows. */
function insertSeries(db: Database, owner: Owner, codes: readonly string[]): FencedStatement[] {
  const { accountId, connectionId, installationId } = owner;
  const rows = codes.map((code) => [accountId, code, connectionId, installationId]);
  return rowParameters(rows).map((json) => db.insert(series).select(rowsOf(json, 4)));
}

function insertInvoices(db: Database, owner: Owner, invoices: readonly NewInvoice[]): FencedStatement[] {
  const rows = invoices.map(({ view, totalEur, documentSha256 }) => [
    view.invoiceId,
    owner.accountId,
    owner.connectionId,
    view.origin,
    view.series,
    view.number,
    view.fullNumber,
    view.issueDate,
    view.document.request.invoiceType,
    totalEur,
    documentSha256,
    view.requestId,
  ]);
  return rowParameters(rows).map((json) => db.insert(invoice).select(rowsOf(json, 12)));
}

function insertDocuments(db: Database, invoices: readonly NewInvoice[]): FencedStatement[] {
  const rows = invoices.map(({ view, document }) => [view.invoiceId, document]);
  return rowSelects(rows).map((select) => db.insert(invoiceDocument).select(select));
}

function insertLinks(db: Database, invoices: readonly NewInvoice[]): FencedStatement[] {
  const rows = invoices.flatMap(({ view, links }) =>
    links.map((link) => [view.invoiceId, link.targetId, link.kind, JSON.stringify(link.taken)]),
  );
  return rowParameters(rows).map((json) => db.insert(invoiceLink).select(rowsOf(json, 4)));
}

function insertRecords(db: Database, owner: Owner, records: readonly NewRecord[]): FencedStatement[] {
  const rows = records.map(({ invoiceId, origin, stored, reason }) => {
    const { content, position, hash } = stored.record;
    return [
      owner.installationId,
      position,
      owner.connectionId,
      owner.accountId,
      origin,
      invoiceId,
      content.kind,
      content.chain.first ? "" : content.chain.hash,
      hash,
      JSON.stringify(content),
      reason,
      stored.requestId,
      stored.state,
      null,
      null,
    ];
  });
  return rowParameters(rows).map((json) => db.insert(record).select(rowsOf(json, 15)));
}

function orderStore(db: Database, connectionId: string): OrderStore {
  return {
    findOrders: (query) => findOrders(db, connectionId, theseOrders(query.ids), query),
    findDueOrders: (due) =>
      findOrders(db, connectionId, dueOrders(connectionId, due), { rates: [], statuses: [] }),
    findDueWork: (due) => findDueWork(db, connectionId, due),
  };
}

async function findDueWork(
  db: Database,
  connectionId: string,
  due: Pick<DueOrders, "cutoffDate" | "today">,
): Promise<DueWorkFound> {
  const oldest = dueOrders(connectionId, { ...due, except: [], limit: 1 });
  const [[settings], orders, [callback], [mail], jobs] = await db.batch([
    selectSettingsVersion(db, connectionId),
    db.select({ id: sql<string>`id` }).from(sql`(${oldest})`),
    selectCallbackDueAt(db, connectionId),
    selectNextMail(db, connectionId),
    selectOpenJob(db, connectionId),
  ]);
  return {
    settingsVersion: settings?.version,
    hasDueOrders: orders.length > 0,
    callbackDueAt: callback?.dueAt ?? undefined,
    mailDueAt: mail?.mailDueAt ?? undefined,
    hasQuestions: jobs.length > 0,
  };
}

type OrderFactsQuery = Omit<OrdersQuery, "ids">;

/** The reads for deciding orders, for any batch. */
function orderReads(db: Database, connectionId: string, ids: OrderIds, query: OrderFactsQuery) {
  return [
    selectOrders(db, connectionId, ids),
    selectOrderRates(db, connectionId, ids, query.rates),
    selectOrderStatuses(db, connectionId, ids, query.statuses),
    selectIssued(db, connectionId, query.issuedOf ?? []),
    selectErased(db, connectionId, ids),
    ...selectShopfront(db, connectionId, query.shopfront ?? false),
  ] as const;
}

function ordersFrom([orders, rates, statuses, issued, erased, origins, ofStores, stores]: Readonly<
  Rows<ReturnType<typeof orderReads>>
>): Omit<OrdersRead, "invoices"> {
  return {
    orders: orders.map(storedOrder),
    rates: rates.map(rateFromRow),
    statuses: knownStatuses(statuses),
    issued: issued.map(({ id }) => id),
    shopfront: shopfrontFrom(origins, ofStores, stores),
    // The schema checks the values of this column.
    erased: erased.map(({ because, ...of }) => ({ ...of, because: because as ErasedBecause })),
  };
}

async function findOrders(
  db: Database,
  connectionId: string,
  ids: OrderIds,
  query: OrderFactsQuery,
): Promise<OrdersFound> {
  const origins = originsOfOrders(connectionId, ids);
  const [[settings], invoices, corrections, acting, actsOn, ...rest] = await db.batch([
    selectSettingsVersion(db, connectionId),
    selectInvoices(db, connectionId, origins),
    selectCorrections(db, connectionId, origins),
    selectActing(db, connectionId, origins),
    selectActsOn(db, connectionId, origins),
    ...orderReads(db, connectionId, ids, query),
  ]);
  return {
    settingsVersion: settings?.version,
    ...(settings ? lookFrom(settings) : {}),
    ...ordersFrom(rest),
    invoices: storedInvoices({ invoices, corrections, acting, actsOn }),
  };
}
