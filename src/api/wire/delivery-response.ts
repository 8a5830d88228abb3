import * as z from "zod";
import {
  DELIVERY_ERRORS,
  EMAIL_STATES,
  MAIL_LANGUAGES,
  MAILED_FORMATS,
} from "../../domain/mailing/invoice-delivery.ts";

/** A delivery as answers and events tell it. */
export const deliveryAnswer = z.strictObject({
  delivery_id: z.string(),
  invoice_id: z.string(),
  to: z.string().describe("In lower case; masked once it was erased."),
  language: z.enum(MAIL_LANGUAGES),
  formats: z.array(z.enum(MAILED_FORMATS)),
  state: z
    .enum(EMAIL_STATES)
    .describe("sent: the mail service took it. Whether it arrived is not known. sent and failed are final."),
  attempts: z
    .int()
    .min(0)
    .describe("Begun so far. After a failure it waits 1, 5, 30 minutes, 2, 6, 24 hours."),
  queued_at: z.iso.datetime(),
  sent_at: z.iso.datetime().nullable(),
  error: z
    .enum(DELIVERY_ERRORS)
    .nullable()
    .describe(
      "Of a failed one. address_refused: the mail service takes no mail for it; correct the address. " +
        "company_unverified: not a confirmed address of the company’s own people. invoice_cancelled: since " +
        "it was queued. too_large: send fewer formats. not_taken: by the mail service in seven attempts; " +
        "send it again. address_erased, invoice_retired: before it was sent.",
    ),
});
