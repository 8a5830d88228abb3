import type { Context } from "hono";
import { placeOfAddress } from "../../domain/connection/shop-address.ts";
import { BODY_BYTES } from "../../domain/limits.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { DELIVERY_FORMS, isActivationPing } from "../../domain/shop/delivery.ts";
import { SHOP_PLATFORMS, type ShopPlatform } from "../../domain/shop/presets.ts";
import type { DeliveryOutcome } from "../../ledger/rpc.ts";
import { BRAKE_SECONDS, isBraked, networkIn } from "../../platform/brake.ts";
import type { AppEnv } from "../deps.ts";
import { COMMON_ERRORS, endpoint } from "../endpoint.ts";
import { refuse, refuseAtGate } from "../refuse.ts";
import { jsonResponse } from "../wire/json.ts";
import { bodyWithin, tooLarge } from "../wire/request-body.ts";

const BOUND = { mostBytes: BODY_BYTES.api, drainedBytes: 4 * BODY_BYTES.api, isBehindProxy: false } as const;

/** Its address is a secret of each shop, so the published documents do not list it. */
export const postShopDelivery = endpoint({
  method: "POST",
  path: "/v1/shops/{platform}/{address}",
  unlisted: true,
  doc: {
    operationId: "deliverShop",
    tag: "Shop",
    summary: "Deliver a shop's own document",
    description: "A webhook of a shop that is connected in its own form.",
    needsKey: false,
    parameters: [],
    answers: { 200: { description: "Received." } },
  },
  errors: [
    ...COMMON_ERRORS,
    ...(["not_found", "payload_too_large", "shop_signature_invalid", "temporarily_unavailable"] as const),
  ],
  handle: receive,
});

/**
 * A forged address, or one of another platform, ends before the body is read; so does a flood of forged
 * bodies.
 */
async function receive(c: Context<AppEnv>): Promise<Response> {
  const { deps, requestId } = c.var;
  const platform = SHOP_PLATFORMS.find((known) => known === c.req.param("platform"));
  const place = platform && placeOfAddress(platform, c.req.param("address") ?? "", deps.apiKeySecrets);
  if (!platform || !place) return refuse(c, "not_found");
  const sender = { connectionId: place.connectionId, network: networkIn(c) };
  const waitSeconds = deps.forged.waitOf(sender, deps.now());
  if (waitSeconds !== undefined) return refuse(c, "rate_limited", { retryAfterSeconds: waitSeconds });
  const { bytes } = await bodyWithin(c.req.raw, BOUND);
  if (!bytes) return refuse(c, "payload_too_large", tooLarge(BOUND.mostBytes, c.var.language));
  const headers = headersOf(c, platform);
  if (headers.signature === "" && isActivationPing(platform, bytes)) {
    return jsonResponse(200, { success: true, data: {} });
  }
  const delivery = { ...place, platform, ...headers, body: bytes, requestId };
  const { d1Trips, ...outcome } = await deps.connection(place.connectionId).receiveDelivery(delivery);
  c.set("d1Trips", d1Trips);
  if (outcome.outcome === "wrong_signature") deps.forged.refused(sender, deps.now());
  if (outcome.outcome === "received") deps.forged.accepted(sender, deps.now());
  return answerTo(c, outcome);
}

function headersOf(c: Context<AppEnv>, platform: ShopPlatform) {
  const { signature, deliveryId, topic } = DELIVERY_FORMS[platform];
  const header = (name: string) => c.req.header(name)?.trim() ?? "";
  return { signature: header(signature), deliveryId: header(deliveryId), topic: header(topic) };
}

/** An order on hold is 200 as well, because a shop switches off what fails. */
async function answerTo(c: Context<AppEnv>, outcome: DeliveryOutcome): Promise<Response> {
  switch (outcome.outcome) {
    case "received": {
      const { deliveryId: delivery_id, as, order } = outcome;
      const decided = order ? { order_id: order.idExternal, state: order.state } : {};
      return jsonResponse(200, { success: true, data: { delivery_id, outcome: as, ...decided } });
    }
    case "unknown_address":
      return refuse(c, "not_found");
    case "wrong_signature": {
      const isTooMany = await isBraked(c.var.deps.failedAuthentication, networkIn(c));
      if (isTooMany) return refuse(c, "rate_limited", { retryAfterSeconds: BRAKE_SECONDS });
      return refuse(c, "shop_signature_invalid");
    }
    // Nothing was stored, and shops repeat what was answered with 503.
    case "failed":
      c.set("failureCause", outcome.cause);
      return refuse(c, "temporarily_unavailable", { retryAfterSeconds: FAILED_SECONDS });
    // 503 as well: some shops take 429 for a failure that lasts.
    case "rate_limited":
      return refuse(c, "temporarily_unavailable", { retryAfterSeconds: outcome.retryAfterSeconds });
    case "unavailable":
      return refuseAtGate(c, outcome);
    default:
      return assertNever(outcome);
  }
}

const FAILED_SECONDS = 60;
