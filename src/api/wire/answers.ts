import * as z from "zod";
import type { Warning } from "../../domain/invoice/document.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import {
  DOCUMENTARY_FLAGS,
  DOCUMENTARY_REGIMES,
  ID_TYPES,
  INVOICE_TYPES,
  QUALIFICATIONS,
  RECTIFICATION_METHODS,
  TAXES,
} from "../../domain/invoice/request.ts";
import { API_ERRORS, DETAIL_CODES, type WarningCode } from "../../words/words.ts";
import { factsAnswer } from "./plain-facts.ts";

/** Answers as the documentation states them. Tests check every answer against these. */
const date = z.iso.date();
const invoiceType = z.enum(INVOICE_TYPES);
export const amount = z.number().describe("Exact, with at most the decimals of the currency.");
const exact = z.number();

const line = z.strictObject({
  line_id: z.string().optional(),
  description: z.string(),
  quantity: exact,
  price_unit: exact,
  tax_rate: exact,
  discount_rate: exact.optional(),
  equivalence_surcharge_rate: exact.optional(),
  type_tax: z.enum(TAXES),
  regime: z.string().nullable().describe("null with type_tax 05."),
  qualification: z.enum(QUALIFICATIONS),
  taxable_margin: exact.optional(),
  net: amount.describe("Amount of the line without tax."),
  gross: amount.optional().describe("Amount of the line with tax, when prices_include_tax."),
});

const outsideMargin = amount
  .optional()
  .describe("Margin scheme: what is paid beside the margin, in total and neither in base nor in tax.");

export const taxAnswer = z.strictObject({
  type_tax: z.enum(TAXES),
  regime: z.string().nullable(),
  qualification: z.enum(QUALIFICATIONS),
  tax_rate: exact,
  base: amount,
  tax: amount,
  equivalence_surcharge_rate: exact,
  equivalence_surcharge: amount,
  outside_margin: outsideMargin,
});

const totalsEur = z.strictObject({
  ...{ base: amount, tax: amount, surcharge: amount },
  outside_margin: outsideMargin,
  total: amount,
});
const totals = totalsEur.extend({
  withholding: amount.optional(),
  payable: amount
    .optional()
    .describe("total less withholding and gift cards, plus disbursements, where there are any."),
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

const record = z.strictObject({
  record_id: z.string(),
  kind: z.enum(["ALTA", "ANULACION"]),
  position: z.int().min(1).describe("Place in the chain of the connection."),
  hash: z.string().describe("Huella of the record, SHA-256 in upper-case hex."),
  previous_hash: z.string().describe("Empty on the first record of a chain."),
  generated_at: z.string().describe("The record's own literal, with offset."),
  state: z
    .enum(RECORD_STATES)
    .describe("not_submitted: of a connection for tests; no authority gets the record, now or later."),
  aeat_code: z.int().optional().describe("What the AEAT said of the record, where it said something."),
  aeat_message: z.string().optional().describe("The same in the AEAT's own words."),
});

const recipient = z.strictObject({
  company: z.string().optional(),
  vat_number: z.string().optional().describe("In canonical form."),
  country: z.string().optional(),
  address1: z.string().optional(),
  postcode: z.string().optional(),
  city: z.string().optional(),
  id_type: z.enum(ID_TYPES).optional(),
});

const related = z.strictObject({
  external_id: z.string(),
  number: z.string().describe("Series and number in one."),
  issue_date: date,
  invoice_type: invoiceType,
});

const INVOICE_WARNINGS = [
  "recipient_identification_expected",
  "issued_late",
  "company_unverified",
  "connection_for_tests",
] as const satisfies readonly Warning["code"][];

/** The request succeeded; the warning says what to improve. */
export function warningAnswer(codes: readonly WarningCode[]) {
  return z.strictObject({
    code: z.string().meta({ enum: [...codes] }),
    message: z.string(),
    facts: factsAnswer,
  });
}

export const invoiceAnswer = z.strictObject({
  external_id: z.string(),
  invoice_id: z.string(),
  series: z.string(),
  number: z.int().min(1),
  full_number: z.string().describe("Series and number in one: the NumSerieFactura of the record."),
  invoice_type: invoiceType,
  documentary_regime: z.enum(DOCUMENTARY_REGIMES),
  documentary_flags: z.array(z.enum(DOCUMENTARY_FLAGS)),
  description: z.string(),
  test: testAnswer,
  issue_date: date,
  operation_date: date.nullable().describe("null when it is the issue date."),
  currency: z.string(),
  exchange_rate: exact.nullable(),
  exchange_rate_date: date.nullable(),
  prices_include_tax: z.boolean(),
  lines: z.array(line),
  taxes: z.array(taxAnswer),
  disbursements: z
    .array(z.strictObject({ description: z.string(), amount }))
    .optional()
    .describe("Suplidos, in payable and never in total."),
  totals,
  totals_eur: totalsEur,
  issuer: z
    .strictObject({ name: z.string(), nif: z.string(), address: z.string() })
    .describe("As of the issue."),
  recipient: recipient.nullable(),
  verifactu: record.extend({
    qr_url: z
      .string()
      .nullable()
      .describe("null of a connection for tests: no authority would know the invoice."),
    qr_svg: z.string().optional().describe("With ?include=qr_svg."),
    xml: z.string().optional().describe("With ?include=xml: the record as the AEAT gets it."),
  }),
  amendments: z
    .array(record)
    .describe("Records that put right what an earlier one said, oldest first; the invoice stays as it is."),
  rectification_method: z.enum(RECTIFICATION_METHODS).optional(),
  rectified_period: z.strictObject({ from: date, to: date }).optional(),
  rectifies: z.array(related.partial({ external_id: true })),
  rectified_by: z
    .array(related.extend({ kind: z.enum(["difference", "substitution", "replacement"]) }))
    .describe("Only those in force."),
  cancelled: z.boolean(),
  cancellation: record.extend({ reason: z.string() }).optional(),
  warnings: z.array(warningAnswer(INVOICE_WARNINGS)),
  request_id: z.string().describe("X-Request-Id of the request that issued the invoice."),
});

/** Closed as well: an answer with a number is an invoice, and a preview is none. */
export const invoicePreviewAnswer = invoiceAnswer
  .omit({ invoice_id: true, number: true, full_number: true, verifactu: true, cancellation: true })
  .extend({
    preview: z.literal(true),
    series: z.string().describe("Of the series that the number would be of."),
    issue_date: date.describe("Today: an invoice is dated when it is issued."),
    amendments: z.array(record).max(0),
    rectified_by: z.array(related).max(0),
    cancelled: z.literal(false),
    request_id: z.string().describe("X-Request-Id of this request."),
  });

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
