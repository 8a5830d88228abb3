import { and, eq, type SQL, sql } from "drizzle-orm";
import type { InvoiceDelivery } from "../../domain/mailing/invoice-delivery.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookDelivery } from "../../domain/webhook/delivery.ts";
import { type Database, excluded, type JsonRow, rowParameters, rowsOf } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { AuditEntry } from "../ledger-state.ts";
import { connection } from "../schema/ledger.ts";
import { invoiceDelivery, mailCount } from "../schema/mailing.ts";
import { shopOrder } from "../schema/orders.ts";
import { auditLog } from "../schema/shop.ts";
import { webhookEndpoint } from "../schema/submission.ts";
import { insertDeliveries } from "../webhooks/webhook-writes.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export function minuteOf(at: Instant): number {
  return Math.floor(at / MINUTE_MS);
}

export function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

export interface QueuedBy {
  readonly accountId: string;
  readonly connectionId: string;
}

/** Values in the order of the table's columns, which an INSERT from a SELECT follows. */
function deliveryRow(
  { accountId, connectionId }: QueuedBy,
  delivery: InvoiceDelivery,
  requestId: string,
): JsonRow {
  const { id, invoiceId, channel, to, language, formats, cause, state, attempts, queuedAt } = delivery;
  return [
    ...[id, connectionId, accountId, invoiceId, channel, to, language, JSON.stringify(formats), cause],
    ...[state, attempts, delivery.dueAt ?? null, queuedAt, delivery.sentAt ?? null, delivery.error ?? null],
    ...[requestId, queuedAt],
  ];
}

const COLUMNS = 17;

/**
 * Queues the mails of invoices in the batch that issues them. If the batch is repeated, a mail meets its
 * own row, and the whole repeat fails: no invoice is issued again.
 */
export function insertMails(
  db: Database,
  by: QueuedBy,
  mails: readonly { readonly delivery: InvoiceDelivery; readonly requestId: string }[],
): FencedStatement[] {
  const rows = mails.map(({ delivery, requestId }) => deliveryRow(by, delivery, requestId));
  return rowParameters(rows).map((json) => db.insert(invoiceDelivery).select(rowsOf(json, COLUMNS)));
}

export interface QueueRequest {
  readonly delivery: InvoiceDelivery;
  readonly requestId: string;
  /** A new mail although one was sent. */
  readonly resend: boolean;
  /** The order and its e-mail as they were read: nothing is queued if the order has another e-mail by now. */
  readonly client?: { readonly orderId: string; readonly email: string };
}

/**
 * One row, unless the address has one already: parallel calls meet here. A mail on its way is never doubled;
 * one that was sent only if the caller asks for another.
 */
export function queueMail(db: Database, by: QueuedBy, request: QueueRequest) {
  const { delivery, requestId, resend, client } = request;
  const { id, invoiceId, to, queuedAt: at } = delivery;
  const standing = resend ? sql`= 'queued'` : sql`<> 'failed'`;
  const isKnown = sql`EXISTS (SELECT 1 FROM ${invoiceDelivery}
    WHERE ${invoiceDelivery.invoiceId} = ${invoiceId}
    AND ${invoiceDelivery.channel} = 'email' AND ${invoiceDelivery.address} = ${to}
    AND ${invoiceDelivery.state} ${standing})`;
  const isStillTheirs = client
    ? sql`EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${shopOrder.connectionId} = ${by.connectionId}
        AND ${shopOrder.idExternal} = ${client.orderId}
        AND ${shopOrder.facts} ->> '$.client.email' = ${client.email})`
    : sql`1`;
  const row = deliveryRow(by, delivery, requestId).map((value) => sql`${value}`);
  const isOurs = sql`EXISTS (SELECT 1 FROM ${invoiceDelivery} WHERE ${invoiceDelivery.id} = ${id})`;
  const [minute, day] = [minuteOf(at), dayOf(at)];
  const counted = (count: SQL, period: SQL, now: number) =>
    sql`CASE WHEN ${period} = ${now} THEN ${count} + 1 ELSE 1 END`;
  return [
    db
      .insert(invoiceDelivery)
      .select(sql`SELECT ${sql.join(row, sql`, `)} WHERE NOT ${isKnown} AND ${isStillTheirs}`),
    db
      .insert(mailCount)
      .select(sql`SELECT ${by.connectionId}, ${minute}, 1, ${day}, 1 WHERE ${isOurs}`)
      .onConflictDoUpdate({
        target: mailCount.connectionId,
        set: {
          inMinute: counted(sql`${mailCount.inMinute}`, sql`${mailCount.minute}`, minute),
          inDay: counted(sql`${mailCount.inDay}`, sql`${mailCount.day}`, day),
          minute: excluded(mailCount.minute),
          day: excluded(mailCount.day),
        },
      }),
  ] as const;
}

