import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import type { AccessOutcome } from "../../db/access/viewer-ports.ts";
import { grantEndsAt } from "../../domain/viewer/grant.ts";
import { mintToken } from "../../viewer/viewer-token.ts";
import type { AppEnv } from "../deps.ts";
import { BODY_ERRORS, type Endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { exactJson } from "../exact-json.ts";
import { callerOf } from "../middleware/api-key.ts";
import { ACCESS_ANSWER_EXAMPLE, ACCESS_EXAMPLE } from "../openapi/access-examples.ts";
import { refuseAtGate, refuseByRule } from "../refuse.ts";
import { accessAnswer, accessBody, toAccessRequest } from "../wire/access-body.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { refuseShape } from "../wire/problems.ts";

export const postInvoiceAccess: Endpoint = {
  method: "POST",
  path: "/api/v1/order/invoice-access",
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
    body: { schema: accessBody, example: ACCESS_EXAMPLE },
    answers: { 200: { description: "Told.", data: accessAnswer, example: ACCESS_ANSWER_EXAMPLE } },
    errors: [
      ...BODY_ERRORS,
      ...SHOP_ERRORS,
      ...(["customer_access_disabled", "origin_required", "origin_not_allowed", "order_not_found"] as const),
    ],
  },
  mount: (app, path) => {
    // That access is off outranks whatever else is wrong: nobody corrects a request that cannot succeed.
    const shape = zValidator("json", accessBody, async (checked, c: Context) =>
      checked.success ? undefined : ((await refusedAnyway(c)) ?? refuseShape(checked, c)),
    );
    app.post(path, exactJson, shape, async (c) => {
      const asked = toAccessRequest(c.req.valid("json"));
      const caller = callerOf(c);
      const outcome = await c.var.deps.connection(caller.connectionId).openAccess(caller, asked);
      c.set("d1Trips", outcome.d1Trips);
      switch (outcome.outcome) {
        case "available":
          return opened(c, asked.idExternal, outcome);
        case "not_available":
          return jsonResponse(200, { success: true, data: { state: "not_available" } });
        case "refused":
          return refuseByRule(c, outcome.refusal);
        default:
          return refuseAtGate(c, outcome);
      }
    });
  },
};

async function refusedAnyway(c: Context<AppEnv>): Promise<Response | undefined> {
  const caller = callerOf(c);
  const outcome = await c.var.deps.connection(caller.connectionId).admitCustomers(caller);
  c.set("d1Trips", outcome.d1Trips);
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
    // The page is then read from the books.
    c.set("failureCause", "snapshot_keep");
  }
  const data = {
    state: "available",
    viewer_url: `${new URL(c.req.url).origin}/v/${token}`,
    expires_at: new Date(expiresAt * 1_000).toISOString().replace(".000Z", "Z"),
  };
  return jsonResponse(200, { success: true, data });
}
