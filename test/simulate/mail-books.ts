/** What must hold of mails to customers at the end. */
import { mailedWhenIssued } from "../../src/domain/mailing/mail-switch.ts";
import { orderOriginOf } from "../../src/domain/order/order-origin.ts";
import type { Problem } from "../support/rules/book-rules.ts";
import { problem, unless } from "../support/rules/book-rules.ts";
import { documentIn } from "../support/rules/order-rules.ts";
import type { RewindableDatabase } from "../support/worlds/sqlite-d1.ts";
import { type ConnectionBooks, rowsIn } from "./books.ts";
import { count } from "./figures.ts";
import { placeOf } from "./mail-acts.ts";
import { addressOf, type Mailed } from "./mail-steps.ts";
import type { World } from "./world.ts";

interface MailRow {
  readonly id: string;
  readonly invoice_id: string;
  readonly address: string;
  readonly cause: string;
  readonly state: string;
  readonly attempts: number;
  readonly sent_at: number | null;
  readonly error: string | null;
}

type InvoiceRow = ConnectionBooks["invoices"][number];

export function mailProblems(world: World, books: ConnectionBooks, database: RewindableDatabase): Problem[] {
  const rows = rowsIn<MailRow>(
    database,
    "SELECT * FROM invoice_delivery WHERE connection_id = ? ORDER BY queued_at, id",
    books.connectionId,
  );
  for (const { error } of rows) if (error !== null) count(world.figures, `mail ended as ${error}`);
  return [
    ...rows.flatMap((row) => endProblems(row, world)),
    ...doubledProblems(rows, world),
    ...callProblems(rows, books, world),
    ...books.invoices.flatMap((invoice) => switchProblems(invoice, { rows, books, world })),
  ];
}

/** Every mail has ended, and as its last attempt did. */
function endProblems(row: MailRow, { mails }: World): Problem[] {
  const { id, state, error, attempts, sent_at: sentAt } = row;
  const calls = mails.service.calls.filter(({ deliveryId }) => deliveryId === id);
  const last = calls.find(({ attempt }) => attempt === attempts);
  const told = `the mail ${id} is ${state} ${error ?? ""} after ${attempts} attempts`;
  const isTaken = calls.some((call) => call.isTaken);
  return [
    ...unless(state !== "queued", "due", told),
    ...unless((state === "failed") === (error !== null), "contradiction", told),
    ...unless((state === "sent") === (sentAt !== null), "contradiction", told),
    ...unless(state !== "sent" || isTaken, "contradiction", `${told}, and nobody took it`),
    ...unless(
      state !== "sent" || last?.told === "taken",
      "contradiction",
      `${told}, and its last attempt was not taken`,
    ),
    ...unless(
      error !== "not_taken" || last?.told !== "taken",
      "contradiction",
      `${told}, and its last attempt was taken`,
    ),
    ...unless(
      error !== "address_refused" || last?.told === "refused",
      "contradiction",
      `${told}, and the service never said so`,
    ),
  ];
}

/**
 * A document has one mail to an address, but for mails that failed and those that somebody asked for
 * again.
 */
function doubledProblems(rows: readonly MailRow[], { mails }: World): Problem[] {
  const standing = rows.filter(({ state }) => state !== "failed");
  const groups = Map.groupBy(standing, (row) => `${row.invoice_id} ${row.address}`);
  return [...groups].flatMap(([about, { length }]) => {
    const [invoiceId = ""] = about.split(" ");
    const most = 1 + (mails.resends.get(invoiceId) ?? 0);
    return unless(length <= most, "doubled", `${about} has ${length} mails`);
  });
}

/**
 * Each attempt is written before it is made, and made once: a mail is repeated only if the answer of
 * the one before did not reach its instance. None goes to an address that was erased.
 */
function callProblems(
  rows: readonly MailRow[],
  { connectionId, invoices }: ConnectionBooks,
  { mails }: World,
) {
  const known = new Map(rows.map((row) => [row.id, row]));
  const own = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  const calls = mails.service.calls.filter(({ invoiceId }) => own.has(invoiceId));
  const made = Map.groupBy(calls, ({ deliveryId, attempt }) => `attempt ${attempt} of ${deliveryId}`);
  return [
    ...[...made].flatMap(([what, { length }]) =>
      unless(length === 1, "doubled", `${what} was made ${length} times`),
    ),
    ...calls.flatMap(({ deliveryId, invoiceId, attempt, to, at }) => {
      const row = known.get(deliveryId);
      const what = `the mail ${deliveryId} to ${to}`;
      const isWritten = row !== undefined && row.invoice_id === invoiceId && attempt <= row.attempts;
      const orderId = orderOriginOf(own.get(invoiceId)?.origin ?? "")?.idExternal ?? "";
      const place = placeOf(connectionId, orderId);
      const isErased = to === addressOf(orderId) && mails.isErasedAt(place, at, BEGUN_BEFORE_MS);
      return [
        ...unless(isWritten, "contradiction", `${what} was sent without its attempt in the books`),
        ...unless(!isErased, "contradiction", `${what} was sent after its erasure`),
      ];
    }),
  ];
}

