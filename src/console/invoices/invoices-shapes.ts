import * as z from "zod";
import { recipient as namedRecipient } from "../../api/wire/invoice-body.ts";
import { date, list, sentText, text } from "../../api/wire/values.ts";
import { isPlace } from "../../domain/invoice/invoice-entry.ts";
import { RECORD_STATES } from "../../domain/invoice/invoice-view.ts";
import { isRectifyingType } from "../../domain/invoice/owner-rectification.ts";
import { ID_TYPES, INVOICE_TYPES, RECTIFICATION_METHODS } from "../../domain/invoice/request.ts";
import { REMEDIES } from "../../domain/verifactu/submission/amendment.ts";
import { cursor } from "../shapes/place.ts";
import { freeText, idOf, month, signedDecimalText } from "../shapes/values.ts";

const place = z.strictObject({ place: sentText(64).refine(isPlace), first: z.int().min(0) });

/** What a list of invoices is filtered by; the cursor goes on from one of its pages. */
export const invoicesQuery = z.strictObject({
  month: month.optional(),
  state: z.enum(RECORD_STATES).optional(),
  series: idOf(60).optional(),
  connection: idOf(64).optional(),
  search: freeText(200).optional(),
  cursor: cursor(place).optional(),
});

export const overviewQuery = z.strictObject({ connection: idOf(64).optional() });

const recipient = z.strictObject({
  company: freeText(255),
  vat_number: freeText(40),
  country: freeText(2).optional(),
  id_type: z.enum(ID_TYPES).optional(),
});

/** Said once: the same id again is a repeat. */
const deed = sentText(64).regex(/^[0-9a-zA-Z-]{8,64}$/);

/** What an owner does about the records of an invoice. */
export const correctionBody = z.discriminatedUnion("correction", [
  z.strictObject({
    correction: z.literal("amend"),
    deed,
    issuer_name: freeText(255).optional(),
    description: freeText(1_000).optional(),
    recipient: recipient.optional(),
    operation_date: date.optional(),
    agreement_number: freeText(40).optional(),
  }),
  z.strictObject({ correction: z.literal("remedy"), deed, remedy: z.enum(REMEDIES) }),
  z.strictObject({ correction: z.literal("annul"), deed, reason: freeText(600) }),
]);

const RECTIFYING = INVOICE_TYPES.filter(isRectifyingType);

const statedAmount = z.strictObject({
  group: idOf(60),
  amount: signedDecimalText,
  /** Of the margin scheme: how much of it is margin. */
  margin: signedDecimalText.optional(),
});

/** A rectification of a direct invoice: amounts by tax group, each as the invoice states them. */
export const rectificationBody = z.strictObject({
  deed,
  invoice_type: z.enum(RECTIFYING),
  method: z.enum(RECTIFICATION_METHODS),
  cause: text(1_000),
  amounts: list(statedAmount, 24),
  /** Whom it names, by substitution somebody else too; absent, whom the invoice names. */
  recipient: namedRecipient.optional(),
});

/** Whose record the AEAT has under the number, as its owner has seen there. */
export const findingBody = z.strictObject({
  found: z.enum(["ours", "foreign"]),
  reason: freeText(600),
});

/** One record, or all of those that were declined for our sake. */
export const resendBody = z.strictObject({ deed, invoice: idOf(64).optional() });

export const attemptsQuery = z.strictObject({
  installation: idOf(64),
  cursor: cursor(z.strictObject({ startedAt: z.int(), row: z.int() })).optional(),
});

export const exportQuery = z.strictObject({ month });
