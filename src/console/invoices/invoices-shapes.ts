import * as z from "zod";
import { recipient as namedRecipient } from "../../api/wire/invoice-body.ts";
import { date, list, sentText, text } from "../../api/wire/values.ts";
import { REMEDIES } from "../../domain/invoice/decide-amendment.ts";
import { isPlace } from "../../domain/invoice/invoice-entry.ts";
import { RECORD_STATES } from "../../domain/invoice/invoice-view.ts";
import { isRectifyingType } from "../../domain/invoice/owner-rectification.ts";
import { ID_TYPES, INVOICE_TYPES, RECTIFICATION_METHODS } from "../../domain/invoice/request.ts";
import { cursor } from "../shapes/place.ts";
import { freeText, idOf, month, signedDecimalText } from "../shapes/values.ts";

const place = z.strictObject({ place: sentText(64).refine(isPlace), first: z.int().min(0) });

/** Filter of the invoice list; the cursor continues from one of its pages. */
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

/** Id of a change: a repeated id is a retry. */
const deed = sentText(64).regex(/^[0-9a-zA-Z-]{8,64}$/);

/** An owner's correction of an invoice's records. */
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
  /** Margin scheme: the part of the amount that is margin. */
  margin: signedDecimalText.optional(),
});

/** A rectification of a direct invoice: one amount per tax group, in the invoice's own form. */
export const rectificationBody = z.strictObject({
  deed,
  invoice_type: z.enum(RECTIFYING),
  method: z.enum(RECTIFICATION_METHODS),
  cause: text(1_000),
  amounts: list(statedAmount, 24),
  /** The recipient; a substitution may name another one. Absent: the invoice's recipient. */
  recipient: namedRecipient.optional(),
});

/** The owner's finding at the AEAT: the record under this number is ours or foreign. */
export const findingBody = z.strictObject({
  found: z.enum(["ours", "foreign"]),
  reason: freeText(600),
});

/** One record, or all records that were declined because of a fault of ours. */
export const resendBody = z.strictObject({ deed, invoice: idOf(64).optional() });

export const attemptsQuery = z.strictObject({
  installation: idOf(64),
  cursor: cursor(z.strictObject({ startedAt: z.int(), row: z.int() })).optional(),
});

export const exportQuery = z.strictObject({ month });
