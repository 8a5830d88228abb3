import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { ownLoginRoutes } from "./own-login.ts";

/** Who is signed in, and the companies that they may see. */
export const meRoutes = new Hono<ConsoleEnv>()
  .use(signedIn)
  .route("/", ownLoginRoutes)
  .get("/", async (c) => {
    const { deps, user } = c.var;
    const memberships = await deps.members.membershipsOf(user.id);
    const byLedger = Map.groupBy(memberships, ({ ledger }) => ledger);
    const reads = [...byLedger].map(([ledger, ours]) =>
      deps.reads(ledger).accounts.readAccounts(ours.map(({ accountId }) => accountId)),
    );
    const known = new Map((await Promise.all(reads)).flat().map((account) => [account.id, account]));
    const accounts = memberships.flatMap(({ accountId, role }) => {
      const account = known.get(accountId);
      return account ? [{ ...account, role }] : [];
    });
    const { software, environment, apiUrl } = deps;
    return c.json({
      success: true as const,
      data: { user, accounts, product: software.name, environment, apiUrl },
    });
  });
