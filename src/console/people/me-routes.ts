import { type Context, Hono } from "hono";
import { hearDeed } from "../../db/companies/hear-company.ts";
import { newId } from "../../domain/connection/ids.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { notify } from "../sign-in/security.ts";
import { ownLoginRoutes } from "./own-login-routes.ts";
import { takeOwnership } from "./take-ownership.ts";

/** Who is signed in, the companies that they may see, and what of them is offered to them. */
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
    const accounts = memberships.flatMap(({ accountId, role, verification, offeredBy }) => {
      const account = known.get(accountId);
      return account ? [{ ...account, role, verification, isOwnershipOffered: offeredBy !== undefined }] : [];
    });
    const { software, environment, apiUrl } = deps;
    return c.json({
      success: true as const,
      data: { user, accounts, product: software.name, environment, apiUrl },
    });
  })
  .post("/ownership/:account", async (c) => {
    const { deps, user } = c.var;
    const accountId = c.req.param("account");
    const taken = await takeOwnership(accountId, user.id, deps.members);
    if (!taken.ok) return refuseByRule(c, taken.error);
    const { isNew, membership } = taken.value;
    if (isNew) {
      notify(c, "ownership_received", { email: user.email, userId: user.id });
      await noteOwnership(c, membership.ledger, { accountId, verb: "take_ownership" });
    }
    // Behind the line: what its records say from now on is brought there again until it is heard.
    await hearDeed(accountId, deps.companies);
    return c.json({ success: true as const, data: { account: accountId } });
  })
  .delete("/ownership/:account", async (c) => {
    const { deps, user } = c.var;
    const accountId = c.req.param("account");
    const membership = await deps.members.membershipOf(user.id, accountId);
    if (membership?.offeredBy === undefined) return refuse(c, "offer_ended");
    await deps.members.declineOwnership(accountId, user.id);
    await noteOwnership(c, membership.ledger, { accountId, verb: "decline_ownership" });
    return c.json({ success: true as const, data: {} });
  });

async function noteOwnership(
  c: Context<ConsoleEnv>,
  ledger: string,
  { accountId, verb }: { readonly accountId: string; readonly verb: string },
): Promise<void> {
  const { deps, user } = c.var;
  const line = { id: newId("al", ledger, deps.random), userId: user.id, at: deps.now() };
  await deps.reads(ledger).accounts.note(accountId, { ...line, verb, facts: { person: user.id } });
}
