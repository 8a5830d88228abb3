import * as z from "zod";
import { INVOICE_TYPES } from "../../domain/invoice/request.ts";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { ORDER_REASONS, ORDER_WARNINGS } from "../../domain/order/reasons.ts";
import { amountAnswer, RECORD_STATES, taxAnswer, testAnswer, warningAnswer } from "./answers.ts";
import { factsAnswer } from "./plain-facts.ts";

const NULL_IN_PREVIEW = "null in a preview.";

/** The document describes the facts of each code. */
export const reasonAnswer = z.strictObject({
  code: z.string().meta({ enum: ORDER_REASONS.map(({ code }) => code) }),
  message: z.string().describe("What happened and what to do, in the language asked for."),
  facts: factsAnswer,
});

const invoice = z.strictObject({
  invoice_id: z.string().nullable().describe(NULL_IN_PREVIEW),
  series: z.string(),
  number: z.int().min(1).nullable().describe(NULL_IN_PREVIEW),
  full_number: z.string().nullable().describe(`Series and number in one. ${NULL_IN_PREVIEW}`),
  invoice_type: z.enum(INVOICE_TYPES),
  base: amountAnswer,
  tax: amountAnswer,
  surcharge: amountAnswer,
  total: amountAnswer,
  currency: z.string(),
  issue_date: z.iso.date(),
  kind: z
    .enum(["invoice", "rectification", "replacement"])
    .describe("replacement is the full invoice in the place of a simplified one."),
  state: z
    .enum([...RECORD_STATES, "cancelled"])
    .nullable()
    .describe(`The state of its record, or cancelled. ${NULL_IN_PREVIEW}`),
  taxes: z.array(taxAnswer),
});

export const orderAnswer = z.strictObject({
  id_external: z.string(),
  state: z
    .enum(ORDER_STATES)
    .describe(
      "stored: kept, no invoice is due. deferred: until the owner's consent. before_cutoff, " +
        "store_not_selected: not invoiced here. held: something waits for the owner; its invoices stay " +
        "valid. invoiced, partially_rectified, rectified: as its documents say. cancelled: none was " +
        "issued, or it was annulled.",
    ),
  test: testAnswer,
  reasons: z.array(reasonAnswer).describe("Why it stands so; one for each thing that holds it."),
  invoices: z.array(invoice).describe("Oldest first."),
  contract_version: z.string().describe("The version in which the order was understood."),
  warnings: z.array(warningAnswer(ORDER_WARNINGS.map(({ code }) => code))),
  preview: z.literal(true).optional().describe("Only in a preview: nothing was stored or issued."),
});
