import type {
  KnownPerson,
  Mailable,
  MailLanguage,
  NewSession,
  OpenLink,
  Try,
} from "../../db/login/login-stores.ts";
import type { Person, SessionOfPerson } from "../../db/people/identity-store.ts";
import { randomText } from "../../domain/connection/ids.ts";
import type { PasswordRefusal } from "../../domain/identity/password.ts";
import { IDENTITY } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { LoginDeps } from "./deps.ts";
import { type CodeRefusal, proveSecondStep } from "./second-factor.ts";
import { linkTo, mailboxHashes, newDevice, newSession } from "./tokens.ts";

interface ChosenPassword {
  readonly token: string;
  readonly password: string;
  /** Of the second step, once the person was asked for it. */
  readonly code: string | undefined;
  /** Device ids from the browser's cookies. */
  readonly devices: readonly string[];
  readonly device: string | undefined;
  readonly language: MailLanguage;
}

type PasswordChosen =
  | { readonly outcome: "link_ended" }
  | { readonly outcome: "refused"; readonly code: PasswordRefusal; readonly email: string }
  | (CodeRefusal & { readonly userId: string; readonly email: string })
  | ({
      readonly outcome: "chosen";
      readonly deviceId: string;
      readonly isRecoveryCode: boolean;
    } & Chooser);

interface Chooser {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Set after sign-up, which continues to the first invoice; after a recovery the person signs in. */
  readonly session?: NewSession;
}

/** Checks the link before the password, and uses the link up only if the password is allowed. */
export async function choosePassword(chosen: ChosenPassword, deps: LoginDeps): Promise<PasswordChosen> {
  const tokenSha256 = sha256Hex(chosen.token);
  const link = await deps.links.linkBy(tokenSha256, deps.now());
  if (!link) return { outcome: "link_ended" };
  const { email, name } = link;
  const refused = await deps.passwords.refusalOf(chosen.password, { email, name, product: deps.product });
  if (refused) return { outcome: "refused", code: refused, email };
  const { userId } = link;
  const proof = userId === undefined ? undefined : await proveSecondStep({ ...chosen, userId }, deps);
  if (userId !== undefined && proof && proof.outcome !== "right") return { ...proof, userId, email };
  const use = proof?.outcome === "right" ? proof.use : undefined;
  const passwordHash = await deps.passwords.hash(chosen.password);
  const device = newDevice(deps);
  const password = {
    ...{ tokenSha256, passwordHash, language: chosen.language, device: device.stored, now: deps.now() },
    accountHash: deps.keyedHash("account", email),
    ...{ mailbox: mailboxHashes(email, deps), use },
  };
  const spent = await spend(link, chosen, password, deps);
  if (!spent) return { outcome: "link_ended" };
  if (proof?.outcome === "right") await proof.succeeded();
  const isRecoveryCode = use?.kind === "recovery";
  return { outcome: "chosen", deviceId: device.id, isRecoveryCode, email, name, ...spent };
}

type Spending = Omit<Parameters<LoginDeps["links"]["recover"]>[0], "userId">;

async function spend(
  { userId }: OpenLink,
  { device }: ChosenPassword,
  password: Spending,
  deps: LoginDeps,
): Promise<Pick<Chooser, "userId" | "session"> | undefined> {
  if (userId !== undefined)
    return (await deps.links.recover({ ...password, userId })) ? { userId } : undefined;
  const newUserId = randomText(32, deps.random);
  const session = newSession(newUserId, device, deps);
  const isIn = await deps.links.signUp({ ...password, userId: newUserId, session });
  return isIn ? { userId: newUserId, session } : undefined;
}

/** The mail for a typed address. The caller gets the same reply for every address. */
export type LinkMail =
  | {
      readonly mail: "choose_password" | "change_password";
      readonly token: string;
      readonly person?: KnownPerson;
    }
  | { readonly mail: "known"; readonly person: KnownPerson }
  | { readonly mail: "none" };

/** Creates only a link: no person, session or password, regardless of other members in the request. */
export async function askToJoin(
  { name, email }: { readonly name: string; readonly email: string },
  deps: LoginDeps,
): Promise<Mailable<LinkMail>> {
  const { token, link } = linkTo(email, deps);
  const joined = await deps.links.askToJoin({ ...link, name });
  if (!joined.ok) return joined;
  const person = joined.found;
  return { ok: true, found: person ? { mail: "known", person } : { mail: "choose_password", token } };
}

export async function askForPassword(email: string, deps: LoginDeps): Promise<Mailable<LinkMail>> {
  const { token, link } = linkTo(email, deps);
  const found = await deps.links.askForPassword({
    ...link,
    signedUpSince: link.now - IDENTITY.unprovenMs,
  });
  if (!found.ok) return found;
  const { found: whose } = found;
  if (!whose) return { ok: true, found: { mail: "none" } };
  const { person } = whose;
  return {
    ok: true,
    found: person ? { mail: "change_password", token, person } : { mail: "choose_password", token },
  };
}

interface PasswordChangeRequest {
  readonly person: Person;
  readonly session: SessionOfPerson;
  readonly current: string;
  readonly becomes: string;
}

type ChangeOutcome =
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
