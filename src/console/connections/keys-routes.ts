import { Hono } from "hono";
import { issueKey } from "../../db/accounts/issue-key.ts";
import { currentSecret } from "../../domain/connection/server-secrets.ts";
import type { ConsoleEnv } from "../deps.ts";
import { uncontested } from "../gates.ts";
import { act } from "../owner-verb.ts";
import { refuse } from "../refuse.ts";

/** A second key is made while the first is still alive, and the owner ends the overlap. */
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
