import { and, eq, type SQL, sql } from "drizzle-orm";
import { lookFrom } from "../../db/book-reads.ts";
import { databaseOn, type PlainReads, plainReads, rowsAs, written } from "../../db/database.ts";
import {
  originsById,
  selectActing,
  selectActsOn,
  selectCorrections,
  selectInvoices,
  storedInvoices,
} from "../../db/invoices/invoice-reads.ts";
import type { StoredInvoice } from "../../db/ledger-state.ts";
import { deliveryFrom, selectDeliveriesOf } from "../../db/mailing/mailing-reads.ts";
import { orderOfOrigin } from "../../db/orders/order-reads.ts";
import { account, connection, installation, invoice, invoiceLink } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { auditLog } from "../../db/schema/shop.ts";
import { submissionAttempt } from "../../db/schema/submission.ts";
import {
  type AttemptColumns,
  type AttemptLine,
  attemptColumns,
  attemptLine,
} from "../../db/submission/submission-status.ts";
import type { InvoiceLook } from "../../domain/brand/look.ts";
import { recordsOf, type StoredRecord } from "../../domain/invoice/invoice-view.ts";
import type { InvoiceDelivery } from "../../domain/mailing/invoice-delivery.ts";
import { type Instant, instantOf } from "../../domain/shared/instant.ts";

/** Limit of messages that are searched for a record: the newest that start at or before its position. */
const ATTEMPTS = 100;
/** Limit of shown records: the newest, if an invoice was corrected many times. */
const RECORDS = 20;

export function invoiceDetailReads(binding: D1Database): InvoiceDetailReads {
  const reads = plainReads(binding);
  return {
    async findConnection(accountId, invoiceId) {
      const [row] = await reads.rows<{ readonly connection_id: string }>(
        sql`SELECT ${invoice.connectionId} AS connection_id FROM ${invoice}
          WHERE ${invoice.id} = ${invoiceId} AND ${invoice.accountId} = ${accountId}`,
      );
      return row?.connection_id;
    },
    async findPlace(accountId, invoiceId) {
      const [row] = await reads.rows<AboutRow>(selectAbout(accountId, invoiceId));
      if (!row) return undefined;
      const { order } = orderIn(row);
      const place = { connectionId: row.connection_id };
      return order ? { ...place, order: { id: order.id, reference: order.reference ?? order.id } } : place;
    },
    readInvoice: (accountId, invoiceId) => readInvoice(binding, accountId, invoiceId),
  };
}

async function readInvoice(
  binding: D1Database,
  accountId: string,
  invoiceId: string,
): Promise<InvoiceRead | undefined> {
  const [reads, db] = [plainReads(binding), databaseOn(binding)];
  const [about] = await reads.rows<AboutRow>(selectAbout(accountId, invoiceId));
  if (!about) return undefined;
  const { connection_id: connectionId } = about;
  const origins = originsById(connectionId, JSON.stringify([invoiceId]));
  const [invoices, corrections, acting, actsOn, deliveries, cited] = await db.batch([
    selectInvoices(db, connectionId, origins),
    selectCorrections(db, connectionId, origins),
    selectActing(db, connectionId, origins),
    selectActsOn(db, connectionId, origins),
    selectDeliveriesOf(db, connectionId, invoiceId),
    // Links come first: free to choose, SQLite scans the connection's invoices.
    db
      .select({ id: invoice.id, fullNumber: invoice.fullNumber })
      .from(invoiceLink)
      .crossJoin(invoice)
      .where(
        and(
          eq(invoiceLink.invoiceId, invoiceId),
          eq(invoice.id, invoiceLink.targetId),
          eq(invoice.connectionId, connectionId),
        ),
      ),
  ]);
  const [stored] = storedInvoices({ invoices, corrections, acting, actsOn });
  if (!stored) return undefined;
  const course = await readRecordCourses(reads, accountId, recordsOf(stored.view).slice(-RECORDS));
  const issuedBy = isIssuedInConsole(stored.view.origin)
    ? await readIssuer(reads, accountId, stored)
    : undefined;
  return {
    stored,
    ...(issuedBy === undefined ? {} : { issuedBy }),
    connection: { id: connectionId, name: about.connection_name },
    issuer: { name: about.issuer_name, nif: about.issuer_nif },
    ...orderIn(about),
    ...lookFrom(about),
    deliveries: deliveries.map(deliveryFrom),
    actsOn: cited.map(({ id, fullNumber }) => ({ invoiceId: id, fullNumber })),
    ...course,
  };
}

