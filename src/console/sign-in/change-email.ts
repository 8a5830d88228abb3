import type { ChangedEmail, KnownPerson, Mailable, MailCount } from "../../db/login/login-stores.ts";
import type { Person } from "../../db/people/identity-store.ts";
import { mailboxOf } from "../../domain/identity/mailbox.ts";
import { IDENTITY, PERSON } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { LoginDeps } from "./deps.ts";
import { linkTo, newToken } from "./tokens.ts";

const HOUR_MS = 3_600_000;

export interface NewEmailMail {
  readonly token: string;
  /** The person who has the address already; they get a notice, and no link is sent. */
  readonly known?: KnownPerson;
}

export interface EmailChangeRequest {
  readonly email: string;
  readonly person: Person;
  readonly sessionId: string;
}

export async function askToChangeEmail(
  { email, person, sessionId }: EmailChangeRequest,
  deps: LoginDeps,
): Promise<Mailable<NewEmailMail>> {
  const { token, link } = linkTo(email, deps);
  const ofPerson = changesOf(person.email, deps);
  const found = await deps.emails.askToChange({ ...link, userId: person.id, sessionId, ofPerson });
  if (!found.ok) return found;
  return { ok: true, found: { token, ...(found.found ? { known: found.found } : {}) } };
}

/** Counts changes by mailbox across its logins, so that another login does not evade the limit. */
function changesOf(email: string, { keyedHash }: LoginDeps): readonly MailCount[] {
  const mailbox = mailboxOf(email);
  const { addressChangesPerHour, addressChangesPerDay } = PERSON;
  return [
    { key: keyedHash("changes in an hour", mailbox), most: addressChangesPerHour, windowMs: HOUR_MS },
    { key: keyedHash("changes in a day", mailbox), most: addressChangesPerDay, windowMs: 24 * HOUR_MS },
  ];
}

/** Changes the address and returns a token that lets the old address undo it. */
export async function changeEmail(
  token: string,
  deps: LoginDeps,
): Promise<(ChangedEmail & { readonly undoToken: string }) | undefined> {
  const now = deps.now();
  const undo = newToken(deps.random);
  const changed = await deps.emails.changeEmail({
    ...{ tokenSha256: sha256Hex(token), now },
    undo: { tokenSha256: undo.tokenSha256, expiresAt: now + IDENTITY.undoEmailMs },
  });
  return changed && { ...changed, undoToken: undo.token };
}

export async function restoreEmail(token: string, deps: LoginDeps): Promise<ChangedEmail | undefined> {
  return deps.emails.restoreEmail({ tokenSha256: sha256Hex(token), now: deps.now() });
}
