import * as z from "zod";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import { QUALIFICATIONS, TAXES } from "../../domain/invoice/request.ts";
import { API_ERRORS, DETAIL_CODES, type WarningCode } from "../../words/words.ts";
import { factsAnswer } from "./plain-facts.ts";

/** Answers as the documentation states them. Tests check every answer against these. */
export const amountAnswer = z.number().describe("Exact, with at most the decimals of the currency.");
const exact = z.number();

export const outsideMarginAnswer = amountAnswer
  .optional()
  .describe("Margin scheme: what is paid beside the margin, in total and neither in base nor in tax.");

export const taxAnswer = z.strictObject({
  type_tax: z.enum(TAXES),
  regime: z.string().nullable(),
  qualification: z.enum(QUALIFICATIONS),
  tax_rate: exact,
  base: amountAnswer,
  tax: amountAnswer,
  equivalence_surcharge_rate: exact,
  equivalence_surcharge: amountAnswer,
  outside_margin: outsideMarginAnswer,
});

export const RECORD_STATES = [
  "pending_submission",
  "submitted",
  "accepted",
  "accepted_with_errors",
  "rejected",
  "not_submitted",
] as const satisfies readonly RecordState[];

/** Absent from a real invoice. */
export const testAnswer = z
  .literal(true)
  .optional()
  .describe("Of what is no invoice: the company’s NIF was not proven when it was issued. Absent otherwise.");

/** The request succeeded; the warning says what to improve. */
export function warningAnswer(codes: readonly WarningCode[]) {
  return z.strictObject({
    code: z.string().meta({ enum: [...codes] }),
    message: z.string(),
    facts: factsAnswer,
  });
}

/** The same in a list, without the sentence. */
export function listedWarningAnswer(codes: readonly WarningCode[]) {
  return warningAnswer(codes).omit({ message: true });
}

export const errorAnswer = z.strictObject({
  success: z.literal(false),
  error: z.string().describe("A sentence for a human, which says what to do next."),
  error_code: z.string().meta({ enum: Object.keys(API_ERRORS) }),
  retryable: z.boolean().describe("Whether the same request may succeed later without being changed."),
  request_id: z.string(),
  details: z
    .array(
      z.strictObject({
        path: z.string().describe("`lines.2.tax_rate`; lines are counted from 0."),
        code: z.string().describe(`error_code of the answer, or one of ${DETAIL_CODES.join(", ")}.`),
        message: z.string(),
      }),
    )
    .optional(),
});
