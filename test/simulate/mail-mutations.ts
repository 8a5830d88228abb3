/** Deliberate breaks of mails to customers. */
import { type Mutation, patch } from "./patches.ts";

const DECIDE = "ledger/orders/decide-order.ts";
const DELIVER = "work/mailing/deliver-mails.ts";
const WRITES = "db/mailing/mailing-writes.ts";

export const MAIL_MUTATIONS: readonly Mutation[] = [
  {
    name: "mail-unclaimed",
    what: "an attempt to mail is made by every instance that finds it due",
    patches: [
      patch(
        WRITES,
        "        eq(invoiceDelivery.attempts, before.attempts),\n        sql`",
        "        sql`1 OR ",
      ),
    ],
  },
  {
    name: "mail-unsettled",
    what: "a mail that was taken is not noted as sent",
    patches: [
      patch(
        DELIVER,
        'const final = all.filter(({ state }) => state !== "queued");',
        'const final = all.filter(({ state }) => state === "failed");',
      ),
    ],
  },
  {
    name: "mail-forgotten",
    what: "neither alarm nor cron wakes anybody for a mail that is to be tried again",
    patches: [
      patch(
        "db/due/due-store.ts",
        "WHERE §{invoiceDelivery.dueAt} <= §{overdueSince}",
        "WHERE 0 AND §{invoiceDelivery.dueAt} <= §{overdueSince}",
      ),
      patch(
        DELIVER,
        "return { nextRunAt: next && Math.max(next, deps.now()), hasEvents };",
        "return { nextRunAt: undefined, hasEvents };",
      ),
      patch(
        "work/due-work.ts",
        "if (nextRunAt === undefined || nextRunAt > deps.now()) return { nextRunAt, hasEvents: false };",
        "if (nextRunAt === undefined || nextRunAt > deps.now()) return { nextRunAt: undefined, hasEvents: false };",
      ),
    ],
  },
  {
    name: "mail-repeated",
    what: "a call for an invoice that was mailed queues another mail",
    patches: [
      patch(
        "domain/mailing/decide-mailing.ts",
        "if (newest && isStanding(newest, request)) return",
        "if (false) return",
      ),
      patch(WRITES, "WHERE NOT §{isKnown}", "WHERE 1 OR NOT §{isKnown}"),
    ],
  },
  {
    name: "mail-not-issued",
    what: "the switch queues no mail with an invoice",
    patches: [
      patch("ledger/issue/draft-records.ts", "if (to !== undefined) queueMail(to, view, working, deps);", ""),
    ],
  },
  {
    name: "mail-of-backfill",
    what: "earlier orders that a backfill brings in are mailed",
    patches: [patch(DECIDE, "return isReleased || isBackfilled === true ||", "return isReleased ||")],
  },
  {
    name: "mail-of-released",
    what: "orders from before the cutoff are mailed when they are released",
    patches: [
      patch(DECIDE, "return isReleased || isBackfilled === true ||", "return isBackfilled === true ||"),
    ],
  },
  {
    name: "mail-after-erasure",
    what: "an erasure leaves the mails that are queued",
    patches: [
      patch(
        "db/orders/erased-emails.ts",
        'maskAddresses(db, invoices, { because: "address_erased", at }),',
        "",
      ),
    ],
  },
  {
    name: "mail-from-invoice",
    what: "a call without an address takes the one on the invoice, also after an erasure",
    patches: [
      patch(
        "domain/mailing/decide-mailing.ts",
        "(order ? ofClient : document.request.recipient?.email)",
        "(ofClient ?? document.request.recipient?.email)",
      ),
    ],
  },
];
