import { type Context, Hono } from "hono";
import { newId } from "../../../domain/connection/ids.ts";
import { type InviteRefusal, invite } from "../../../usecases/console/invite.ts";
import { changeRole, joinCompany } from "../../../usecases/console/join-company.ts";
import { acceptBody, invitationBody, roleBody } from "../../contract/console/people.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";
import { invitationMail } from "../invitation-mail.ts";
import { refuse, refuseByRule, refuseUnavailable } from "../refuse.ts";
import { body } from "../valid.ts";

const MAIL_AGAIN_SECONDS = 5;
const INVITE_AGAIN_SECONDS = 3_600;

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
    const invited = await invite({ account, email, role, invitedBy: user.id }, deps);
    if (!invited.ok) return refuseInvitation(c, invited.error);
    await noteDeed(c, "invite_person", { email, role });
    const [shown] = await reads.accounts.readAccounts([account.accountId]);
    const url = `${new URL(deps.consoleUrl).origin}/invitacion?token=${invited.value}`;
    const facts = { to: email, url, inviter: user.name, legalName: shown?.legalName ?? account.nif };
    const mail = invitationMail({ ...facts, language: c.var.language });
    // The next one takes its place, so that inviting again is all there is to do.
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
    await noteDeed(c, "withdraw_invitation", { invitation });
    return c.json({ success: true as const, data: {} });
  })
  .put("/people/:person", body(roleBody), async (c) => {
    const { deps, account } = c.var;
    const person = await memberOf(c, c.req.param("person"));
    const { role } = c.req.valid("json");
    const { accountId } = account;
    if (!(await changeRole({ accountId, userId: person, role }, deps))) return refuse(c, "last_owner");
    await noteDeed(c, "change_role", { person, role });
    return c.json({ success: true as const, data: {} });
  })
  .delete("/people/:person", async (c) => {
    const { deps, account } = c.var;
    const person = await memberOf(c, c.req.param("person"));
    if (!(await deps.members.removeMember(account.accountId, person, deps.now())))
      return refuse(c, "last_owner");
    await noteDeed(c, "remove_person", { person });
    return c.json({ success: true as const, data: {} });
  });

/** Invitations as those see them who hold the link. */
export const invitationRoutes = new Hono<ConsoleEnv>()
  .use(signedIn)
  .post("/accept", body(acceptBody), async (c) => {
    const { deps, user } = c.var;
    const joined = await joinCompany(c.req.valid("json").token, user.id, deps);
    if (!joined) return refuse(c, "invitation_ended");
    const { membership, invitationId } = joined;
    const { accountId: account, ledger, role } = membership;
    if (invitationId !== undefined) {
      // By its id, so that who is told again has joined once.
      await deps.reads(ledger).accounts.note(account, {
        ...{ id: `accept_invitation:${invitationId}`, userId: user.id, at: deps.now() },
        ...{ verb: "accept_invitation", facts: { person: user.id, role } },
      });
    }
    return c.json({ success: true as const, data: { account } });
  });

function refuseInvitation(c: Context<ConsoleEnv>, refusal: InviteRefusal): never {
  if (refusal.code !== "rate_limited") return refuseByRule(c, refusal);
  return refuse(c, "rate_limited", { retryAfterSeconds: INVITE_AGAIN_SECONDS });
}

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