interface AboutRow {
  readonly connection_id: string;
  readonly connection_name: string;
  readonly issuer_name: string;
  readonly issuer_nif: string;
  readonly look: string | null;
  readonly order_id: string | null;
  readonly reference: string | null;
  readonly own_rate: string | null;
  readonly email: string | null;
}

function selectAbout(accountId: string, invoiceId: string): SQL {
  const orderId = orderOfOrigin(invoice.origin);
  return sql`SELECT ${connection.id} AS connection_id, ${connection.name} AS connection_name,
      ${account.legalName} AS issuer_name, ${account.nif} AS issuer_nif,
      ${account.look} AS look, ${orderId} AS order_id, ${shopOrder.facts} ->> '$.client.email' AS email,
      ${shopOrder.facts} ->> '$.reference' AS reference, ${shopOrder.answers} -> '$.exchangeRate' AS own_rate
    FROM ${invoice} JOIN ${connection} ON ${connection.id} = ${invoice.connectionId}
    JOIN ${account} ON ${account.id} = ${invoice.accountId}
    LEFT JOIN ${shopOrder} ON ${shopOrder.connectionId} = ${invoice.connectionId}
      AND ${shopOrder.idExternal} = ${orderId}
    WHERE ${invoice.id} = ${invoiceId} AND ${invoice.accountId} = ${accountId}`;
}

function orderIn({ order_id: id, reference, own_rate: rate, email }: AboutRow): Pick<InvoiceRead, "order"> {
  if (id === null) return {};
  return {
    order: {
      ...{ id, isEcbRate: rate === null },
      ...(reference === null ? {} : { reference }),
      ...(email === null ? {} : { email }),
    },
  };
}

/** Issued in the console by an owner; the id of the act or of the draft ends the origin. */
function isIssuedInConsole(origin: string): boolean {
  return /^(?:direct|event:[^:]*|event_replacement:[^:]*):console:/.test(origin);
}

/** The user of the line of the audit log that names the invoice. */
async function readIssuer(
  reads: PlainReads,
  accountId: string,
  { view }: StoredInvoice,
): Promise<string | undefined> {
  const at = instantOf(view.alta.record.content.generatedAt);
  const [row] = await reads.rows<{ readonly user_id: string }>(sql`SELECT ${auditLog.userId} AS user_id
    FROM ${auditLog} WHERE ${auditLog.accountId} = ${accountId}
      AND ${auditLog.at} BETWEEN ${at - MOMENT_MS} AND ${at + MOMENT_MS}
      AND ${auditLog.verb} IN ('rectify_invoice', 'issue_by_hand')
      AND ${auditLog.facts} ->> '$.number' = ${view.fullNumber} LIMIT 1`);
  return row?.user_id;
}

type Course = Pick<InvoiceRead, "attempts" | "madeBy" | "installations">;

