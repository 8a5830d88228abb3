import * as z from "zod";
import { text } from "../../api/wire/values.ts";
import { ARTICLE_4_2_OPERATIONS } from "../../domain/invoice/request.ts";
import { decimalText, version } from "../shapes/values.ts";
import { destinationsChange, foreignSales } from "./destinations-shapes.ts";

const treatment = z.discriminatedUnion("as", [
  z.strictObject({ as: z.enum(["payment", "discount", "ignore_non_taxable", "hold"]) }),
  z.strictObject({ as: z.literal("fee"), rate: decimalText }),
]);

/** Change of sales declarations: an absent member stays, null removes it. */
const salesShape = {
  issuing_mode: z.enum(["automatic", "review", "none"]).optional(),
  customer_credit: z.enum(["discount", "payment", "review"]).optional(),
  voucher_kind: z.enum(["multi_purpose", "single_purpose"]).optional(),
  zero_rate_basis: z.enum(["E1", "E6", "N1", "S1"]).nullish(),
  destinations: destinationsChange.optional(),
  foreign_sales: foreignSales.nullish(),
  article_4_2: z.enum(ARTICLE_4_2_OPERATIONS).nullish(),
  under_authorisation: z.boolean().optional(),
  discounts_included: z.boolean().optional(),
  rounding_rate: decimalText.nullish(),
  treatments: z.record(z.string().min(1).max(300), treatment.nullable()).optional(),
};

export const salesBody = z.strictObject({ ...salesShape, version });
export type SalesBody = Omit<z.infer<typeof salesBody>, "version">;

const name = text(200);
const match = text(255);
const stem = text(120);

export const newProfileBody = z.strictObject({
  ...{ name, channel: match.nullish(), store_id: match.nullish(), stem },
  ...salesShape,
});

export const profileChangeBody = z.strictObject({
  ...{ name: name.optional(), channel: match.nullish(), store_id: match.nullish(), stem: stem.optional() },
  ...salesShape,
  version,
});
export type ProfileChangeBody = Omit<z.infer<typeof profileChangeBody>, "version">;

/** An order by its id, or by the members that select a profile. */
export const orderTestBody = z.strictObject({
  order: match.nullish(),
  channel: match.nullish(),
  store_id: match.nullish(),
  /** The profile as the form shows it. */
  draft: z
    .strictObject({
      ...{ id: z.string().max(40).optional(), name: z.string().max(200), stem: z.string().max(120) },
      ...{ channel: match.nullish(), store_id: match.nullish() },
    })
    .optional(),
});
export type OrderTestBody = z.infer<typeof orderTestBody>;
