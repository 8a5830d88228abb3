import { type Context, Hono } from "hono";
import * as z from "zod";
import { date, list, sentText, text } from "../../api/wire/values.ts";
import { issueKey, openConnection } from "../../db/accounts/opening.ts";
import { syncVerification } from "../../db/companies/sync-company.ts";
import type { LogPlace, WebhookListing } from "../../db/webhooks/webhook-reads.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { currentSecret } from "../../domain/connection/server-secrets.ts";
import { withIso } from "../../domain/shared/instant.ts";
import { LONGEST_ORIGIN } from "../../domain/viewer/origin.ts";
import { clausesOf, DECLARATION_TITLE } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn, uncontested } from "../gates.ts";
import { issuerDay } from "../issuer-day.ts";
import { act } from "../owner-verb.ts";
import { cursor, cursorOf } from "../pages.ts";
import { refuse, refuseByRule, refuseUnavailable } from "../refuse.ts";
import { body, query, version } from "../shapes.ts";
import type { ConnectionCard } from "./queries.ts";
import { type ConnectionView, connectionView, originPage } from "./view.ts";

export const newConnectionBody = z.strictObject({
  kind: z.enum(["commerce", "api"]),
  name: text(80),
});

const address = sentText(4_000).min(1).max(4_000);
const MOST_EVENTS = 50;

export const withdrawalBody = z.strictObject({ name: z.string().max(200) });
export const nameBody = z.strictObject({ name: text(80), version });
export const cutoffBody = z.strictObject({ cutoff_date: date, version });
export const accessBody = z.strictObject({ enabled: z.boolean() });
export const originBody = z.strictObject({ origin: address });
export const callbackBody = z.strictObject({ url: address, version });
export const webhookBody = z.strictObject({
  url: address,
  events: list(z.string().max(100), MOST_EVENTS),
});
export const webhookEventsBody = webhookBody.pick({ events: true }).extend({ version });
export const originQuery = z.strictObject({ origin: address });
export const originsQuery = z.strictObject({
  cursor: cursor(z.strictObject({ at: z.int(), origin: z.string().max(LONGEST_ORIGIN) })).optional(),
});
export const pageQuery = z.strictObject({ cursor: z.string().max(200).optional() });

export const connectionList = new Hono<ConsoleEnv>().get("/connections", async (c) => {
  const { month } = await issuerDay(c);
  const connections = await c.var.reads.connections.list(c.var.account.accountId, month);
  return c.json({ success: true as const, data: { connections: connections.map(shownCard) } });
});

/** One connection: its pages, and its owner's changes. */
export const connectionRoutes = new Hono<ConsoleEnv>()
  .get("/", async (c) => {
    const { account, connection, reads, deps } = c.var;
    const { month, today } = await issuerDay(c);
    const reading = await reads.connections.read(account.accountId, connection.id, month);
    if (!reading) return refuse(c, "not_found");
    const names = await deps.members.namesOf(reading.consent ? [reading.consent.givenBy] : []);
    const givenByName = reading.consent && (names.get(reading.consent.givenBy) ?? null);
    const view = shownConnection(connectionView(reading, today));
    return c.json({ success: true as const, data: { ...view, givenByName, today } });
  })
  .put("/name", body(nameBody), async (c) => {
    const { name, version } = c.req.valid("json");
    await act(c, { verb: "rename_connection", name, seen: version });
    return c.json({ success: true as const, data: {} });
  })
  .post("/consent/withdrawal", body(withdrawalBody), async (c) => {
    const { name } = c.var.connection;
    // Withdrawal cannot be undone, so the request repeats the connection's name.
    if (c.req.valid("json").name.trim() !== name.trim()) {
      return refuseByRule(c, { code: "name_mismatch", facts: { name }, path: "name" });
    }
    await act(c, { verb: "withdraw_consent" });
    return c.json({ success: true as const, data: {} });
  })
  .put("/consent/cutoff", body(cutoffBody), async (c) => {
    const { cutoff_date: cutoffDate, version } = c.req.valid("json");
    await act(c, { verb: "move_cutoff", cutoffDate, seen: version });
    return c.json({ success: true as const, data: {} });
  })
  .put("/access", body(accessBody), async (c) => {
    await act(c, { verb: "switch_customer_access", enabled: c.req.valid("json").enabled });
    return c.json({ success: true as const, data: {} });
  })
  .get("/origins", query(originsQuery), async (c) => {
    const { account, connection, reads } = c.var;
    const reading = await reads.connections.origins(account.accountId, connection.id);
    const { items, next } = originPage(reading, c.req.valid("query").cursor?.key);
    const shown = items.map((item) => withIso(item, "at", "refusedAt"));
    const data = { items: shown, next: next ? cursorOf(next) : null };
    return c.json({ success: true as const, data });
  })
  .post("/origins/refusals", body(originBody), async (c) => {
    await act(c, { verb: "refuse_origin", origin: c.req.valid("json").origin.trim() });
    return c.json({ success: true as const, data: {} });
  })
  .post("/origins", body(originBody), async (c) => {
    await act(c, { verb: "add_origin", origin: c.req.valid("json").origin.trim() });
    return c.json({ success: true as const, data: {} }, 201);
  })
  .delete("/origins", query(originQuery), async (c) => {
    await act(c, { verb: "remove_origin", origin: c.req.valid("query").origin });
    return c.json({ success: true as const, data: {} });
  })
  .put("/callback", body(callbackBody), async (c) => {
    const { url, version } = c.req.valid("json");
    const { secret } = await act(c, { verb: "register_callback", url: url.trim(), seen: version });
    return c.json({ success: true as const, data: { ...(secret === undefined ? {} : { secret }) } });
  })
  .delete("/callback", async (c) => {
    await act(c, { verb: "remove_callback" });
    return c.json({ success: true as const, data: {} });
  })
  .post("/callback/calls", async (c) => {
    await act(c, { verb: "ask_for_orders" });
    return c.json({ success: true as const, data: {} }, 202);
  });

