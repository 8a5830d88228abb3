import type { Context } from "hono";
import type { ShopOutcome, ShopReport } from "../ledger/shop/record-shop.ts";
import type { AppEnv } from "./deps.ts";
import { callerOf } from "./middleware/api-key.ts";
import { refuseAtGate, refuseByRule } from "./refuse.ts";
import { jsonResponse } from "./wire/json-response.ts";

export type Recorded = Extract<ShopOutcome, { readonly outcome: "recorded" }>;

/** Hands a report to the connection's object; `dataOf` says what is answered of it. */
export async function reportShop(
  c: Context<AppEnv>,
  report: ShopReport,
  dataOf: (recorded: Recorded) => object,
): Promise<Response> {
  const caller = callerOf(c);
  const outcome = await c.var.deps.connection(caller.connectionId).reportShop(caller, report);
  c.set("d1Trips", outcome.d1Trips);
  switch (outcome.outcome) {
    case "recorded":
      return jsonResponse(200, { success: true, data: dataOf(outcome) });
    case "refused":
      return refuseByRule(c, outcome.refusal);
    default:
      return refuseAtGate(c, outcome);
  }
}
