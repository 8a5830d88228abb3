import type { MailLanguage, NewSession, OpenLink } from "../../db/login/login-ports.ts";
import { randomText } from "../../domain/connection/ids.ts";
import { mailboxOf } from "../../domain/identity/mailbox.ts";
import type { PasswordRefusal } from "../../domain/identity/password.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { LoginDeps } from "./deps.ts";
import { newDevice, newSession } from "./tokens.ts";

export interface ChosenPassword {
  readonly token: string;
  readonly password: string;
  readonly device: string | undefined;
  readonly language: MailLanguage;
}

export type PasswordChosen =
  | { readonly outcome: "link_ended" }
  | { readonly outcome: "refused"; readonly code: PasswordRefusal; readonly email: string }
  | ({ readonly outcome: "chosen"; readonly deviceId: string } & Chooser);

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
  const passwordHash = await deps.passwords.hash(chosen.password);
  const device = newDevice(deps);
  const password = {
    ...{ tokenSha256, passwordHash, language: chosen.language, device: device.stored, now: deps.now() },
    accountHash: deps.keyedHash("account", email),
  };
  const spent = await spend(link, chosen, password, deps);
  return spent
    ? { outcome: "chosen", deviceId: device.id, email, name, ...spent }
    : { outcome: "link_ended" };
}

type Spending = Omit<Parameters<LoginDeps["links"]["recover"]>[0], "userId">;

async function spend(
  { userId, email }: OpenLink,
  { device }: ChosenPassword,
  password: Spending,
  deps: LoginDeps,
): Promise<Pick<Chooser, "userId" | "session"> | undefined> {
  if (userId !== undefined)
    return (await deps.links.recover({ ...password, userId })) ? { userId } : undefined;
  const newUserId = randomText(32, deps.random);
  const session = newSession(newUserId, device, deps);
  const mailboxHash = deps.keyedHash("mailbox", mailboxOf(email));
  const isIn = await deps.links.signUp({ ...password, userId: newUserId, session, mailboxHash });
  return isIn ? { userId: newUserId, session } : undefined;
}
