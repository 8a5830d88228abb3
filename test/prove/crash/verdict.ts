/** Everything that must hold when the load is over, asked of the books, of the authority and of the API. */
import { isDeepStrictEqual } from "node:util";
import { bookProblems, contentOf, type Problem, problem, unless } from "../../support/rules/book-rules.ts";
import { orderProblems } from "../../support/rules/order-rules.ts";
import { type ReceivedRecord, submissionProblems } from "../submitted-books.ts";
import { CONNECTIONS, type ConnectionName, type Course, type Told } from "./call.ts";
import { type Caller, NOT_OURS } from "./caller.ts";
import type { Question } from "./questions.ts";
import type { ConnectionBooks } from "./stored-books.ts";
import { type BooksOf, toldProblems } from "./told-problems.ts";
import { accessProblems } from "./viewing.ts";

/** All answers against the stored data: the books of every connection, and the authority's. */
export interface Standing {
  readonly told: readonly Told[];
  readonly courses: readonly Course[];
  readonly ids: Readonly<Record<ConnectionName, string>>;
  readonly books: readonly ConnectionBooks[];
  readonly received: readonly ReceivedRecord[];
}

export function standingProblems({ told, courses, ids, books, received }: Standing): Problem[] {
  const records = books.flatMap((own) =>
    own.records.map((row) => ({ ...row, content: contentOf(row.content) })),
  );
  return [
    ...books.flatMap((own) => [...bookProblems(own), ...orderProblems(own)]),
    ...toldProblems(told, courses, byName(books, ids)),
    ...accessProblems(told),
    ...submissionProblems(records, received).map((what) => problem("submission", what)),
  ];
}

function byName(books: readonly ConnectionBooks[], ids: Readonly<Record<ConnectionName, string>>): BooksOf {
  const nothing = { invoices: [], records: [], orders: [], links: [] };
  // One for each name, because there is an entry for each.
  return Object.fromEntries(
    CONNECTIONS.map((name) => [
      name,
      books.find(({ connectionId }) => connectionId === ids[name]) ?? { connectionId: ids[name], ...nothing },
    ]),
  ) as BooksOf;
}

/** A kill excuses no answer: an answer that reports our fault was given by a live product. */
export function faultProblems({ unanswered }: Pick<Caller, "unanswered">): Problem[] {
  return Object.entries(unanswered)
    .filter(([instead]) => instead.startsWith("500 ") && !instead.endsWith(NOT_OURS))
    .map(([instead, count]) => problem("answer", `${instead}, ${count} times`));
}

/** Asks all of it, so many at once. */
export async function askedAgain(
  questions: readonly Question[],
  caller: Caller,
  atOnce: number,
): Promise<Problem[]> {
  const left = [...questions];
  const problems: Problem[] = [];
  const asker = async () => {
    for (let question = left.shift(); question; question = left.shift()) {
      problems.push(...question.check(await caller.until(question.call)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, asker));
  return problems;
}

/** Asking, however often, writes nothing. */
export function writtenBetween(
  before: readonly ConnectionBooks[],
  after: readonly ConnectionBooks[],
): Problem[] {
  return after.flatMap((own) => {
    const then = before.find(({ connectionId }) => connectionId === own.connectionId);
    return (["invoices", "records", "links", "orders"] as const).flatMap((rows) =>
      unless(
        isDeepStrictEqual(then?.[rows], own[rows]),
        "doubled",
        `asking again has changed the ${rows} of ${own.connectionId}`,
      ),
    );
  });
}
