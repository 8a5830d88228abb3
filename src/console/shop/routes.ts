import { Hono } from "hono";
import * as z from "zod";
import { list, sentText, text } from "../../api/wire/values.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { currentSecret } from "../../domain/connection/server-secrets.ts";
import { withIso } from "../../domain/shared/instant.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { SHOP_PLATFORMS, STATUS_MEANINGS, STATUS_PRESETS } from "../../domain/shop/presets.ts";
import type { ConsoleEnv } from "../deps.ts";
import { uncontested } from "../gates.ts";
import { act } from "../owner-verb.ts";
import { cursor, cursorOf } from "../pages.ts";
import { refuseByRule, refuseUnavailable } from "../refuse.ts";
import { body, query, version } from "../shapes.ts";
import type { ListedDelivery } from "./queries.ts";
import { shopView, testView } from "./view.ts";

const address = sentText(2_000).min(1).max(2_000);
const credential = z.string().max(1_000);
const key = text(100);
const MOST_CREDIT_KEYS = 10;
const MOST_STATUSES = 200;

export const shopBody = z.strictObject({
  platform: z.enum(SHOP_PLATFORMS),
  url: address.optional(),
  credentials: z
    .strictObject({
      ...{ consumer_key: credential.optional(), consumer_secret: credential.optional() },
      ...{ client_id: credential.optional(), secret: credential.optional() },
      ...{ token: credential.optional(), key: credential.optional() },
    })
    .default({}),
  nif_key: key.optional(),
  credit_keys: list(key, MOST_CREDIT_KEYS).optional(),
  version: version.optional(),
});
const statusName = sentText(120).min(1).max(120);
export const statusesBody = z.strictObject({
  statuses: list(z.strictObject({ status: statusName, means: z.enum(STATUS_MEANINGS) }), MOST_STATUSES),
  version,
});
export const deliveriesQuery = z.strictObject({
  cursor: cursor(z.strictObject({ receivedAt: z.int(), deliveryId: z.string().max(300) })).optional(),
});

const PAGE = 25;
const DONE = { success: true as const, data: {} };

/** The shop of a connection that sends its own documents. */
export const shopRoutes = new Hono<ConsoleEnv>()
  .get("/shop", async (c) => {
    const { account, connection, reads, deps } = c.var;
    const reading = await reads.shop.read(account.accountId, connection.id);
    const place = { connectionId: connection.id, apiUrl: deps.apiUrl };
    const serverSecret = currentSecret(deps.apiKeySecrets);
    const shop = reading ? shopView(reading, { ...place, serverSecret }) : null;
    return c.json({ success: true as const, data: { shop, version: FORM_VERSIONS.shop(reading?.shop) } });
  })
  .put("/shop", uncontested, body(shopBody), async (c) => {
    const { platform, url, credentials, nif_key, credit_keys, version: seen } = c.req.valid("json");
    const given = Object.entries(credentials).filter((entry): entry is [string, string] => Boolean(entry[1]));
    const { secret } = await act(c, {
      ...{ verb: "connect_shop", platform, statuses: STATUS_PRESETS[platform] },
      ...(url === undefined ? {} : { url: url.trim() }),
      credentials: Object.fromEntries(given),
      settings: {
        ...(nif_key === undefined ? {} : { nifKey: nif_key }),
        ...(credit_keys === undefined ? {} : { creditKeys: credit_keys }),
      },
      ...(seen === undefined ? {} : { seen }),
    });
    return c.json({ success: true as const, data: secret === undefined ? {} : { secret } });
  })
  .delete("/shop", async (c) => {
    await act(c, { verb: "disconnect_shop" });
    return c.json(DONE);
  })
  .put("/shop/statuses", body(statusesBody), async (c) => {
    const { statuses: given, version: seen } = c.req.valid("json");
    const statuses = Object.fromEntries(given.map(({ status, means }) => [status, means]));
    await act(c, { verb: "choose_shop_statuses", statuses, seen });
    return c.json(DONE);
  })
  .post("/shop/address", uncontested, async (c) => {
    await act(c, { verb: "renew_shop_address" });
    return c.json(DONE, 201);
  })
  .post("/shop/secret", uncontested, async (c) => {
    const { secret } = await act(c, { verb: "rotate_shop_secret" });
    return c.json({ success: true as const, data: secret === undefined ? {} : { secret } }, 201);
  })
  .delete("/shop/secret/previous", async (c) => {
    await act(c, { verb: "end_shop_secret_overlap" });
    return c.json(DONE);
  })
  .post("/shop/test", async (c) => {
    const { owner, connection, user, requestId } = c.var;
    const outcome = await owner.testShop(connection.id, { userId: user.id, testId: requestId });
    switch (outcome.outcome) {
      case "tested":
        return c.json({ success: true as const, data: testView(outcome.answer) });
      case "refused":
        return refuseByRule(c, outcome.refusal);
      case "unavailable":
      case "failed":
        return refuseUnavailable(c, outcome);
      default:
        return assertNever(outcome);
    }
  })
  .post("/shop/webhooks", uncontested, async (c) => {
    await act(c, { verb: "make_shop_webhooks", apiUrl: c.var.deps.apiUrl });
    return c.json(DONE, 202);
  })
  .post("/shop/reconcile", async (c) => {
    await act(c, { verb: "reconcile_shop" });
    return c.json(DONE, 202);
  })
  .post("/shop/orders/:order/fetch", async (c) => {
    await act(c, { verb: "fetch_shop_order", orderId: c.req.param("order") });
    return c.json(DONE, 202);
  })
  .get("/shop/deliveries", query(deliveriesQuery), async (c) => {
    const { account, connection, reads } = c.var;
    const after = c.req.valid("query").cursor?.key;
    const asked = { limit: PAGE, ...(after ? { after } : {}) };
    const { rows, hasMore } = await reads.shop.deliveries(account.accountId, connection.id, asked);
    const last = hasMore ? rows.at(-1) : undefined;
    const next = last ? cursorOf({ way: "after", key: placeOf(last) }) : null;
    return c.json({ success: true as const, data: { items: rows.map(shown), next } });
  });

function placeOf({ receivedAt, deliveryId }: ListedDelivery) {
  return { receivedAt, deliveryId };
}

function shown({ why, ...delivery }: ListedDelivery) {
  const read: unknown = why === null ? null : JSON.parse(why);
  return { ...withIso(delivery, "receivedAt"), why: read };
}
