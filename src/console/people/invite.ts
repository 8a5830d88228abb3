import type { Person } from "../../db/people/identity-store.ts";
import type { MemberStore, Membership, Role } from "../../db/people/member-store.ts";
import { newId, type RandomBytes, randomText } from "../../domain/connection/ids.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import { COMPANY } from "../../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../../domain/quota.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { mailedName } from "../../domain/shared/typed-name.ts";
import type { Mail } from "../../platform/mailer.ts";
import type { Language } from "../../words/words.ts";

const LIVES_MS = 7 * 86_400_000;
/** 160 random bits. */
const TOKEN_LENGTH = 32;

interface InviteDeps {
  readonly members: MemberStore;
  readonly now: () => Instant;
  readonly random: RandomBytes;
}

interface InviteRequest {
  readonly account: { readonly accountId: string; readonly ledger: string };
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
}

type InviteRefusal = Refusal<"already_member"> | QuotaRefusal;

/** The database stores only the token's hash; the token itself is only in the link. */
export async function invite(
  { account, email, role, invitedBy }: InviteRequest,
  deps: InviteDeps,
): Promise<Result<string, InviteRefusal>> {
  const members = await deps.members.membersOf(account.accountId);
  if (members.some((member) => member.email.toLowerCase() === email.toLowerCase())) {
    return err({ code: "already_member", facts: { email } });
  }
  const token = randomText(TOKEN_LENGTH, deps.random);
  const createdAt = deps.now();
  const refusal = await deps.members.invite({
    id: newId("iv", account.ledger, deps.random),
    accountId: account.accountId,
    tokenSha256: sha256Hex(token),
    ...{ email, role, invitedBy, createdAt, expiresAt: createdAt + LIVES_MS },
  });
  return refusal ? err(refusal) : ok(token);
}

interface JoinDeps {
  readonly members: MemberStore;
  readonly now: () => Instant;
}

interface Joined {
  readonly membership: Membership;
  /** Undefined if the person was a member already and did not use the invitation. */
  readonly invitationId?: string;
}

type JoinRefusal = Refusal<"invitation_ended" | "invitation_for_another"> | QuotaRefusal;

/**
 * The person with the link and the invited address joins once. A retry gets the same reply. A person who is a
 * member already does not use up the invitation.
 */
export async function joinCompany(
  token: string,
  person: Person,
  deps: JoinDeps,
): Promise<Result<Joined, JoinRefusal>> {
  const { members, now } = deps;
  const invitation = await members.invitationBy(sha256Hex(token), now());
  if (!invitation) return refuse("invitation_ended");
  const { id: invitationId, accountId, isOpen, acceptedBy, email } = invitation;
  if (!isOpen && acceptedBy !== person.id) return refuse("invitation_ended");
  const known = await members.membershipOf(person.id, accountId);
  if (known && isOpen) return ok({ membership: known });
  if (email.toLowerCase() !== person.email.toLowerCase()) return refuse("invitation_for_another");
  if (isOpen) {
    const accepted = await members.acceptInvitation(invitationId, person.id, now());
    if (accepted === "ended") return refuse("invitation_ended");
    if (accepted === "full") return err(quotaExceeded("quota_people", COMPANY.people));
  }
  const membership = await members.membershipOf(person.id, accountId);
  return membership ? ok({ membership, invitationId }) : refuse("invitation_ended");
}

interface InvitationLink {
  readonly to: string;
  readonly url: string;
  readonly inviter: string;
  readonly legalName: string;
  readonly language: Language;
}

/** Typed text never enters the subject; the body quotes and shortens it, against abuse of the mail. */
const WORDS = {
  es: {
    subject: "Invitación a una empresa",
    lead: (inviter: string, company: string) => `${inviter} te invita a ver la facturación de ${company}.`,
    body:
      "Si lo esperabas, abre este enlace y entra o crea tu cuenta con esta misma dirección de correo. " +
      "Caduca en siete días y solo vale una vez. Si no, no tienes que hacer nada.",
  },
  en: {
    subject: "Invitation to a company",
    lead: (inviter: string, company: string) => `${inviter} invites you to the invoicing of ${company}.`,
    body:
      "If you expected it, open this link and sign in or create your account with this same e-mail " +
      "address. It expires in seven days and works once. If not, there is nothing to do.",
  },
} as const;

export function invitationMail({ to, url, inviter, legalName, language }: InvitationLink): Mail {
  const { subject, lead, body } = WORDS[language];
  const said = lead(mailedName(inviter), mailedName(legalName));
  return { to, subject, text: `${said}\n\n${body}\n\n${url}\n` };
}

interface Taken {
  readonly membership: Membership;
  readonly isNew: boolean;
}

/**
 * Only the person's own acceptance makes them an owner, because it may change IndicadorMultiplesOT in the
 * records of all their companies. A retry gets the same reply.
 */
export async function takeOwnership(
  accountId: string,
  userId: string,
  members: MemberStore,
): Promise<Result<Taken, Refusal<"offer_ended" | "company_contested">>> {
  const isNew = await members.takeOwnership(accountId, userId);
  const membership = await members.membershipOf(userId, accountId);
  if (membership?.role === "owner") return ok({ membership, isNew });
  const isHeldUp = membership?.offeredBy !== undefined && membership.verification === "contested";
  return refuse(isHeldUp ? "company_contested" : "offer_ended");
}
