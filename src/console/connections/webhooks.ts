import { type Context, Hono } from "hono";
import type { LogPlace } from "../../db/webhooks/webhook-reads.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import type { ConsoleEnv } from "../deps.ts";
import { act } from "../owner-verb.ts";
import { refuseUnavailable } from "../refuse.ts";
import { told } from "../told.ts";
import { body, query } from "../valid.ts";
import { pageQuery, webhookBody, webhookEventsBody } from "./settings-shapes.ts";

const PAGE = 25;

/** The connection's webhooks and their deliveries. */
export const webhookRoutes = new Hono<ConsoleEnv>()
  .get("/webhooks", async (c) => {
    const listed = await c.var.owner.listWebhooks(c.var.connection.id);
    if (listed.outcome !== "found") return refuseUnavailable(c, listed);
    return c.json({ success: true as const, data: { webhooks: told(listed.webhooks).map(withVersion) } });
  })
  .post("/webhooks", body(webhookBody), async (c) => {
    const { url, events } = c.req.valid("json");
    const shown = await act(c, { verb: "register_webhook", url: url.trim(), events });
    return c.json({ success: true as const, data: secretOf(shown) }, 201);
  })
  .put("/webhooks/:webhook", body(webhookEventsBody), async (c) => {
    const { events, version: seen } = c.req.valid("json");
    await act(c, { verb: "choose_webhook_events", id: c.req.param("webhook"), events, seen });
    return c.json({ success: true as const, data: {} });
  })
  .delete("/webhooks/:webhook", async (c) => {
    await act(c, { verb: "remove_webhook", id: c.req.param("webhook") });
    return c.json({ success: true as const, data: {} });
  })
  .post("/webhooks/:webhook/secrets", async (c) => {
    const shown = await act(c, { verb: "rotate_webhook_secret", id: c.req.param("webhook") });
    return c.json({ success: true as const, data: secretOf(shown) }, 201);
  })
  .delete("/webhooks/:webhook/secrets/previous", async (c) => {
    await act(c, { verb: "end_webhook_overlap", id: c.req.param("webhook") });
    return c.json({ success: true as const, data: {} });
  })
  .post("/webhooks/:webhook/tests", async (c) => {
    await act(c, { verb: "test_webhook", id: c.req.param("webhook") });
    return c.json({ success: true as const, data: {} }, 202);
  })
  .get("/webhooks/:webhook/deliveries", query(pageQuery), async (c) => {
    const after = placeFrom(c.req.valid("query").cursor);
    const { entries, next } = await deliveriesOf(c, c.req.param("webhook"), after);
    const data = { items: told(entries), next: next ? `${next.askedAt}.${next.row}` : null };
    return c.json({ success: true as const, data });
  })
  .post("/webhooks/deliveries/:delivery/resends", async (c) => {
    await act(c, { verb: "resend_webhook_delivery", deliveryId: c.req.param("delivery") });
    return c.json({ success: true as const, data: {} }, 202);
  });

function withVersion<Listed extends { readonly events: readonly string[] }>(webhook: Listed) {
  return { ...webhook, version: FORM_VERSIONS.events(webhook.events) };
}

async function deliveriesOf(c: Context<ConsoleEnv>, endpointId: string, after: LogPlace | undefined) {
  const asked = { endpointId, limit: PAGE, ...(after ? { after } : {}) };
  const read = await c.var.owner.listWebhookDeliveries(c.var.connection.id, asked);
  return read.outcome === "found" ? read.page : refuseUnavailable(c, read);
}

/** The secret is shown only when it is created; a retry gets none. */
function secretOf({ webhook_id: id = "", secret }: Readonly<Record<string, string>>) {
  return { id, ...(secret === undefined ? {} : { secret }) };
}

/** An invalid cursor yields the first page. */
function placeFrom(cursor: string | undefined): LogPlace | undefined {
  const [, askedAt, row] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor ?? "") ?? [];
  return askedAt && row ? { askedAt: Number(askedAt), row: Number(row) } : undefined;
}
