import * as z from "zod";
import { text } from "../../api/wire/values.ts";
import { decimalText, version } from "../shapes/values.ts";
import { REGIMES, registry } from "./company-shapes.ts";

/** The members of an existing company that may change. */
export const companyChangeBody = z.strictObject({
  legal_name: text(120),
  address1: text(250),
  postcode: text(10),
  city: text(100),
  default_regime: z.enum(REGIMES),
  registry,
  common_rules_apply: z.boolean(),
  version,
});

export const authorisationBody = z.strictObject({
  number: text(100),
  limit: decimalText,
  agreement_number: text(60).nullish(),
});

export const authorisationQuery = z.strictObject({ number: z.string().max(100) });

/** A kept rate, as the company page shows it. */
export const ossRateQuery = z.strictObject({ area: z.string().max(40), rate: decimalText });
