import type { Context } from "hono";
import type { OwnerRefusal } from "../domain/connection/owner-refusal.ts";
import type { Refusal } from "../domain/invoice/refusal.ts";
import { assertNever } from "../domain/shared/result.ts";
import { type OwnerRequest, verbOf } from "../ledger/verbs/table.ts";
import type { ConsoleEnv } from "./deps.ts";
import { refuseByRule, refuseUnavailable } from "./refuse.ts";

/** Does what an owner asks of the connection of the path; what it shows, it shows this once. */
export function act(c: Context<ConsoleEnv>, request: OwnerRequest): Promise<Shown> {
  return actAt(c, c.var.connection.id, request);
}

type Shown = Readonly<Record<string, string>>;

/** The same for what holds for the whole account: it is done at one of its connections. */
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

/** Beside its field, where the form of the verb has one. */
function inItsField(refusal: OwnerRefusal, request: OwnerRequest): Refusal<OwnerRefusal["code"]> {
  const path = refusal.path ?? verbOf(request).fieldOf?.[refusal.code];
  return { ...refusal, ...(path === undefined ? {} : { path }) };
}
