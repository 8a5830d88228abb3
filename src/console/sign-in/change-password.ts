import type { Try } from "../../db/login/login-ports.ts";
import type { Person, SessionOfPerson } from "../../db/people/identity-store.ts";
import { randomText } from "../../domain/connection/ids.ts";
import type { PasswordRefusal } from "../../domain/identity/password.ts";
import type { LoginDeps } from "./deps.ts";

export interface PasswordChangeRequest {
  readonly person: Person;
  readonly session: SessionOfPerson;
  readonly current: string;
  readonly becomes: string;
}

export type ChangeOutcome =
  | { readonly outcome: "delayed"; readonly waitMs: number }
  | { readonly outcome: "wrong" }
  | { readonly outcome: "refused"; readonly code: PasswordRefusal }
  | { readonly outcome: "changed" };

/** Wrong attempts at the current password are delayed like those at sign-in, against an open screen. */
export async function changePassword(
  { person, session, current, becomes }: PasswordChangeRequest,
  deps: LoginDeps,
): Promise<ChangeOutcome> {
  const refused = await deps.passwords.refusalOf(becomes, { ...person, product: deps.product });
  if (refused) return { outcome: "refused", code: refused };
  const made = tryOf(session.id, person.email, deps);
  const begun = await deps.tries.begin(made);
  if (!begun.ok) return { outcome: "delayed", waitMs: begun.waitMs };
  const was = await deps.logins.passwordOf(person.id);
  if (!(await deps.passwords.matches(was, current)) || was === undefined) return { outcome: "wrong" };
  const isChanged = await deps.logins.changePassword({
    ...{ userId: person.id, sessionId: session.id, was, now: deps.now() },
    becomes: await deps.passwords.hash(becomes),
  });
  if (!isChanged) return { outcome: "wrong" };
  await deps.tries.succeeded(made);
  return { outcome: "changed" };
}

function tryOf(sessionId: string, email: string, { keyedHash, random, now }: LoginDeps): Try {
  return {
    senderKey: keyedHash("tries of session", sessionId),
    accountKey: keyedHash("tries", email),
    accountHash: keyedHash("account", email),
    isStranger: false,
    ...{ id: randomText(16, random), now: now() },
  };
}
