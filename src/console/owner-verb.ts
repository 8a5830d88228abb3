import type { Context } from "hono";
import type { OwnerRefusal } from "../domain/connection/owner-verbs.ts";
import type { Refusal } from "../domain/invoice/refusal.ts";
import { assertNever } from "../domain/shared/result.ts";
import { type OwnerRequest, verbOf } from "../ledger/verbs/table.ts";
import type { ConsoleEnv } from "./deps.ts";
import { refuse, refuseByRule, refuseUnavailable } from "./refuse.ts";

/** Executes an owner's verb at the path's connection; secrets in the result are shown only once. */
export function act(c: Context<ConsoleEnv>, request: OwnerRequest): Promise<Shown> {
  return actAt(c, c.var.connection.id, request);
}

type Shown = Readonly<Record<string, string>>;

/**
 * Account-wide verbs all run at the object of the account's first connection: one fence orders them, so that
 * the last word of two that oppose each other holds, whichever page they came from.
 */
export async function actForAccount(c: Context<ConsoleEnv>, request: OwnerRequest): Promise<Shown> {
  const { reads, account } = c.var;
  const connectionId = await reads.company.firstConnection(account.accountId);
  return actAt(c, connectionId ?? refuse(c, "connection_needed"), request);
}

/** At the connection that issued what the verb is about. */
export async function actAt(
  c: Context<ConsoleEnv>,
  connectionId: string,
  request: OwnerRequest,
): Promise<Shown> {
  const outcome = await c.var.deps.owner(connectionId).act(connectionId, c.var.user.id, request);
  switch (outcome.outcome) {
    case "done":
      return outcome.shown ?? {};
    case "refused":
      return refuseByRule(c, inItsField(outcome.refusal, request));
    case "unavailable":
    case "failed":
      return refuseUnavailable(c, outcome);
    default:
      return assertNever(outcome);
  }
}

/** Puts the refusal at the form field that the verb assigns to its code. */
function inItsField(refusal: OwnerRefusal, request: OwnerRequest): Refusal<OwnerRefusal["code"]> {
  const path = refusal.path ?? verbOf(request).fieldOf?.[refusal.code];
  return { ...refusal, ...(path === undefined ? {} : { path }) };
}
