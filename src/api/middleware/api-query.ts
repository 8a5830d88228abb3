import type { Context, MiddlewareHandler } from "hono";
import { invariant } from "../../domain/shared/result.ts";
import type { Problem } from "../../words/words.ts";
import type { AppEnv } from "../deps.ts";
import { refuse } from "../refuse.ts";
import {
  type ApiQuery,
  apiQuery,
  LISTED_PARAMETERS,
  PARAMETERS,
  type ParameterName,
} from "../wire/parameters.ts";
import { type PlacedProblem, particularsOf, problemsOf } from "../wire/problems.ts";

/**
 * Reads the query of a route that needs a key. An unknown parameter may be a misspelt known one, so it is
 * refused: a misspelt preview must never issue.
 */
export function queryOf(parameters: readonly ParameterName[]): MiddlewareHandler<AppEnv> {
  const known = parameters.flatMap((parameter) => {
    const { name, in: place } = PARAMETERS[parameter];
    return place === "query" ? [name] : [];
  });
  return async (c, next) => {
    const sent = new URL(c.req.url).searchParams;
    const values = new Map(known.map((name) => [name, sent.getAll(name)]));
    const given = Object.fromEntries([...values].flatMap(([name, all]) => memberOf(name, all)));
    const read = apiQuery.safeParse(given);
    const problems = [
      ...strangeIn(sent, known),
      ...repeatedIn(values),
      ...problemsOf(read.error?.issues ?? [], given),
    ];
    if (read.success && problems.length === 0) {
      c.set("query", read.data);
      return next();
    }
    return refuse(c, "validation_failed", particularsOf(problems, c.var.language));
  };
}

/** The parsed query; only on routes that need a key. */
export function queryIn(c: Context<AppEnv>): ApiQuery {
  const { query } = c.var;
  invariant(query, "the query of the route was read");
  return query;
}

function memberOf(name: string, given: readonly string[]): [string, unknown][] {
  const [first] = given;
  if (first === undefined) return [];
  return [[name, LISTED_PARAMETERS.includes(name) ? given : first]];
}

function strangeIn(sent: URLSearchParams, known: readonly string[]): PlacedProblem[] {
  const problem: Problem =
    known.length > 0
      ? { kind: "unknownParameter", facts: { allowed: known.join(", ") } }
      : { kind: "noParameters" };
  const names = new Set([...sent.keys()].filter((name) => !known.includes(name)));
  return [...names].map((name) => ({ path: [name], problem }));
}

function repeatedIn(values: ReadonlyMap<string, readonly string[]>): PlacedProblem[] {
  return [...values].flatMap(([name, given]) =>
    given.length > 1 && !LISTED_PARAMETERS.includes(name)
      ? [{ path: [name], problem: { kind: "repeatedParameter" } as const }]
      : [],
  );
}