/** The line of the activity, only with a new mail. */
export function auditOfMail(
  db: Database,
  { accountId, connectionId }: QueuedBy,
  deliveryId: string,
  { id, userId, at, verb, facts }: AuditEntry,
): FencedStatement {
  return db
    .insert(auditLog)
    .select(sql`SELECT ${id}, ${accountId}, ${connectionId}, ${userId}, ${at}, ${verb},
    ${JSON.stringify(facts)} WHERE EXISTS (SELECT 1 FROM ${invoiceDelivery}
      WHERE ${invoiceDelivery.id} = ${deliveryId})`);
}

/** One attempt, written before it is made. */
export interface BegunMail {
  readonly before: InvoiceDelivery;
  readonly begun: InvoiceDelivery;
}

/** Ours if no other instance has begun it; the row decides. */
export function beginMail(db: Database, connectionId: string, { before, begun }: BegunMail, at: Instant) {
  return db
    .update(invoiceDelivery)
    .set({ attempts: begun.attempts, dueAt: begun.dueAt ?? null, changedAt: at })
    .where(
      and(
        eq(invoiceDelivery.id, before.id),
        eq(invoiceDelivery.connectionId, connectionId),
        eq(invoiceDelivery.state, "queued"),
        eq(invoiceDelivery.attempts, before.attempts),
        sql`${invoiceDelivery.dueAt} IS ${before.dueAt ?? null}`,
      ),
    )
    .returning({ id: invoiceDelivery.id });
}

/** A final state with its event for every endpoint that is subscribed to it. */
export interface SettledMail {
  readonly settled: InvoiceDelivery;
  readonly events: readonly { readonly endpointId: string; readonly delivery: WebhookDelivery }[];
}

/** A result counts for the attempt that was begun last; the events are written only with it. */
export function settleMail(
  db: Database,
  connectionId: string,
  { settled, events }: SettledMail,
  at: Instant,
): FencedStatement[] {
  const { id, state, attempts, sentAt = null, error = null } = settled;
  const isOpen = and(
    eq(invoiceDelivery.id, id),
    eq(invoiceDelivery.connectionId, connectionId),
    eq(invoiceDelivery.state, "queued"),
    eq(invoiceDelivery.attempts, attempts),
  );
  const isSettled = sql`EXISTS (SELECT 1 FROM ${invoiceDelivery} WHERE ${invoiceDelivery.id} = ${id}
    AND ${invoiceDelivery.state} = ${state} AND ${invoiceDelivery.attempts} = ${attempts})`;
  return [
    db.update(invoiceDelivery).set({ state, dueAt: null, sentAt, error, changedAt: at }).where(isOpen),
    ...events.flatMap(({ endpointId, delivery }) => {
      const isListening = sql`EXISTS (SELECT 1 FROM ${webhookEndpoint}
        WHERE ${webhookEndpoint.id} = ${endpointId} AND ${webhookEndpoint.connectionId} = ${connectionId}
        AND ${webhookEndpoint.endedAt} IS NULL
        AND EXISTS (SELECT 1 FROM json_each(${webhookEndpoint.events})
          WHERE value = ${delivery.event}))`;
      const made = { endpointId, connectionId, deliveries: [delivery] };
      return insertDeliveries(db, made, sql`${isListening} AND ${isSettled}`);
    }),
  ];
}

/**
 * Masks the addresses of the deliveries of these invoices: a query with a column `id`. A mail that was not
 * sent yet is not sent any more.
 */
export function maskAddresses(
  db: Database,
  invoices: SQL,
  { because, at }: { readonly because: "address_erased" | "invoice_retired"; readonly at: Instant },
) {
  const { address, state, dueAt, error } = invoiceDelivery;
  const wasQueued = sql`${state} = 'queued'`;
  return db
    .update(invoiceDelivery)
    .set({
      address: maskedColumn(sql`${address}`),
      error: sql`CASE WHEN ${wasQueued} THEN ${because} ELSE ${error} END`,
      dueAt: sql`CASE WHEN ${wasQueued} THEN NULL ELSE ${dueAt} END`,
      state: sql`CASE WHEN ${wasQueued} THEN 'failed' ELSE ${state} END`,
      changedAt: at,
    })
    .where(sql`${invoiceDelivery.invoiceId} IN (SELECT id FROM (${invoices}))
      AND ${address} NOT LIKE '%***%'`);
}

/** The same form as `maskedAddress` of the domain. */
function maskedColumn(address: SQL): SQL {
  const domain = sql`substr(${address}, instr(${address}, '@') + 1)`;
  // The ending begins at the last dot: what is left of the text without its trailing letters and hyphens.
  const ending = sql`substr(${domain}, length(rtrim(${domain}, replace(${domain}, '.', ''))))`;
  return sql`CASE WHEN instr(${domain}, '.') > 1
    THEN substr(${address}, 1, 1) || '***@' || substr(${domain}, 1, 1) || '***' || ${ending} ELSE '***' END`;
}

/** The switch of a connection; that of a profile is in the row of the profile. */
export function switchMailing(db: Database, connectionId: string, mailing: string | null): FencedStatement {
  return db.update(connection).set({ mailing }).where(eq(connection.id, connectionId));
}
