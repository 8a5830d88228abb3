/** Mails to customers when the load is over: in the books, and at the local mail service. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type InvoiceRow, type Problem, unless } from "../../support/rules/book-rules.ts";
import { inEachLedger } from "../ledger-files.ts";
import { DONE, memberOf, type Told } from "./call.ts";
import type { ConnectionBooks } from "./stored-books.ts";
import { isOf } from "./told-problems.ts";

export interface StoredMail {
  readonly id: string;
  readonly invoiceId: string;
  readonly address: string;
  readonly cause: string;
  readonly state: string;
  readonly attempts: number;
  readonly error: string | null;
}

export interface Mails {
  readonly stored: readonly StoredMail[];
  /** Of each mail that the service took: the delivery's id and the address. */
  readonly taken: readonly { readonly id: string; readonly to: string }[];
}

/** The demo has mails of its own, so that those of the participating connections are chosen by their invoices. */
export function storedMails(stateDir: string): Mails {
  const stored = inEachLedger(stateDir, (rows) =>
    rows("SELECT * FROM invoice_delivery ORDER BY queued_at, id").map((row) => ({
      ...{ id: String(row.id), invoiceId: String(row.invoice_id), address: String(row.address) },
      ...{ cause: String(row.cause), state: String(row.state), attempts: Number(row.attempts) },
      error: row.error === null ? null : String(row.error),
    })),
  );
  return { stored, taken: takenIn(readFileSync(join(stateDir, "mails.txt"), "utf8")) };
}

/** Notices to owners have no id. */
export function takenIn(text: string): Mails["taken"] {
  return [...text.matchAll(/^To: (.+)\n(?:(?!To: ).+\n)*?X-Entity-Ref-ID: (.+)$/gm)].map(
    ([, to = "", id = ""]) => ({ id, to }),
  );
}

export function mailProblems(
  told: readonly Told[],
  { stored, taken }: Mails,
  books: readonly ConnectionBooks[],
): Problem[] {
  const known = new Map(stored.map((row) => [row.id, row]));
  const asked = told.filter(isOf(["mail", "mail_nowhere"])).filter(({ code }) => code === DONE);
  const counts = Map.groupBy(taken, ({ id }) => id);
  return [
    ...stored.flatMap((row) => endProblems(row, counts.get(row.id)?.length ?? 0)),
    ...doubled(stored),
    ...taken.flatMap(({ id, to }) =>
      unless(known.get(id)?.address === to, "contradiction", `a mail ${id} to ${to} is not in the books`),
    ),
    ...asked.flatMap(({ call, data }) => {
      const row = known.get(String(memberOf(data, "delivery_id")));
      const isIt = row?.invoiceId === memberOf(data, "invoice_id") && row?.address === memberOf(data, "to");
      return unless(isIt, "lost", `${call.id}: its mail is not in the books`);
    }),
    ...switchProblems(
      told,
      stored,
      books.flatMap(({ invoices }) => invoices),
    ),
  ];
}

/** Taken at most once for each attempt: only a lost answer leads to another one. */
function endProblems({ id, state, error, attempts }: StoredMail, times: number): Problem[] {
  const what = `the mail ${id} is ${state} (${error}) after ${attempts} attempts, taken ${times} times`;
  return [
    ...unless(state === "sent" || (state === "failed" && error !== null), "due", what),
    ...unless(times <= attempts, "doubled", what),
    ...unless(error !== "address_refused" || times === 0, "contradiction", what),
  ];
}

function doubled(stored: readonly StoredMail[]): Problem[] {
  const standing = stored.filter(({ state }) => state !== "failed");
  const groups = Map.groupBy(standing, ({ invoiceId, address }) => `${invoiceId} to ${address}`);
  return [...groups].flatMap(([what, { length }]) =>
    unless(length === 1, "doubled", `${what} has ${length} mails`),
  );
}

/** From the owner's switch on, and never before it, an invoice to who accepts is mailed when it is issued. */
function switchProblems(
  told: readonly Told[],
  stored: readonly StoredMail[],
  invoices: readonly InvoiceRow[],
): Problem[] {
  const [switched] = told.filter(isOf(["switch_mailing"]));
  const issued = told.filter(isOf(["issue"])).filter(({ code }) => code === DONE);
  const known = new Set(invoices.map(({ id }) => id));
  return issued.flatMap(({ call, data, began, ended }) => {
    const invoiceId = String(memberOf(data, "invoice_id"));
    if (!known.has(invoiceId)) return [];
    const accepts = memberOf(memberOf(call.body, "recipient"), "accepts_electronic") === true;
    const { length } = stored.filter((row) => row.invoiceId === invoiceId && row.cause === "issued");
    const isBefore = !switched || ended < switched.began;
    const isAfter = switched !== undefined && began > switched.ended;
    return [
      ...unless(
        length === 0 || (accepts && !isBefore),
        "contradiction",
        `${call.id} was mailed when issued, which nobody had switched on`,
      ),
      ...unless(!accepts || !isAfter || length === 1, "lost", `${call.id} was to be mailed when issued`),
    ];
  });
}