/** An attempt that was begun before the erasure reads the invoice until then. */
const BEGUN_BEFORE_MS = 30_000;

interface Switching {
  readonly rows: readonly MailRow[];
  readonly books: ConnectionBooks;
  readonly world: World;
}

/** Issuing mails exactly what the owner's switch said at the moment of the commit. */
function switchProblems(invoice: InvoiceRow, { rows, books, world }: Switching): Problem[] {
  const { connectionId } = books;
  const registration = books.records.find(
    (record) => record.invoice_id === invoice.id && record.kind === "ALTA",
  );
  const to = world.mails.switchAt(connectionId, registration?.position ?? 0);
  const { recipient } = documentIn(invoice).request;
  const made = rows.filter((row) => row.invoice_id === invoice.id && row.cause === "issued");
  const name = `${invoice.origin} (${to})`;
  const isBarred = isLeftOut(invoice, books, world);
  const wanted = to === undefined ? undefined : mailedWhenIssued(recipient, SWITCHES[to]);
  return [
    ...unless(made.length <= 1, "doubled", `${name} was mailed ${made.length} times when issued`),
    ...unless(isBarred !== true || made.length === 0, "contradiction", `${name} was mailed, and is left out`),
    ...unless(
      to === undefined || wanted !== undefined || made.length === 0,
      "contradiction",
      `${name} was mailed, and its owner has not switched that on`,
    ),
    ...unless(
      wanted === undefined || isBarred !== false || made.length === 1,
      "lost",
      `${name} was to be mailed to ${wanted} when issued`,
    ),
  ];
}

const SWITCHES = {
  nobody: undefined,
  accepting: {},
  everyone: { declared: { textVersion: "1", by: "", at: 0 } },
} as const satisfies Readonly<Record<Mailed, object | undefined>>;

/**
 * True for an order that surely came by a backfill, or is from before the cutoff; false for one that
 * surely did neither. Only its first invoice is left out; what corrects it then and there nobody knows
 * from outside.
 */
function isLeftOut(
  { origin }: InvoiceRow,
  { connectionId }: ConnectionBooks,
  { native, mails, shops }: World,
): boolean | undefined {
  const found = orderOriginOf(origin);
  if (!found) return false;
  const { idExternal: id } = found;
  const isFirst = found.of === "order";
  const { shop, asked, hasConfirmed, connection } = native.fetching;
  if (connection.connectionId === connectionId) {
    if (!hasConfirmed) return false;
    const isOnlyConfirmed = !asked.has(id) && !isFoundBySearch(shop.newest(id)?.order.modifiedAt, native);
    return isOnlyConfirmed && isFirst ? true : undefined;
  }
  if (connectionId !== shops.new.connectionId) return false;
  const isKnownBefore = mails.beforeCutoff.has(placeOf(connectionId, id));
  return isKnownBefore && isFirst ? true : undefined;
}

function isFoundBySearch(modifiedAt = 0, { fetching }: World["native"]): boolean {
  return modifiedAt > fetching.connectedAt - 1_000;
}

/** An erasure takes the address out of the body that came, which keeps the hash of what was decided. */
export function isErasedBody(
  { what }: Problem,
  { connectionId }: ConnectionBooks,
  { mails }: World,
): boolean {
  return what.startsWith(BODY) && mails.perhapsErased.has(placeOf(connectionId, what.slice(BODY.length)));
}

const BODY = "body of ";

/** Each end of a mail reaches a webhook under one message. */
export function mailMessageProblems({ receivers }: World): Problem[] {
  const subjects = [...receivers.received.values()].flatMap(({ url, body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
    return type.startsWith("invoice.email") ? [`${url} ${data.delivery_id}`] : [];
  });
  const doubled = [...Map.groupBy(subjects, (subject) => subject)].filter(([, { length }]) => length > 1);
  return doubled.map(([subject]) => problem("doubled", `the end of ${subject} was published twice`));
}
