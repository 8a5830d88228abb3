import type { Context } from "hono";
import type { Refusal } from "../domain/invoice/refusal.ts";
import { assertNever } from "../domain/shared/result.ts";
import type { GateRefusal } from "../ledger/core/outcomes.ts";
import { BRAKE_SECONDS, isBraked, networkIn } from "../platform/brake.ts";
import { type ErrorCode, errorSentence, type Facts } from "../words/words.ts";
import type { AppEnv } from "./deps.ts";
import { type ErrorParticulars, errorResponse } from "./wire/json.ts";

/** Answers with an error of the table and notes its code for the log line. */
export function refuse(c: Context<AppEnv>, code: ErrorCode, particulars: ErrorParticulars = {}): Response {
  const { language, requestId, deps } = c.var;
  const facts = { console_url: deps.consoleUrl, ...particulars.facts };
  c.set("errorCode", code);
  return errorResponse({ language, requestId }, code, { ...particulars, facts });
}

/** A refusal by the rules; if one member of the request caused it, `details` names it. */
export function refuseByRule(c: Context<AppEnv>, refusal: Refusal<ErrorCode>, facts: Facts = {}): Response {
  const { code, path } = refusal;
  const all = { console_url: c.get("deps").consoleUrl, ...facts, ...refusal.facts };
  if (path === undefined) return refuse(c, code, { facts: all });
  const details = [{ path, code, message: errorSentence(code, all, c.get("language")) }];
  return refuse(c, code, { facts: all, details });
}

/** The answer of the connection's object before it checks the rules. */
export function refuseAtGate(c: Context<AppEnv>, gate: GateRefusal): Response | Promise<Response> {
  switch (gate.outcome) {
    case "unauthorized":
      return refuseAuthentication(c);
    case "rate_limited":
      return refuse(c, "rate_limited", { retryAfterSeconds: gate.retryAfterSeconds });
    case "unavailable":
      c.set("failureCause", gate.cause);
      return refuse(c, "temporarily_unavailable", { retryAfterSeconds: gate.retryAfterSeconds });
    case "failed":
      c.set("failureCause", gate.cause);
      return refuse(c, "internal_error");
    default:
      return assertNever(gate);
  }
}

/** 401 without a reason; a network that fails too often is slowed down first. */
export async function refuseAuthentication(c: Context<AppEnv>): Promise<Response> {
  const isTooMany = await isBraked(c.get("deps").failedAuthentication, networkIn(c));
  if (isTooMany) return refuse(c, "rate_limited", { retryAfterSeconds: BRAKE_SECONDS });
  return refuse(c, "unauthorized");
}
