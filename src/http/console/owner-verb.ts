import type { Context } from "hono";
import { assertNever } from "../../domain/shared/result.ts";
import type { OwnerRequest } from "../../usecases/owner-request.ts";
import type { ConsoleEnv } from "./deps.ts";
import { refuseByRule, refuseUnavailable } from "./refuse.ts";

/** Does what an owner asks of the connection of the path; what it shows, it shows this once. */
export async function act(
  c: Context<ConsoleEnv>,
  request: OwnerRequest,
): Promise<Readonly<Record<string, string>>> {
  const outcome = await c.var.owner.act(c.var.connection.id, c.var.user.id, request);
  switch (outcome.outcome) {
    case "done":
      return outcome.shown ?? {};
    case "refused":
      return refuseByRule(c, outcome.refusal);
    case "unavailable":
    case "failed":
      return refuseUnavailable(c, outcome);
    default:
      return assertNever(outcome);
  }
}
