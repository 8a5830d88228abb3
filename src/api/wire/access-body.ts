import { z } from "zod";
import type { AccessRequest } from "../../db/access/viewer-ports.ts";
import { PRESENTATIONS } from "../../domain/viewer/access.ts";
import { LONGEST_ORIGIN } from "../../domain/viewer/origin.ts";
import { freeText, idText, members, whenSent } from "./order-values.ts";
import { present } from "./present.ts";
import { list } from "./values.ts";

const MOST_ORDERS = 50;

/** Body of `POST /api/v1/order/invoice-availability`. */
export const availabilityBody = members({
  order_ids: list(idText(), MOST_ORDERS, 1).describe("Identifiers of orders, as sent in id_external."),
});

/** Body of `POST /api/v1/order/invoice-access`. */
export const accessBody = members({
  order_id: idText().describe("Identifier of the order, as sent in id_external."),
  presentation: z
    .enum(PRESENTATIONS)
    .describe("link: a page of its own, which nobody can frame. embed: for a frame of one origin."),
  origin: whenSent(freeText(LONGEST_ORIGIN)).describe(
    "With embed: the exact https origin of the page with the frame, such as https://shop.example. It must " +
      "be registered by the owner, or be that of a reported store.",
  ),
});

export function toAccessRequest(body: z.output<typeof accessBody>): AccessRequest {
  const { order_id, presentation, origin } = body;
  return { idExternal: order_id, presentation, ...present({ origin }) };
}

const state = z.enum(["available", "not_available"]);

export const availabilityAnswer = z.strictObject({
  items: z
    .array(z.strictObject({ order_id: z.string(), state }))
    .describe("In the order asked. not_available also for unknown orders, and while access is off."),
});

export const accessAnswer = z.strictObject({
  state: state.describe("not_available: the order has no invoice yet."),
  viewer_url: z
    .string()
    .optional()
    .describe("Only when available. Whoever has it sees the invoices: do not log, store or share it."),
  expires_at: z.iso.datetime().optional().describe("30 minutes from now; then ask again."),
});
