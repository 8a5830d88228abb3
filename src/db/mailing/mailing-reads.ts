import { and, desc, eq, lte, sql } from "drizzle-orm";
import type {
  DeliveryCause,
  DeliveryError,
  EmailState,
  InvoiceDelivery,
  MailedFormat,
  MailLanguage,
} from "../../domain/mailing/invoice-delivery.ts";
import type { MailSwitch } from "../../domain/mailing/mail-switch.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Database, fromOwnJson } from "../database.ts";
import type { Bound } from "../kept-reads.ts";
import { account, connection } from "../schema/ledger.ts";
import { invoiceDelivery, mailCount } from "../schema/mailing.ts";

/** Deliveries of one invoice that any answer shows, at most. */
const SHOWN = 100;

/** Within one moment in the order in which they were queued, backwards. */
const NEWEST_FIRST = [desc(invoiceDelivery.queuedAt), sql`${invoiceDelivery}.rowid DESC`] as const;

/** The deliveries of an invoice of the connection, oldest first. */
export function selectDeliveriesOf(db: Database, connectionId: string, invoiceId: string) {
  const newest = db
    .select()
    .from(invoiceDelivery)
    .where(and(eq(invoiceDelivery.invoiceId, invoiceId), eq(invoiceDelivery.connectionId, connectionId)))
    .orderBy(...NEWEST_FIRST)
    .limit(SHOWN);
  return newest;
}

/** The newest delivery to an address, which a repeated call gets. */
export function selectNewest(
  db: Database,
  connectionId: string,
  { invoiceId, to }: Pick<InvoiceDelivery, "invoiceId" | "to">,
) {
  return db
    .select()
    .from(invoiceDelivery)
    .where(
      and(
        eq(invoiceDelivery.invoiceId, invoiceId),
        eq(invoiceDelivery.connectionId, connectionId),
        eq(invoiceDelivery.channel, "email"),
        eq(invoiceDelivery.address, to),
      ),
    )
    .orderBy(...NEWEST_FIRST)
    .limit(1);
}

/** The company's state as far as it decides mails. */
export function selectSender(db: Database, connectionId: string) {
  return db
    .select({
      accountId: sql<string>`${account.id}`.as("sender_account_id"),
      verification: account.verification,
      frozen: account.frozen,
      email: account.email,
    })
    .from(connection)
    .innerJoin(account, eq(account.id, connection.accountId))
    .where(eq(connection.id, connectionId));
}

export function selectCount(db: Database, connectionId: string) {
  return db.select().from(mailCount).where(eq(mailCount.connectionId, connectionId));
}

/** The oldest due ones. */
export function selectDueMails(
  db: Database,
  connectionId: string,
  { at, limit }: { readonly at: Instant; readonly limit: number },
) {
  return db
    .select()
    .from(invoiceDelivery)
    .where(and(eq(invoiceDelivery.connectionId, connectionId), lte(invoiceDelivery.dueAt, at)))
    .orderBy(invoiceDelivery.dueAt)
    .limit(limit);
}

/** One step into the index of due deliveries; null when nothing is on its way. */
export function selectNextMail(db: Database, connectionId: Bound) {
  const first = sql<number | null>`min(${invoiceDelivery.dueAt})`.as("mail_due_at");
  return db
    .select({ mailDueAt: first })
    .from(invoiceDelivery)
    .where(and(eq(invoiceDelivery.connectionId, connectionId), sql`${invoiceDelivery.dueAt} IS NOT NULL`));
}

type DeliveryRow = typeof invoiceDelivery.$inferSelect;

export function deliveryFrom(row: DeliveryRow): InvoiceDelivery {
  const { id, invoiceId, address: to, attempts, queuedAt, dueAt, sentAt, error } = row;
  return {
    ...{ id, invoiceId, channel: "email", to, attempts, queuedAt },
    // Only this service writes these columns, and the schema checks their values.
    language: row.language as MailLanguage,
    formats: fromOwnJson<readonly MailedFormat[]>(row.formats),
    cause: row.cause as DeliveryCause,
    state: row.state as EmailState,
    ...(dueAt === null ? {} : { dueAt }),
    ...(sentAt === null ? {} : { sentAt }),
    ...(error === null ? {} : { error: error as DeliveryError }),
  };
}

/** The column of a connection or a profile. */
export function mailSwitchFrom(json: string | null): MailSwitch | undefined {
  return json === null ? undefined : fromOwnJson<MailSwitch>(json);
}
