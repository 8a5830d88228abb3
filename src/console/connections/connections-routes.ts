import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { issuerDay } from "../issuer-day.ts";
import { act } from "../owner-verb.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { cursorOf } from "../shapes/place.ts";
import { told } from "../told.ts";
import { body, query } from "../valid.ts";
import { connectionView } from "./connection-view.ts";
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
import { originPage } from "./view-origins.ts";

/** Connections of the account. */
export const connectionList = new Hono<ConsoleEnv>().get("/connections", async (c) => {
  const { month } = await issuerDay(c);
  const connections = await c.var.reads.connections.list(c.var.account.accountId, month);
  return c.json({ success: true as const, data: { connections: told(connections) } });
});

/** One of them: what its pages show, and what its owner does to it. */
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
    // What cannot be undone is asked for by name.
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
