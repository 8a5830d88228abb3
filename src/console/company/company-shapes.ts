import * as z from "zod";
import { text } from "../../api/wire/values.ts";

export const TERRITORIES = ["peninsula", "canarias", "ceuta_melilla"] as const;
export const REGIMES = ["01", "07", "18"] as const;

/** Registry data as printed; empty if the company need not print any. */
export const registry = z.union([z.literal(""), text(250)]);

/** The form on the second page of signing up. */
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
