import { z } from "zod";
import { SETUP_STATES } from "../../domain/connection/setup.ts";

const rows = z.int().min(0);
const setupState = z.enum(SETUP_STATES).describe("Orders and customers wait until it is configured.");

const upserted = {
  created: rows.describe("Ids that were not there before."),
  updated: rows.describe("Ids that were."),
};

export const upsertAnswer = z.strictObject({ received: rows.describe("Entries sent."), ...upserted });

export const inventoryAnswer = z.strictObject({
  stores: rows.describe("Stores sent."),
  ...upserted,
  setup_state: setupState,
});

export const moduleVersionAnswer = z.strictObject({
  setup_state: setupState,
  sync_ready: z.boolean().describe("Whether orders are accepted now."),
  store_ids: z
    .string()
    .nullable()
    .describe("The stores selected here, by commas; empty: all; null: the selection is not managed here."),
  contract_version: z.string().describe("The newest version of this contract that is understood whole."),
  invoicing_enabled: z.boolean().describe("Whether the owner's consent to issue stands."),
  customer_access_enabled: z.boolean().describe("Whether customers may see their invoices here."),
});
