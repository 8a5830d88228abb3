import * as z from "zod";
import { text } from "../../api/wire/values.ts";

export const TERRITORIES = ["peninsula", "canarias", "ceuta_melilla"] as const;
export const REGIMES = ["01", "07", "18"] as const;

/** Where the company is registered, as it prints; empty where it has to print nothing. */
export const registry = z.union([z.literal(""), text(250)]);

/** What the second page of signing up asks. */
export const companyBody = z.strictObject({
  legal_name: text(120),
  nif: text(20),
  address1: text(250),
  postcode: text(10),
  city: text(100),
  territory: z.enum(TERRITORIES),
  default_regime: z.enum(REGIMES),
  registry: registry.default(""),
  common_rules_apply: z.boolean(),
  keeps_books_in_sii: z.boolean(),
});
