import type { Context } from "hono";
import * as z from "zod";
import { SETUP_STATES } from "../domain/connection/setup.ts";
import type { ShopOutcome, ShopReport } from "../ledger/shop/record-shop.ts";
import type { AppEnv } from "./deps.ts";
import { callObject } from "./keyed-request.ts";
import { refuseAtGate, refuseByRule } from "./refuse.ts";
import { jsonResponse } from "./wire/json.ts";

export const storedRows = z.int().min(0);

export const upserted = {
  created: storedRows.describe("Ids that were not there before."),
  updated: storedRows.describe("Ids that were."),
};

/** The answer to most reports of a shop. */
export const upsertAnswer = z.strictObject({ received: storedRows.describe("Entries sent."), ...upserted });

export const setupState = z.enum(SETUP_STATES).describe("Orders and customers wait until it is configured.");

export type Recorded = Extract<ShopOutcome, { readonly outcome: "recorded" }>;

/** Passes a report to the connection's object; `dataOf` makes the answer. */
export async function reportShop(
  c: Context<AppEnv>,
  report: ShopReport,
  dataOf: (recorded: Recorded) => object,
): Promise<Response> {
  const outcome = await callObject(c, (calls, caller) => calls.reportShop(caller, report));
  switch (outcome.outcome) {
    case "recorded":
      return jsonResponse(200, { success: true, data: dataOf(outcome) });
    case "refused":
      return refuseByRule(c, outcome.refusal);
    default:
      return refuseAtGate(c, outcome);
  }
}