/** Reads the messages of each record and the user who made it. */
async function readRecordCourses(
  reads: PlainReads,
  accountId: string,
  records: readonly StoredRecord[],
): Promise<Course> {
  const rows = await reads.batch(
    records
      .flatMap((stored) => [selectAttempts(accountId, stored), selectMaker(accountId, stored)])
      .map(written),
  );
  const attempts: [string, ReturnType<typeof attemptLine>[]][] = [];
  const madeBy: [string, { userId: string; at: number }][] = [];
  const installations: [string, string][] = [];
  for (const [index, { recordId, record: sealed }] of records.entries()) {
    const lines = rowsAs<AttemptColumns>(rows[2 * index]).map(attemptLine);
    attempts.push([recordId, lines.toSorted((a, b) => a.startedAt - b.startedAt)]);
    const [maker] = rowsAs<{ readonly user_id: string; readonly at: number }>(rows[2 * index + 1]);
    if (maker) madeBy.push([recordId, { userId: maker.user_id, at: maker.at }]);
    installations.push([recordId, sealed.content.system.installationNumber]);
  }
  return {
    attempts: new Map(attempts),
    madeBy: new Map(madeBy),
    installations: new Map(installations),
  };
}

function selectAttempts(accountId: string, { record: sealed }: StoredRecord): SQL {
  const { position, content } = sealed;
  return sql`SELECT * FROM (SELECT ${attemptColumns()} FROM ${submissionAttempt}
      WHERE ${submissionAttempt.installationId} = (SELECT ${installation.id} FROM ${installation}
          WHERE ${installation.number} = ${content.system.installationNumber}
            AND ${installation.accountId} = ${accountId})
        AND ${submissionAttempt.fromPosition} <= ${position}
      ORDER BY ${submissionAttempt.fromPosition} DESC, ${submissionAttempt.startedAt} DESC LIMIT ${ATTEMPTS})
    WHERE to_position >= ${position}`;
}

/** The audit line is in the record's batch, but the record's time has whole seconds only. */
const MOMENT_MS = 2_000;

function selectMaker(accountId: string, { recordId, record: sealed }: StoredRecord): SQL {
  const at = instantOf(sealed.content.generatedAt);
  return sql`SELECT ${auditLog.userId} AS user_id, ${auditLog.at} AS at FROM ${auditLog}
    WHERE ${auditLog.accountId} = ${accountId}
      AND ${auditLog.at} BETWEEN ${at - MOMENT_MS} AND ${at + MOMENT_MS}
      AND ${auditLog.verb} = 'correct_record' AND ${auditLog.facts} ->> '$.record' = ${recordId} LIMIT 1`;
}

/** One invoice with all related data. */
export interface InvoiceRead {
  readonly stored: StoredInvoice;
  readonly connection: { readonly id: string; readonly name: string };
  readonly issuer: { readonly name: string; readonly nif: string };
  /** The look of the day. */
  readonly look?: InvoiceLook;
  /** The user who issued it in the console; absent for a caller's and a shop's. */
  readonly issuedBy?: string;
  readonly order?: {
    readonly id: string;
    readonly reference?: string;
    readonly isEcbRate: boolean;
    /** Of its client today. */
    readonly email?: string;
  };
  /** Mails with the invoice, newest first. */
  readonly deliveries: readonly InvoiceDelivery[];
  /** Invoices that this one rectifies or replaces. */
  readonly actsOn: readonly { readonly invoiceId: string; readonly fullNumber: string }[];
  /** Messages with one of the invoice's records, by record id, oldest first. */
  readonly attempts: ReadonlyMap<string, readonly AttemptLine[]>;
  /** Author of each correction, by record id. */
  readonly madeBy: ReadonlyMap<string, { readonly userId: string; readonly at: Instant }>;
  /** Installation number, by record id. */
  readonly installations: ReadonlyMap<string, string>;
}

interface InvoicePlace {
  readonly connectionId: string;
  readonly order?: { readonly id: string; readonly reference: string };
}

export interface InvoiceDetailReads {
  /** Undefined if the account has no such invoice. */
  findConnection(accountId: string, invoiceId: string): Promise<string | undefined>;
  /** Its connection, and its order if it has one; undefined if the account has no such invoice. */
  findPlace(accountId: string, invoiceId: string): Promise<InvoicePlace | undefined>;
  readInvoice(accountId: string, invoiceId: string): Promise<InvoiceRead | undefined>;
}
