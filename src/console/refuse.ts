import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { type ErrorParticulars, errorResponse } from "../api/wire/json-response.ts";
import type { Refusal } from "../domain/invoice/refusal.ts";
import type { QuotaRefusal } from "../domain/quota.ts";
import { type ErrorCode, errorSentence } from "../words/words.ts";
import type { ConsoleEnv } from "./deps.ts";

/**
 * Ends a request of the console with an error of the table. Thrown, not returned: so a route's type is what
 * it answers when it goes well, and the browser's calls are typed by that.
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

/** Only a name for the exception: the answer has a status of its own. */
const ERROR_STATUS = 400;

/**
 * A no of the rules; where one place of the form is to blame, `details` names it. Of a quota it tells the
 * seconds to wait, where waiting helps.
 */
export function refuseByRule(c: Context<ConsoleEnv>, refusal: Refusal<ErrorCode> | QuotaRefusal): never {
  const { code, path, facts = {} } = refusal;
  if ("retryAt" in refusal && refusal.retryAt !== undefined) {
    return refuse(c, code, { facts, retryAfterSeconds: (refusal.retryAt - c.var.deps.now()) / 1_000 });
  }
  if (path === undefined) return refuse(c, code, { facts });
  const details = [{ path, code, message: errorSentence(code, facts, c.var.language) }];
  return refuse(c, code, { facts, details });
}

/** What an object, or the way to it, answers before any rule. */
export function refuseUnavailable(
  c: Context<ConsoleEnv>,
  outcome: { readonly cause: string; readonly retryAfterSeconds?: number },
): never {
  c.set("failureCause", outcome.cause);
  if (outcome.retryAfterSeconds === undefined) return refuse(c, "internal_error");
  return refuse(c, "temporarily_unavailable", { retryAfterSeconds: outcome.retryAfterSeconds });
}
