import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { type ErrorParticulars, errorResponse } from "../api/wire/json.ts";
import type { Refusal } from "../domain/invoice/refusal.ts";
import type { QuotaRefusal } from "../domain/quota.ts";
import { assertNever } from "../domain/shared/result.ts";
import type { GateRefusal } from "../ledger/core/outcomes.ts";
import { type ErrorCode, errorSentence } from "../words/words.ts";
import type { ConsoleEnv } from "./deps.ts";

/**
 * Ends a request with an error of the table. It throws instead of returning, so that a route's type is its
 * success response only; the browser's calls are typed by it.
 */
export function refuse(
  c: Context<ConsoleEnv>,
  code: ErrorCode,
  { facts, ...particulars }: ErrorParticulars = {},
): never {
  const { language, requestId, deps } = c.var;
  c.set("errorCode", code);
  const known = { console_url: deps.consoleUrl, ...facts };
  const res = errorResponse({ language, requestId }, code, { ...particulars, facts: known });
  throw new HTTPException(ERROR_STATUS, { res });
}

/** A placeholder for the exception; the response has the table's status. */
const ERROR_STATUS = 400;

/**
 * Refuses by a rule; `details` names the form's fields that are wrong. A quota adds the seconds to wait if
 * waiting helps.
 */
export function refuseByRule(
  c: Context<ConsoleEnv>,
  refusal: (Refusal<ErrorCode> & { readonly also?: readonly Refusal<ErrorCode>[] }) | QuotaRefusal,
): never {
  const { code, facts = {} } = refusal;
  if ("retryAt" in refusal && refusal.retryAt !== undefined) {
    return refuse(c, code, { facts, retryAfterSeconds: (refusal.retryAt - c.var.deps.now()) / 1_000 });
  }
  const also = "also" in refusal && refusal.also ? refusal.also : [];
  const details = [refusal, ...also].flatMap(({ path: at, code: one, facts: of = {} }) =>
    at === undefined ? [] : [{ path: at, code: one, message: errorSentence(one, of, c.var.language) }],
  );
  return refuse(c, code, { facts, ...(details.length > 0 ? { details } : {}) });
}

/** The object is unavailable or failed before any rule was checked. */
export function refuseUnavailable(
  c: Context<ConsoleEnv>,
  outcome: { readonly cause: string; readonly retryAfterSeconds?: number },
): never {
  c.set("failureCause", outcome.cause);
  if (outcome.retryAfterSeconds === undefined) return refuse(c, "internal_error");
  return refuse(c, "temporarily_unavailable", { retryAfterSeconds: outcome.retryAfterSeconds });
}

/** Refuses every outcome that comes before the rules. */
export function refuseAtGate(c: Context<ConsoleEnv>, outcome: GateRefusal): never {
  switch (outcome.outcome) {
    case "unauthorized":
    case "rate_limited":
      // The object checks keys and rate limits of connectors, never of owners.
      return refuseUnavailable(c, { cause: outcome.outcome });
    case "unavailable":
    case "failed":
      return refuseUnavailable(c, outcome);
    default:
      return assertNever(outcome);
  }
}
