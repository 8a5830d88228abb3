import { Hono } from "hono";
import { issueKey, openConnection } from "../../db/accounts/opening.ts";
import { syncVerification } from "../../db/companies/sync-company.ts";
import { currentSecret } from "../../domain/connection/server-secrets.ts";
import { clausesOf, DECLARATION_TITLE } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn, uncontested } from "../gates.ts";
import { issuerDay } from "../issuer-day.ts";
import { act } from "../owner-verb.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { cursorOf } from "../shapes/place.ts";
import { told } from "../told.ts";
import { body, query } from "../valid.ts";
import { newConnectionBody } from "./connection-shapes.ts";
import {
  accessBody,
  callbackBody,
  cutoffBody,
  nameBody,
  originBody,
  originQuery,
  originsQuery,
  withdrawalBody,
} from "./settings-shapes.ts";
import { connectionView } from "./view.ts";
import { originPage } from "./view-origins.ts";

export const connectionList = new Hono<ConsoleEnv>().get("/connections", async (c) => {
  const { month } = await issuerDay(c);
  const connections = await c.var.reads.connections.list(c.var.account.accountId, month);
  return c.json({ success: true as const, data: { connections: told(connections) } });
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
    const view = told(connectionView(reading, today));
    return c.json({ success: true as const, data: { ...view, givenByName, today } });
  })
  .put("/name", body(nameBody), async (c) => {
    const { name, version: seen } = c.req.valid("json");
    await act(c, { verb: "rename_connection", name, seen });
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
    const { cutoff_date: cutoffDate, version: seen } = c.req.valid("json");
    await act(c, { verb: "move_cutoff", cutoffDate, seen });
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
    const data = { items: told(items), next: next ? cursorOf(next) : null };
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
    const { url, version: seen } = c.req.valid("json");
    const { secret } = await act(c, { verb: "register_callback", url: url.trim(), seen });
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
