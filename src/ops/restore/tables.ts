/** The tables that a restore puts back, and how their newer rows are found. */
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { invoiceDraft } from "../../db/schema/drafts.ts";
import { entryCursor, entryFill, invoiceEntry, invoiceTotal } from "../../db/schema/invoice-entry.ts";
import {
  account,
  accountOpening,
  apiKey,
  authorisation,
  connection,
  consent,
  installation,
  invoice,
  invoiceDocument,
  invoiceLink,
  ledgerHead,
  record,
  series,
} from "../../db/schema/ledger.ts";
import { invoiceDelivery, mailCount } from "../../db/schema/mailing.ts";
import {
  orderRelease,
  ossRate,
  profile,
  seriesStem,
  shopCallback,
  shopOrder,
  shopOrderSent,
  tagRule,
} from "../../db/schema/orders.ts";
import { chainStart, erasedOrder, retentionRun, spentOrigin } from "../../db/schema/retention.ts";
import { rememberedAnswer, reviewJob, reviewJobOrder, reviewQuestion } from "../../db/schema/review.ts";
import {
  allowedOrigin,
  auditLog,
  customerAccess,
  exchangeRate,
  shopClient,
  shopInventory,
  shopModule,
  shopSetup,
  shopStatus,
  shopStore,
  storeOrigin,
} from "../../db/schema/shop.ts";
import {
  shop,
  shopBackfill,
  shopBackfillOrder,
  shopCount,
  shopDelivery,
  shopDocument,
  shopDroppedBody,
  shopFetch,
  shopWebhookTask,
} from "../../db/schema/shops.ts";
import {
  chainSubmission,
  representation,
  submissionAttempt,
  webhookCursor,
  webhookDelivery,
  webhookEndpoint,
} from "../../db/schema/submission.ts";

export interface Table {
  readonly name: string;
  readonly key: readonly string[];
  /** All stored columns; generated ones are omitted. */
  readonly columns: readonly string[];
}

/** Settings and the like: small, and taken whole. In the order in which rows need each other. */
export const SETTINGS: readonly Table[] = [
  ...[account, connection, apiKey, consent, authorisation, representation].map(tableOf),
  ...[shopSetup, shopModule, shopStore, shopInventory, shopStatus, shopCallback].map(tableOf),
  ...[profile, seriesStem, tagRule, ossRate, customerAccess, allowedOrigin, storeOrigin].map(tableOf),
  ...[webhookEndpoint, shop, shopFetch, shopBackfill, shopBackfillOrder, shopWebhookTask].map(tableOf),
  ...[invoiceDraft, rememberedAnswer].map(tableOf),
];

/** Settings with removable rows: a removed row that the restore brings back is removed again. */
export const REMOVABLE: ReadonlySet<string> = new Set(
  [
    ...[shopStore, shopStatus, shopCallback, profile, seriesStem, tagRule, ossRate, allowedOrigin],
    ...[shop, shopFetch, shopBackfill, shopBackfillOrder, shopWebhookTask, invoiceDraft],
    rememberedAnswer,
  ].map(nameOf),
);

/** The books: appended only, but for the state of records and of chains. */
export const BOOKS = {
  head: tableOf(ledgerHead),
  installation: tableOf(installation),
  series: tableOf(series),
  invoice: tableOf(invoice),
  document: tableOf(invoiceDocument),
  link: tableOf(invoiceLink),
  record: tableOf(record),
  submission: tableOf(chainSubmission),
  attempt: tableOf(submissionAttempt),
};

/** The traces of erased orders, and the table of customers, who leave no trace. */
export const ERASURES = { order: tableOf(erasedOrder), client: tableOf(shopClient) };

/** Found by when they were written last: `changed` has a question mark for each of `instants`. */
export interface TimedTable extends Table {
  readonly changed: string;
  readonly instants: number;
}

export const TIMED: readonly TimedTable[] = [
  { ...tableOf(shopOrder), changed: "changed_at >= ?", instants: 1 },
  {
    ...tableOf(shopOrderSent),
    changed: `EXISTS (SELECT 1 FROM shop_order WHERE shop_order.connection_id = shop_order_sent.connection_id
      AND shop_order.id_external = shop_order_sent.id_external AND changed_at >= ?)`,
    instants: 1,
  },
  { ...tableOf(shopClient), changed: "received_at >= ?", instants: 1 },
  { ...tableOf(auditLog), changed: "at >= ?", instants: 1 },
  { ...tableOf(shopDelivery), changed: "received_at >= ?", instants: 1 },
  { ...tableOf(shopDocument), changed: "received_at >= ?", instants: 1 },
  { ...tableOf(webhookDelivery), changed: "(asked_at >= ? OR last_at >= ?)", instants: 2 },
  { ...tableOf(invoiceDelivery), changed: "changed_at >= ?", instants: 1 },
];

/** After all that they count or point to. */
export const LAST: readonly Table[] = [webhookCursor, orderRelease].map(tableOf);

/** A year retired since is back: an operator repeats its run, with all of these. */
export const OF_RUNS: readonly string[] = [retentionRun, chainStart, spentOrigin].map(nameOf);

/**
 * Made again by themselves: entries and sums out of the records, counts by triggers, rates by cron. Openings
 * and bodies to erase are of minutes, and so are the counts of mails and one answer to several orders: each
 * order has its own.
 */
export const DERIVED: readonly string[] = [
  ...[invoiceEntry, invoiceTotal, entryCursor, entryFill, exchangeRate].map(nameOf),
  ...[accountOpening, shopDroppedBody, shopCount, mailCount].map(nameOf),
  ...[reviewQuestion, reviewJob, reviewJobOrder].map(nameOf),
];

/** Rows of an account, as a condition with one question mark. */
export function ofAccount({ name, columns }: Table): string {
  if (name === "account") return "id = ?";
  if (columns.includes("account_id")) return "account_id = ?";
  if (columns.includes("endpoint_id") && !columns.includes("connection_id")) {
    return "endpoint_id IN (SELECT id FROM webhook_endpoint WHERE account_id = ?)";
  }
  return "connection_id IN (SELECT id FROM connection WHERE account_id = ?)";
}

function nameOf(table: SQLiteTable): string {
  return getTableConfig(table).name;
}

function tableOf(table: SQLiteTable): Table {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const single = columns.filter((column) => column.primary);
  const key = single.length > 0 ? single : (primaryKeys[0]?.columns ?? []);
  return {
    name,
    key: key.map((column) => column.name),
    columns: columns.filter((column) => column.generated === undefined).map((column) => column.name),
  };
}
