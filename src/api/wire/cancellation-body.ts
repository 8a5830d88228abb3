import { strictObject, text } from "./values.ts";

/** Body of `POST /api/v1/invoice/{external_id}/cancellation`. */
export const cancellationBody = strictObject({
  reason: text(500).describe("Why the invoice should never have existed. Kept, not sent to the AEAT."),
});
