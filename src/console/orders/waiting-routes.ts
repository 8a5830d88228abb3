import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { refuseByRule } from "../refuse.ts";
import { query } from "../valid.ts";
import { cutoffQuery } from "./orders-shapes.ts";
import { effectOfCutoff, progressOf, waitingOrders } from "./waiting-orders.ts";

/** Orders that wait for the owner's consent, and how far they have come since. */
export const waitingRoutes = new Hono<ConsoleEnv>()
  .get("/waiting", query(cutoffQuery), async (c) => {
    const { account, reads, connection } = c.var;
    const { cutoff } = c.req.valid("query");
    const waiting = await waitingOrders(account.accountId, connection.id, cutoff, reads.waiting);
    return c.json({ success: true as const, data: waiting });
  })
  .get("/waiting/cutoff", query(cutoffQuery), async (c) => {
    const { account, reads, connection } = c.var;
    const { cutoff } = c.req.valid("query");
    const effect = await effectOfCutoff(account.accountId, connection.id, cutoff, reads.waiting);
    if (!effect) return refuseByRule(c, { code: "consent_missing", facts: {} });
    return c.json({ success: true as const, data: effect });
  })
  .get("/waiting/progress", async (c) => {
    const { account, reads, connection, deps } = c.var;
    const release = await reads.waiting.release(account.accountId, connection.id);
    if (!release) return refuseByRule(c, { code: "consent_missing", facts: {} });
    return c.json({ success: true as const, data: progressOf(release, deps.now()) });
  });
