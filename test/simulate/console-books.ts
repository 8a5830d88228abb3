/** What must hold of the console's acts at the end: each is once, is what was confirmed, and is whole. */
import { decimal, negate } from "../../src/domain/shared/decimal.ts";
import { type InvoiceRow, type Problem, problem, unless } from "../support/rules/book-rules.ts";
import { documentIn } from "../support/rules/order-rules.ts";
import type { RewindableDatabase } from "../support/worlds/sqlite-d1.ts";
import { type ConnectionBooks, rowsIn } from "./books.ts";
import { ANSWERING, type Desk, type LinesActed } from "./console-acts.ts";
import { ASKING_TOTAL, isAsking } from "./console-steps.ts";

export function consoleProblems(desk: Desk, books: ConnectionBooks, database: RewindableDatabase): Problem[] {
  return [
    ...linesProblems(desk, books),
    ...draftProblems(desk, books, database),
    ...questionProblems(books, database),
  ];
}

/** The confirmed total was issued; of two who saw the same rest one acted. */
function linesProblems({ acted }: Desk, { connectionId, invoices, records, links }: ConnectionBooks) {
  const own = acted.filter((act) => act.connectionId === connectionId);
  const annulled = new Set(records.filter(({ kind }) => kind === "ANULACION").map((row) => row.invoice_id));
  const byKey = [...Map.groupBy(own, ({ key }) => key)];
  const ofKeys = byKey.flatMap(([key, acts]) => {
    const made = new Set(acts.map((act) => act.made.invoiceId));
    return unless(made.size === 1, "doubled", `${key} has ${made.size} invoices`);
  });
  const ofTotals = byKey.flatMap(([key, [act]]) => (act ? totalProblems(key, act, invoices) : []));
  const firsts = byKey.flatMap(([, [act]]) => act ?? []);
  const ofTargets = [...Map.groupBy(firsts, ({ target }) => target)].flatMap(([target, acts]) => {
    // What was annulled since gave its amount back: the same rest may have been seen twice.
    const isGivenBack = links.some((link) => link.target_id === target && annulled.has(link.invoice_id));
    const rests = new Set(acts.map(({ seen }) => seen.left));
    // An annulment that the authority refused is sent again, as a further one of the same invoice.
    const refused = records.filter(
      (row) => row.kind === "ANULACION" && row.invoice_id === target && row.state === "rejected",
    );
    const annulling = acts.filter(({ made }) => made.annulled);
    const isRefused = annulling.length === acts.length && acts.length <= 1 + refused.length;
    const isOnce = isGivenBack || isRefused || rests.size === acts.length;
    return unless(isOnce, "doubled", `two people who saw the same rest of ${target} acted`);
  });
  return [...ofKeys, ...ofTotals, ...ofTargets];
}

function totalProblems(key: string, { seen, made }: LinesActed, invoices: readonly InvoiceRow[]): Problem[] {
  const row = invoices.find(({ id }) => id === made.invoiceId);
  if (!row) return [problem("lost", `${key} was told of an invoice that is not there`)];
  const { total } = documentIn(row).totals;
  const came = made.annulled ? negate(total) : total;
  return unless(came === seen.total, "contradiction", `${key} came to ${came}, and ${seen.total} was seen`);
}

interface DraftRow {
  readonly id: string;
}

/** A draft is an invoice once, with the number and the total that were seen, and then no draft. */
function draftProblems(
  { drafts, issued }: Desk,
  { connectionId, invoices }: ConnectionBooks,
  database: RewindableDatabase,
): Problem[] {
  const left = new Set(rowsIn<DraftRow>(database, "SELECT id FROM invoice_draft").map(({ id }) => id));
  const ofDrafts = drafts.flatMap(({ id }) => {
    const made = invoices.filter(({ origin }) => origin.startsWith(`direct:console:${id}`));
    return [
      ...unless(made.length <= 1, "doubled", `the draft ${id} has ${made.length} invoices`),
      ...unless(made.length === 0 || !left.has(id), "contradiction", `${id} is an invoice and a draft`),
    ];
  });
  const isByHand = invoices.some(({ origin }) => origin.startsWith("direct:console:dr"));
  if (!isByHand) return ofDrafts;
  return [
    ...ofDrafts,
    ...issued.flatMap(({ draftId, seen, made }) => {
      const row = invoices.find(({ id }) => id === made.invoiceId);
      const isSeen =
        row?.full_number === seen.number &&
        made.fullNumber === seen.number &&
        documentIn(row).totals.total === seen.total;
      const what = `${draftId} on ${connectionId} is not the ${seen.number} of ${seen.total} that was seen`;
      return unless(isSeen, "contradiction", what);
    }),
  ];
}

interface JobRow {
  readonly id: string;
  readonly orders: number;
  readonly done: number;
  readonly issued: number;
  readonly rows: number;
  readonly rowsDone: number;
  readonly rowsIssued: number;
}

interface AnsweredRow {
  readonly job_id: string;
  readonly id_external: string;
  readonly apart: number;
  readonly outcome: string;
  readonly lines: number;
}

/** Orders that their owner left out have a row of their own, and do not count. */
const JOBS = `SELECT id, orders, done, issued, count(apart) AS rows, count(outcome) AS rowsDone,
    coalesce(sum(outcome = 'issued'), 0) AS rowsIssued
  FROM review_job LEFT JOIN review_job_order ON review_job_order.connection_id = review_job.connection_id
    AND job_id = id AND apart = 0
  WHERE review_job.connection_id = ? GROUP BY id`;

const ANSWERED = `SELECT job_id, id_external, apart, coalesce(outcome, 'none') AS outcome, (SELECT count(*) FROM audit_log
    WHERE verb = 'answer_order' AND user_id = '${ANSWERING}' || job_id
      AND facts ->> '$.order' = id_external) AS lines
  FROM review_job_order WHERE connection_id = ?`;

const ACTED = ["issued", "settled", "waiting"];

/** Each order of an answer has one outcome and at most one line; the counts are those of the rows. */
function questionProblems(
  { connectionId, invoices, orders }: ConnectionBooks,
  database: RewindableDatabase,
): Problem[] {
  const jobs = rowsIn<JobRow>(database, JOBS, connectionId).flatMap((job) => {
    const isCounted = job.orders === job.rows && job.done === job.rowsDone && job.issued === job.rowsIssued;
    return [
      ...unless(isCounted, "contradiction", `the counts of answer ${job.id} are not those of its orders`),
      ...unless(job.rowsDone === job.rows, "due", `answer ${job.id} left orders without an outcome`),
    ];
  });
  const answered = rowsIn<AnsweredRow>(database, ANSWERED, connectionId).flatMap((row) => {
    const about = `${row.id_external} of answer ${row.job_id} (${row.outcome})`;
    const isMeant = row.apart === 0 && ACTED.includes(row.outcome);
    return [
      ...unless(row.lines <= 1, "doubled", `${about} was answered ${row.lines} times`),
      ...unless(row.lines === 0 || isMeant, "contradiction", `${about} was answered`),
      ...unless(row.apart === 0 || row.outcome !== "issued", "contradiction", `${about} was left out`),
    ];
  });
  const sold = orders.flatMap(({ idExternal }) => {
    if (!isAsking(idExternal)) return [];
    const first = invoices.find(({ origin }) => origin === `order:${idExternal}`);
    const isRight = !first || documentIn(first).totals.total === decimal(ASKING_TOTAL);
    return unless(isRight, "contradiction", `${idExternal} is invoiced with another total`);
  });
  return [...jobs, ...answered, ...sold];
}
