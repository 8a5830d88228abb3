import type { Context } from "hono";
import * as z from "zod";
import { grantEndsAt, PRESENTATIONS } from "../../domain/viewer/access.ts";
import { LONGEST_ORIGIN } from "../../domain/viewer/origin.ts";
import type { AccessOutcome, AccessRequest } from "../../ledger/access/customer-access.ts";
import { mintToken } from "../../viewer/viewer-token.ts";
import type { AppEnv } from "../deps.ts";
import { BODY_ERRORS, endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { callerOf, callObject } from "../keyed-request.ts";
import { refuseAtGate, refuseByRule } from "../refuse.ts";
import { jsonResponse, present } from "../wire/json.ts";
import { freeText, idText, members, whenSent } from "../wire/order-values.ts";

const body = members({
  order_id: idText().describe("Identifier of the order, as sent in id_external."),
  presentation: z
    .enum(PRESENTATIONS)
    .describe("link: a page of its own, which nobody can frame. embed: for a frame of one origin."),
  origin: whenSent(freeText(LONGEST_ORIGIN)).describe(
    "With embed: the exact https origin of the page with the frame, such as https://shop.example. It must " +
      "be registered by the owner, or be that of a reported store.",
  ),
});

export const answer = z.strictObject({
  state: z.enum(["available", "not_available"]).describe("not_available: the order has no invoice yet."),
  viewer_url: z
    .string()
    .optional()
    .describe("Only when available. Whoever has it sees the invoices: do not log, store or share it."),
  expires_at: z.iso.datetime().optional().describe("30 minutes from now; then ask again."),
});

export const postInvoiceAccess = endpoint({
  method: "POST",
  path: "/api/v1/order/invoice-access",
  name: "AccessRequest",
  body,
  example: { order_id: "5001", presentation: "embed", origin: "https://tienda.example" },
  doc: {
    operationId: "invoiceAccess",
    tag: "Customer access",
    summary: "Open the invoices of an order for its customer",
    description:
      "From the shop's server, after it has checked that the signed-in customer owns the order: redirect " +
      "to viewer_url, or put it into a frame of the origin named. The URL lasts 30 minutes, for this order " +
      "only, and ends at once when the owner turns customer access off. Ask anew for every look.",
    needsKey: true,
    parameters: ["x_request_id", "accept_language"],
    answers: {
      200: {
        description: "Told.",
        data: answer,
        name: "Access",
        example: {
          state: "available",
          viewer_url: "https://api.example/v/5kQ2…",
          expires_at: "2026-11-27T11:00:00Z",
        },
      },
    },
  },
  errors: [
    ...BODY_ERRORS,
    ...SHOP_ERRORS,
    ...(["customer_access_disabled", "origin_required", "origin_not_allowed", "order_not_found"] as const),
  ],
  // Disabled access outranks a wrong shape: correcting the request would not help.
  refuseFirst: refuseWithoutAccess,
  handle: async (c, sent) => {
    const request = toAccessRequest(sent);
    const outcome = await callObject(c, (calls, caller) => calls.openAccess(caller, request));
    switch (outcome.outcome) {
      case "available":
        return opened(c, request.idExternal, outcome);
      case "not_available":
        return jsonResponse(200, { success: true, data: { state: "not_available" } });
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  },
});

function toAccessRequest(sent: z.output<typeof body>): AccessRequest {
  const { order_id, presentation, origin } = sent;
  return { idExternal: order_id, presentation, ...present({ origin }) };
}

async function refuseWithoutAccess(c: Context<AppEnv>): Promise<Response | undefined> {
  const outcome = await callObject(c, (calls, caller) => calls.admitCustomers(caller));
  if (outcome.outcome === "admitted") return undefined;
  return outcome.outcome === "refused" ? refuseByRule(c, outcome.refusal) : refuseAtGate(c, outcome);
}

type Available = Extract<AccessOutcome, { readonly outcome: "available" }>;

async function opened(
  c: Context<AppEnv>,
  idExternal: string,
  { epoch, framing, documents }: Available,
): Promise<Response> {
  const { deps } = c.var;
  const { connectionId } = callerOf(c);
  const expiresAt = grantEndsAt(deps.now());
  const grant = { connectionId, epoch, idExternal, framing, expiresAt };
  const token = await mintToken(grant, { secrets: deps.viewerTokenSecrets, random: deps.random });
  try {
    await deps.snapshots.keep(token, documents);
  } catch {
    // Without the snapshot the page is read from the books.
    c.set("failureCause", "snapshot_keep");
  }
  const data = {
    state: "available",
    viewer_url: `${new URL(c.req.url).origin}/v/${token}`,
    expires_at: new Date(expiresAt * 1_000).toISOString().replace(".000Z", "Z"),
  };
  return jsonResponse(200, { success: true, data });
}
