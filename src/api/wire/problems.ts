import type { Context } from "hono";
import type * as z from "zod";
import { type Bilingual, type Language, PROBLEMS, type Problem, problemSentence } from "../../words/words.ts";
import { refuse } from "../refuse.ts";
import { type ErrorDetail, type ErrorParticulars, JsonNumber } from "./json.ts";

const MOST_DETAILS = 100;

type Issue = z.core.$ZodIssue;

export interface Checked {
  readonly success: boolean;
  readonly data: unknown;
  readonly error?: { readonly issues: readonly Issue[] };
}

export interface PlacedProblem {
  readonly path: readonly PropertyKey[];
  readonly problem: Problem;
}

/** Hook of every `zValidator`: all problems at once, in the one error shape. */
export function refuseShape(checked: Checked, c: Context): Response | undefined {
  if (checked.success) return undefined;
  return refuse(c, "validation_failed", shapeProblems(checked, c.get("language")));
}

/** Every problem of a shape, in words and with its place. */
export function shapeProblems({ error, data }: Checked, language: Language): ErrorParticulars {
  return particularsOf(problemsOf(error?.issues ?? [], data), language);
}

/** The same in words, with a count. */
export function particularsOf(problems: readonly PlacedProblem[], language: Language): ErrorParticulars {
  const details = problems.slice(0, MOST_DETAILS).map((placed) => detailOf(placed, language));
  return { facts: { problems: counted(problems.length) }, details };
}

function counted(count: number): Bilingual {
  if (count === 1) return { en: "One value is not valid", es: "Hay un dato que no vale" };
  return { en: `${count} values are not valid`, es: `Hay ${count} datos que no valen` };
}

function detailOf({ path, problem }: PlacedProblem, language: Language): ErrorDetail {
  const isWhole = problem.kind === "objectExpected" && path.length === 0;
  const found: Problem = isWhole ? { kind: "bodyNotObject" } : problem;
  const place = path.map(String).join(".");
  const { code } = PROBLEMS[found.kind];
  return { path: place, code, message: problemSentence(found, place, language) };
}

export function problemsOf(issues: readonly Issue[], sent: unknown): PlacedProblem[] {
  return issues.flatMap((issue) => problemsOfIssue(issue, sent));
}

function problemsOfIssue(issue: Issue, sent: unknown): PlacedProblem[] {
  const { path } = issue;
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({ path: [...path, key], problem: { kind: "unknownField" } }));
    case "invalid_union":
      // The member that selects the form names none of them.
      if (issue.errors.length === 0) return [{ path, problem: UNKNOWN_FORM }];
      return nearestBranch(issue.errors, valueAt(sent, path)).map((placed) => ({
        path: [...path, ...placed.path],
        problem: placed.problem,
      }));
    default:
      return [{ path, problem: problemOf(issue, valueAt(sent, path)) }];
  }
}

const UNKNOWN_FORM: Problem = {
  kind: "invalidValue",
  facts: { expected: { en: "one of the forms that there are", es: "una de las formas que hay" } },
};

/** The form with the fewest problems is taken as the intended one. */
function nearestBranch(branches: readonly (readonly Issue[])[], sent: unknown): readonly PlacedProblem[] {
  const [first, ...others] = branches.map((issues) => problemsOf(issues, sent));
  // If the selecting member fits no form, a discriminated union reports nothing about its branches.
  if (!first) return [{ path: [], problem: { kind: "invalidValue" } }];
  return others.reduce((best, next) => (next.length < best.length ? next : best), first);
}

function problemOf(issue: Issue, value: unknown): Problem {
  // A body that is null is not absent.
  const isAbsent = issue.path.length > 0 && (value === undefined || value === null);
  switch (issue.code) {
    case "invalid_type":
      return isAbsent ? { kind: "required" } : wrongType(issue.expected);
    case "invalid_value":
      if (isAbsent) return { kind: "required" };
      if (typeof value !== "string") return wrongType("string");
      return { kind: "notAllowed", facts: { allowed: issue.values.map(String).join(", ") } };
    case "too_small":
      return { kind: "empty" };
    case "too_big":
      return { kind: "tooLong", facts: { maximum: String(issue.maximum), unit: ENTRIES } };
    default:
      return ownProblem(issue, isAbsent);
  }
}

/** The problem that our own check attached; otherwise the check has no words. */
function ownProblem(issue: Issue, isAbsent: boolean): Problem {
  const attached: unknown = issue.code === "custom" ? issue.params?.problem : undefined;
  const problem = isProblem(attached) ? attached : undefined;
  if (isAbsent && problem?.kind === "wrongType") return { kind: "required" };
  return problem ?? { kind: "invalidValue" };
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "kind" in value && String(value.kind) in PROBLEMS;
}

const ENTRIES: Bilingual = { en: "entries", es: "elementos" };

const TYPE_NAMES: Readonly<Record<string, Bilingual>> = {
  string: { en: "text", es: "un texto" },
  boolean: { en: "true or false", es: "true o false" },
  array: { en: "a list", es: "una lista" },
};

function wrongType(expected: string): Problem {
  if (expected === "object") return { kind: "objectExpected" };
  return { kind: "wrongType", facts: { expected: TYPE_NAMES[expected] ?? expected } };
}

function valueAt(sent: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = sent;
  for (const member of path) value = memberOf(value, member);
  return value;
}

function memberOf(value: unknown, member: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || value instanceof JsonNumber) return undefined;
  return Object.getOwnPropertyDescriptor(value, member)?.value;
}