/** A second key is created while the first is active; the owner then revokes the old one. */
export const keyRoutes = new Hono<ConsoleEnv>()
  .post("/keys", uncontested, async (c) => {
    const { account, connection, deps } = c.var;
    const apiKeySecret = currentSecret(deps.apiKeySecrets);
    const { key, ...stored } = issueKey(connection.id, {
      ...{ ledger: account.ledger, apiKeySecret, random: deps.random },
    });
    await act(c, { verb: "open_key", ...stored });
    return c.json({ success: true as const, data: { id: stored.id, key, tail: stored.tail } }, 201);
  })
  .delete("/keys/:key", async (c) => {
    const { account, connection, reads } = c.var;
    const alive = await reads.connections.keysOf(account.accountId, connection.id);
    const known = alive.find(({ id }) => id === c.req.param("key"));
    if (!known) return refuse(c, "not_found");
    const { hash, tail } = known;
    await act(c, { verb: "revoke_key", hash, ...(tail === undefined ? {} : { tail }) });
    return c.json({ success: true as const, data: {} });
  });

/** Step 1 of setup: opens a connection and shows its first key once. */
export const connectionOpening = new Hono<ConsoleEnv>().post(
  "/connections",
  uncontested,
  body(newConnectionBody),
  async (c) => {
    const { deps, account, user } = c.var;
    const { accountId, ledger } = account;
    const apiKeySecret = currentSecret(deps.apiKeySecrets);
    const { environment, now, random } = deps;
    const { kind, name } = c.req.valid("json");
    // The ledger decides for good if the connection is for tests, so it needs the company's current state.
    await syncVerification(accountId, deps.companies);
    const guided = kind === "commerce";
    const opened = await openConnection(
      { ledger, accountId, kind, name, rateLimit: null, environment, guided, openedBy: user.id },
      { connections: deps.accountsIn(ledger), apiKeySecret, now, random },
    );
    if (!opened.ok) return refuseByRule(c, opened.error);
    const { connectionId: id, key } = opened.value;
    return c.json({ success: true as const, data: { id, key } }, 201);
  },
);

/** The producer's declaration of the running system; reading it needs no company. */
export const declarationRoutes = new Hono<ConsoleEnv>().use(signedIn).get("/", (c) => {
  const { software } = c.var.deps;
  const { name, version, declarationDate: date } = software;
  const data = { title: DECLARATION_TITLE, name, version, date, clauses: clausesOf(software) };
  return c.json({ success: true as const, data });
});

const PAGE = 25;

/** The connection's webhooks and their deliveries. */
export const webhookRoutes = new Hono<ConsoleEnv>()
  .get("/webhooks", async (c) => {
    const listed = await c.var.owner.listWebhooks(c.var.connection.id);
    if (listed.outcome !== "found") return refuseUnavailable(c, listed);
    return c.json({ success: true as const, data: { webhooks: listed.webhooks.map(shownWebhook) } });
  })
  .post("/webhooks", body(webhookBody), async (c) => {
    const { url, events } = c.req.valid("json");
    const shown = await act(c, { verb: "register_webhook", url: url.trim(), events });
    return c.json({ success: true as const, data: secretOf(shown) }, 201);
  })
  .put("/webhooks/:webhook", body(webhookEventsBody), async (c) => {
    const { events, version } = c.req.valid("json");
    await act(c, { verb: "choose_webhook_events", id: c.req.param("webhook"), events, seen: version });
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
    const items = entries.map((entry) => withIso(entry, "askedAt", "lastAt", "nextAt"));
    const data = { items, next: next ? `${next.askedAt}.${next.row}` : null };
    return c.json({ success: true as const, data });
  })
  .post("/webhooks/deliveries/:delivery/resends", async (c) => {
    await act(c, { verb: "resend_webhook_delivery", deliveryId: c.req.param("delivery") });
    return c.json({ success: true as const, data: {} }, 202);
  });

function shownWebhook(webhook: WebhookListing) {
  const { ended, events } = webhook;
  return {
    ...withIso(webhook, "createdAt"),
    ended: ended && withIso(ended, "at"),
    version: FORM_VERSIONS.events(events),
  };
}

async function deliveriesOf(c: Context<ConsoleEnv>, endpointId: string, after: LogPlace | undefined) {
  const query = { endpointId, limit: PAGE, ...(after ? { after } : {}) };
  const read = await c.var.owner.listWebhookDeliveries(c.var.connection.id, query);
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

function shownCard(card: ConnectionCard) {
  return { ...withIso(card, "overlapBeganAt"), activity: withIso(card.activity, "lastOrderAt") };
}

function shownConnection(view: ConnectionView) {
  const { module, inventory, stores, consent, keys, access, callback, activity } = view;
  return {
    ...withIso(view, "openedAt", "chosenAt"),
    module: module && withIso(module, "seenAt"),
    inventory: inventory && withIso(inventory, "receivedAt"),
    stores: stores.map((store) => withIso(store, "seenAt")),
    consent: consent && withIso(consent, "givenAt", "withdrawnAt"),
    keys: keys.map((key) => withIso(key, "createdAt")),
    access: withIso(access, "switchedAt"),
    callback: callback && withIso(callback, "askedAt", "nextAt", "lastAt"),
    activity: withIso(activity, "lastOrderAt"),
  };
}
