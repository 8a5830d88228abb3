import { type Context, Hono } from "hono";
import * as z from "zod";
import { text } from "../../api/wire/values.ts";
import { syncAfterChange } from "../../db/companies/sync-company.ts";
import { type Membership, ROLES } from "../../db/people/member-store.ts";
import { newId } from "../../domain/connection/ids.ts";
import { COMPANY } from "../../domain/limits.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuseContested, signedIn } from "../gates.ts";
import { refuse, refuseByRule, refuseUnavailable } from "../refuse.ts";
import { body, emailText } from "../shapes.ts";
import { notify } from "../sign-in/security.ts";
import { invitationMail, invite, joinCompany, takeOwnership } from "./invite.ts";
import { ownLoginRoutes } from "./own-login.ts";

export const role = z.enum(ROLES);

export const invitationBody = z.strictObject({ email: emailText, role });
export const roleBody = z.strictObject({ role });
export const acceptBody = z.strictObject({ token: text(64) });

const MAIL_AGAIN_SECONDS = 5;

/** Members and invitations of a company. */
export const peopleRoutes = new Hono<ConsoleEnv>()
  .get("/people", async (c) => {
    const { deps, account } = c.var;
    const [members, invitations] = await Promise.all([
      deps.members.membersOf(account.accountId),
      deps.members.invitationsOf(account.accountId, deps.now()),
    ]);
    return c.json({ success: true as const, data: { members, invitations, most: COMPANY.people } });
  })
  .post("/people/invitations", body(invitationBody), async (c) => {
    const { deps, account, user, reads } = c.var;
    const { email, role } = c.req.valid("json");
    if (role === "owner") refuseContested(c);
    const invited = await invite({ account, email, role, invitedBy: user.id }, deps);
    if (!invited.ok) return refuseByRule(c, invited.error);
    await noteChange(c, "invite_person", { email, role });
    const [shown] = await reads.accounts.readAccounts([account.accountId]);
    const url = `${new URL(deps.consoleUrl).origin}/invitacion?token=${invited.value}`;
    const facts = { to: email, url, inviter: user.name, legalName: shown?.legalName ?? account.nif };
    const mail = invitationMail({ ...facts, language: c.var.language });
    // A new invitation replaces this one, so the user only has to invite again.
    const isSent = await deps.mailer.send(mail).then(
      () => true,
      () => false,
    );
    if (!isSent) return refuseUnavailable(c, { cause: "mail", retryAfterSeconds: MAIL_AGAIN_SECONDS });
    return c.json({ success: true as const, data: { url } }, 201);
  })
  .delete("/people/invitations/:invitation", async (c) => {
    const { deps, account } = c.var;
    const invitation = c.req.param("invitation");
    const isEnded = await deps.members.withdrawInvitation(account.accountId, invitation, deps.now());
    if (!isEnded) return refuse(c, "not_found");
    await noteChange(c, "withdraw_invitation", { invitation });
    return c.json({ success: true as const, data: {} });
  })
  .put("/people/:person", body(roleBody), async (c) => {
    const { deps, account, user } = c.var;
    const { accountId } = account;
    const { userId: person, role: before } = await memberOf(c, c.req.param("person"));
    const { role } = c.req.valid("json");
    if (role === "owner") {
      refuseContested(c);
      if (before !== "owner") {
        await deps.members.offerOwnership(accountId, person, user.id);
        await noteChange(c, "offer_ownership", { person });
      }
      return c.json({ success: true as const, data: { isOffered: before !== "owner" } });
    }
    if (!(await deps.members.makeAccountant(accountId, person, deps.now()))) return refuse(c, "last_owner");
    if (before === "owner") await notifyFormerOwner(c, person);
    await noteChange(c, "change_role", { person, role });
    return c.json({ success: true as const, data: { isOffered: false } });
  })
  .delete("/people/:person", async (c) => {
    const { deps, account } = c.var;
    const { userId: person, role } = await memberOf(c, c.req.param("person"));
    if (!(await deps.members.removeMember(account.accountId, person, deps.now())))
      return refuse(c, "last_owner");
    if (role === "owner") await notifyFormerOwner(c, person);
    await noteChange(c, "remove_person", { person });
    return c.json({ success: true as const, data: {} });
  });

/** Invitations, as their recipients open them. */
export const invitationRoutes = new Hono<ConsoleEnv>()
  .use(signedIn)
  .post("/accept", body(acceptBody), async (c) => {
    const { deps, user } = c.var;
    const joined = await joinCompany(c.req.valid("json").token, user, deps);
    if (!joined.ok) return refuseByRule(c, joined.error);
    const { membership, invitationId } = joined.value;
    const { accountId: account, ledger, role, offeredBy } = membership;
    if (invitationId !== undefined) {
      // The id is the invitation's, so that a retry writes one line only.
      await deps.reads(ledger).accounts.note(account, {
        ...{ id: `accept_invitation:${invitationId}`, userId: user.id, at: deps.now() },
        ...{ verb: "accept_invitation", facts: { person: user.id, role } },
      });
    }
    return c.json({ success: true as const, data: { account, isOffered: offeredBy !== undefined } });
  });

async function memberOf(c: Context<ConsoleEnv>, userId: string): Promise<Membership & { userId: string }> {
  const { deps, account } = c.var;
  const membership = await deps.members.membershipOf(userId, account.accountId);
  return membership ? { ...membership, userId } : refuse(c, "not_found");
}

async function notifyFormerOwner(c: Context<ConsoleEnv>, userId: string): Promise<void> {
  const email = await c.var.deps.members.emailOf(userId);
  if (email !== undefined) notify(c, "ownership_lost", { email, userId });
}

async function noteChange(
  c: Context<ConsoleEnv>,
  verb: string,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const { deps, account, user, reads } = c.var;
  const id = newId("al", account.ledger, deps.random);
  await reads.accounts.note(account.accountId, { id, userId: user.id, at: deps.now(), verb, facts });
}

/** The signed-in person, their companies and the ownerships offered to them. */
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
    const { software, environment, apiUrl, supportEmail } = deps;
    return c.json({
      success: true as const,
      data: {
        ...{ user, accounts, product: software.name, environment, apiUrl },
        supportEmail: supportEmail === "" ? null : supportEmail,
      },
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
    // After the audit line: writes the records' new settings to the ledgers; a failure is retried.
    await syncAfterChange(accountId, deps.companies);
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
