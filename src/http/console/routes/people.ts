import { type Context, Hono } from "hono";
import { newId } from "../../../domain/connection/ids.ts";
import { sha256Hex } from "../../../domain/shared/sha256.ts";
import { invite } from "../../../usecases/console/invite.ts";
import { acceptBody, invitationBody, roleBody } from "../../contract/console/people.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { invitationMail } from "../invitation-mail.ts";
import { refuse } from "../refuse.ts";
import { body } from "../valid.ts";

/** Who has access to a company. */
export const peopleRoutes = new Hono<ConsoleEnv>()
  .get("/people", async (c) => {
    const { deps, account } = c.var;
    const [members, invitations] = await Promise.all([
      deps.members.membersOf(account.accountId),
      deps.members.invitationsOf(account.accountId, deps.now()),
    ]);
    return c.json({ success: true as const, data: { members, invitations } });
  })
  .post("/people/invitations", body(invitationBody), async (c) => {
    const { deps, account, user, reads } = c.var;
    const { email, role } = c.req.valid("json");
    const token = await invite({ account, email, role, invitedBy: user.id }, deps);
    if (token === undefined) return refuse(c, "already_member", { facts: { email } });
    const [shown] = await reads.accounts.readAccounts([account.accountId]);
    const url = `${new URL(deps.consoleUrl).origin}/invitacion?token=${token}`;
    const facts = { to: email, url, inviter: user.name, legalName: shown?.legalName ?? account.nif };
    await deps.mailer.send(invitationMail({ ...facts, language: c.var.language }));
    await noteDeed(c, "invite_person", { email, role });
    return c.json({ success: true as const, data: { url } }, 201);
  })
  .delete("/people/invitations/:invitation", async (c) => {
    const { deps, account } = c.var;
    await deps.members.withdrawInvitation(account.accountId, c.req.param("invitation"), deps.now());
    await noteDeed(c, "withdraw_invitation", { invitation: c.req.param("invitation") });
    return c.json({ success: true as const, data: {} });
  })
  .put("/people/:person", body(roleBody), async (c) => {
    const { deps, account } = c.var;
    const person = await memberOf(c, c.req.param("person"));
    const { role } = c.req.valid("json");
    if (!(await deps.members.changeRole(account.accountId, person, role))) return refuse(c, "last_owner");
    await noteDeed(c, "change_role", { person, role });
    return c.json({ success: true as const, data: {} });
  })
  .delete("/people/:person", async (c) => {
    const { deps, account } = c.var;
    const person = await memberOf(c, c.req.param("person"));
    if (!(await deps.members.removeMember(account.accountId, person))) return refuse(c, "last_owner");
    await noteDeed(c, "remove_person", { person });
    return c.json({ success: true as const, data: {} });
  });

/** Invitations as those see them who hold the link. */
export const invitationRoutes = new Hono<ConsoleEnv>()
  .use(signedIn)
  .post("/accept", body(acceptBody), async (c) => {
    const { deps, user } = c.var;
    const token = c.req.valid("json").token;
    const invitation = await deps.members.invitationBy(sha256Hex(token), deps.now());
    if (!invitation) return refuse(c, "invitation_ended");
    const isAccepted = await deps.members.acceptInvitation(invitation.id, user.id, deps.now());
    if (!isAccepted) return refuse(c, "invitation_ended");
    const { accountId: account } = invitation;
    const membership = await deps.members.membershipOf(user.id, account);
    if (!membership) return refuse(c, "invitation_ended");
    const at = deps.now();
    const facts = { person: user.id, role: membership.role };
    await deps.reads(membership.ledger).accounts.note(account, {
      ...{ id: `accept_invitation:${invitation.id}`, userId: user.id, at, verb: "accept_invitation", facts },
    });
    return c.json({ success: true as const, data: { account } });
  });

async function memberOf(c: Context<ConsoleEnv>, person: string): Promise<string> {
  const { deps, account } = c.var;
  const membership = await deps.members.membershipOf(person, account.accountId);
  return membership ? person : refuse(c, "not_found");
}

async function noteDeed(
  c: Context<ConsoleEnv>,
  verb: string,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const { deps, account, user, reads } = c.var;
  const id = newId("al", account.ledger, deps.random);
  await reads.accounts.note(account.accountId, { id, userId: user.id, at: deps.now(), verb, facts });
}
