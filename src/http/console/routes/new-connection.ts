import { Hono } from "hono";
import { newId } from "../../../domain/connection/ids.ts";
import { currentSecret } from "../../../domain/connection/server-secrets.ts";
import { openConnection } from "../../../usecases/open-connection.ts";
import { newConnectionBody } from "../../contract/console/connection.ts";
import type { ConsoleEnv } from "../deps.ts";
import { body } from "../valid.ts";

/** Step 1 of the wizard: a connection with its first key, which is shown this once. */
export const connectionOpening = new Hono<ConsoleEnv>().post(
  "/connections",
  body(newConnectionBody),
  async (c) => {
    const { deps, account, user, reads } = c.var;
    const { accountId, ledger } = account;
    const { kind, name } = c.req.valid("json");
    const apiKeySecret = currentSecret(deps.apiKeySecrets);
    const { environment, now, random } = deps;
    const opened = await openConnection(
      { ledger, accountId, kind, name, rateLimit: null, environment, guided: kind === "commerce" },
      { connections: deps.accountsIn(ledger), apiKeySecret, now, random },
    );
    await reads.accounts.note(accountId, {
      ...{ id: newId("al", ledger, random), userId: user.id, at: now(), verb: "open_connection" },
      facts: { connection: opened.connectionId, kind, name },
    });
    return c.json({ success: true as const, data: { id: opened.connectionId, key: opened.key } }, 201);
  },
);
