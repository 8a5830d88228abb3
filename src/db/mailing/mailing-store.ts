import { isProven } from "../../domain/connection/company.ts";
import type { InvoiceDelivery } from "../../domain/mailing/invoice-delivery.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookEvent } from "../../domain/webhook/event.ts";
import { type Database, fromOwnJson } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { AuditEntry } from "../ledger-state.ts";
import { selectStatus } from "../webhooks/webhook-reads.ts";
import {
  deliveryFrom,
  selectCount,
  selectDeliveriesOf,
  selectDueMails,
  selectNewest,
  selectNextMail,
  selectSender,
} from "./mailing-reads.ts";
import {
  auditOfMail,
  type BegunMail,
  beginMail,
  dayOf,
  minuteOf,
  type QueuedBy,
  type QueueRequest,
  queueMail,
  type SettledMail,
  settleMail,
} from "./mailing-writes.ts";

/** The company that mails. */
export interface Sender {
  readonly accountId: string;
  readonly isVerified: boolean;
  readonly isFrozen: boolean;
  /** Its own address, which replies go to. */
  readonly email?: string;
}

export interface MailReading {
  /** Undefined for a connection without an account. */
  readonly sender: Sender | undefined;
  /** The newest delivery of the invoice to the address. */
  readonly newest: InvoiceDelivery | undefined;
  /** Mails that calls have queued in this minute, and in this day of UTC. */
  readonly counted: { readonly inMinute: number; readonly inDay: number };
}

/** An active endpoint and its events. */
export interface MailSubscriber {
  readonly endpointId: string;
  readonly events: readonly WebhookEvent[];
}

export interface DueMails {
  readonly sender: Sender | undefined;
  readonly due: readonly InvoiceDelivery[];
  readonly subscribers: readonly MailSubscriber[];
}

/**
 * Mails of one connection, outside the books and their fence: they never delay issuing. Concurrent calls and
 * instances are settled row by row. Every method is one D1 round trip.
 */
export interface MailingStore {
  readFor(place: Pick<InvoiceDelivery, "invoiceId" | "to">, at: Instant): Promise<MailReading>;
  /** The delivery that the address has then: ours, or one that came first. */
  queue(by: QueuedBy, request: QueueRequest, audit?: AuditEntry): Promise<InvoiceDelivery | undefined>;
  /** Of one invoice, oldest first. */
  readOf(invoiceId: string): Promise<readonly InvoiceDelivery[]>;
  readDue(at: Instant, limit: number): Promise<DueMails>;
  /** When the next mail is due; undefined when none is on its way. */
  readNext(): Promise<Instant | undefined>;
  /** The ids that this instance may send; another instance has the others. */
  begin(attempts: readonly BegunMail[], at: Instant): Promise<readonly string[]>;
  settle(settled: readonly SettledMail[], at: Instant): Promise<void>;
}

export function mailingStore(db: Database, connectionId: string): MailingStore {
  return {
    async readFor(place, at) {
      const [[sender], [newest], [count]] = await db.batch([
        selectSender(db, connectionId),
        selectNewest(db, connectionId, place),
        selectCount(db, connectionId),
      ]);
      return {
        sender: sender && senderFrom(sender),
        newest: newest && deliveryFrom(newest),
        counted: {
          inMinute: count?.minute === minuteOf(at) ? count.inMinute : 0,
          inDay: count?.day === dayOf(at) ? count.inDay : 0,
        },
      };
    },
    async queue(by, request, audit) {
      const [insert, count] = queueMail(db, by, request);
      const line = audit ? [auditOfMail(db, by, request.delivery.id, audit)] : [];
      const newest = selectNewest(db, connectionId, request.delivery);
      const rows = await db.batch([insert, count, ...line, newest]);
      // The select is the last of a mixed batch, which has no types.
      const [found] = rows.at(-1) as Awaited<typeof newest>;
      return found && deliveryFrom(found);
    },
    async readOf(invoiceId) {
      return (await selectDeliveriesOf(db, connectionId, invoiceId)).map(deliveryFrom).toReversed();
    },
    async readDue(at, limit) {
      const [[sender], due, endpoints] = await db.batch([
        selectSender(db, connectionId),
        selectDueMails(db, connectionId, { at, limit }),
        selectStatus(db, connectionId),
      ]);
      return {
        sender: sender && senderFrom(sender),
        due: due.map(deliveryFrom),
        subscribers: endpoints.flatMap(({ id: endpointId, events, endedAt }) =>
          endedAt === null ? [{ endpointId, events: fromOwnJson<readonly WebhookEvent[]>(events) }] : [],
        ),
      };
    },
    async readNext() {
      const [row] = await selectNextMail(db, connectionId);
      return row?.mailDueAt ?? undefined;
    },
    async begin(attempts, at) {
      const [first, ...others] = attempts.map((attempt) => beginMail(db, connectionId, attempt, at));
      if (!first) return [];
      const begun = await db.batch([first, ...others]);
      return begun.flatMap((rows) => rows.map(({ id }) => id));
    },
    async settle(settled, at) {
      const statements = settled.flatMap((mail) => settleMail(db, connectionId, mail, at));
      await allOf(db, statements);
    },
  };
}

async function allOf(db: Database, statements: readonly FencedStatement[]): Promise<void> {
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
}

interface SenderRow {
  readonly accountId: string;
  readonly verification: string;
  readonly frozen: number;
  readonly email: string | null;
}

function senderFrom({ accountId, verification, frozen, email }: SenderRow): Sender {
  const isVerified = isProven(verification);
  return { accountId, isVerified, isFrozen: frozen !== 0, ...(email === null ? {} : { email }) };
}
