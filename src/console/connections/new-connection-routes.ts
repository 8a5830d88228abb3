import { Hono } from "hono";
import { openConnection } from "../../db/accounts/open-connection.ts";
import { hearState } from "../../db/companies/hear-company.ts";
import { currentSecret } from "../../domain/connection/server-secrets.ts";
import type { ConsoleEnv } from "../deps.ts";
import { uncontested } from "../gates.ts";
import { refuseByRule } from "../refuse.ts";
import { body } from "../valid.ts";
import { newConnectionBody } from "./connection-shapes.ts";

/** Step 1 of the wizard: a connection with its first key, which is shown this once. */
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
    // Whether it is for tests is decided here and for ever, by the ledger.
    await hearState(accountId, deps.companies);
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
