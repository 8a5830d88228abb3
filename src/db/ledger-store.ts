import { invariant } from "../domain/shared/result.ts";
import { type Database, databaseOn, rowParameters, rowSelects, rowsOf } from "./database.ts";
import { type EntryStore, entryStore } from "./entries/entry-store.ts";
import { type FencedStatement, fence, fencedBatch } from "./fence.ts";
import { type InvoiceListPage, type InvoiceListQuery, invoiceListReads } from "./invoices/listed-invoices.ts";
import { find, load, orderStore } from "./ledger-reads.ts";
import type {
  CommitResult,
  FindResult,
  InvoiceLookup,
  IssueBatch,
  LoadQuery,
  LoadResult,
  NewInvoice,
  NewRecord,
  OrderStore,
  OwnerStore,
  ShopStore,
} from "./ledger-state.ts";
import { type MailingStore, mailingStore } from "./mailing/mailing-store.ts";
import { insertMails } from "./mailing/mailing-writes.ts";
import { type OrderListPage, type OrderListQuery, orderListReads } from "./orders/changed-orders.ts";
import { erasureReads } from "./orders/order-reads.ts";
import { upsertOrders } from "./orders/order-writes.ts";
import { type QuestionStore, questionStore, settleQuestions } from "./orders/question-store.ts";
import { countUses } from "./orders/remembered-store.ts";
import { ownerStore } from "./owner-store.ts";
import { keepRates } from "./rates/rate-store.ts";
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
    ...countUses(db, connectionId, batch.usedSettings),
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
