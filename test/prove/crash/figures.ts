/** The result of a run, as figures. */
import { PROBLEM_KINDS, type Problem } from "../../support/rules/book-rules.ts";
import { DONE, type Told } from "./call.ts";
import type { Caller } from "./caller.ts";
import { byThing, isIssuing, isSending } from "./told-problems.ts";
import type { Standing } from "./verdict.ts";

/** Documented refusals, by code; finished calls, by kind. */
export function answersIn(told: readonly Told[]) {
  const done = told.filter(({ code }) => code === DONE);
  return {
    acknowledged: { all: done.length, ...countBy(done.map(({ call }) => call.kind)) },
    refused_as_documented: countBy(
      told.filter(({ call, code }) => code !== DONE && call.expect.includes(code)).map(({ code }) => code),
    ),
  };
}

export function sendingIn({ told, unanswered, early }: Caller) {
  return {
    answered: told.length,
    /** Calls that got no answer at least once. */
    retried: told.filter(({ tries }) => tries > 1).length,
    sent_again: Object.values(unanswered).reduce((sum, count) => sum + count, 0),
    sent_again_for: unanswered,
    too_early: early,
    /** Invoices and orders made by a call with a lost answer: a later call found them. */
    made_unheard: byThing(
      told.filter((one) => one.code === DONE && (isIssuing(one) || isSending(one))),
    ).filter((own) => !own.some(({ status }) => status === 201)).length,
  };
}

/** Figures of both sides, at the end. */
export function standingIn({ books, received }: Pick<Standing, "books" | "received">) {
  const count = (rows: "invoices" | "records" | "orders") =>
    books.reduce((sum, own) => sum + own[rows].length, 0);
  return {
    ...{ invoices: count("invoices"), records: count("records"), orders: count("orders") },
    records_sent_more_than_once: received.filter((record) => record.received > 1).length,
  };
}

export function problemsIn(problems: readonly Problem[]) {
  const count = (kind: Problem["kind"]) => problems.filter((one) => one.kind === kind).length;
  const others = PROBLEM_KINDS.filter((kind) => !COUNTED.includes(kind)).map((kind) => [kind, count(kind)]);
  return {
    ...{ lost: count("lost"), doubled: count("doubled"), gaps: count("gap") },
    other_problems: Object.fromEntries(others),
  };
}

const COUNTED: readonly Problem["kind"][] = ["lost", "doubled", "gap"];

export function spreadOf(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  const seconds = (at: number) => Math.round((sorted[at] ?? 0) / 100) / 10;
  return {
    shortest: seconds(0),
    median: seconds(Math.floor((sorted.length - 1) / 2)),
    longest: seconds(sorted.length - 1),
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
