/** The console as a browser uses it: cookies kept, the origin said. */
import { env, exports } from "cloudflare:workers";
import { sha256Hex } from "../../src/domain/shared/sha256.ts";
import { type Browser, visitor } from "./visitor.ts";

const ORIGIN = "http://127.0.0.1:8788";
export const PASSWORD = "cuatro lunas de marzo";

export type { Browser, ConsoleAnswer } from "./visitor.ts";

export function browser(): Browser {
  return visitor(ORIGIN, (url, init) => exports.OwnerApi.fetch(url, init));
}

let people = 0;

/** A link as it would be mailed to who signs up. */
export async function signUpLink(email: string, name: string): Promise<string> {
  const token = `link-of-the-tests-${email}`;
  const now = Date.now();
  await env.DIRECTORY.prepare(
    `INSERT INTO identity_link (token_sha256, kind, email, name, created_at, expires_at)
     VALUES (?, 'sign_up', ?, ?, ?, ?)`,
  )
    .bind(sha256Hex(token), email, name, now, now + 3_600_000)
    .run();
  return token;
}

/** A new person, signed in. */
export async function newPerson(name = "María Ferrer"): Promise<Browser & { readonly email: string }> {
  people += 1;
  const email = `persona.${people}@correo.example`;
  const signedIn = browser();
  const token = await signUpLink(email, name);
  const answer = await signedIn.post("/api/auth/reset-password", { token, newPassword: PASSWORD });
  if (answer.status !== 200) throw new Error(`choosing a password answered ${answer.status}`);
  return { ...signedIn, email };
}

/** That person as owner of an account that stands already, such as that of `openShop()`. */
export async function ownerOf(
  account: { readonly accountId: string; readonly ledger?: string; readonly nif?: string },
  role: "owner" | "accountant" = "owner",
): Promise<Browser & { readonly email: string; readonly userId: string }> {
  const person = await newPerson();
  const { user } = (await person.get("/api/me")).body.data;
  const ledger = account.ledger ?? account.accountId.slice(2, 5);
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare(
      "INSERT INTO account_directory (account_id, nif, ledger, opened_at) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING",
    ).bind(account.accountId, account.nif ?? account.accountId, ledger),
    env.DIRECTORY.prepare("INSERT INTO account_owner (account_id, owner_id, role) VALUES (?, ?, ?)").bind(
      account.accountId,
      user.id,
      role,
    ),
  ]);
  return { ...person, userId: user.id };
}
