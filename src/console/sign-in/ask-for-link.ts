import type { KnownPerson, Mailable } from "../../db/login/login-ports.ts";
import { IDENTITY } from "../../domain/limits.ts";
import type { LoginDeps } from "./deps.ts";
import { linkTo } from "./tokens.ts";

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
  const { token, asked } = linkTo(email, deps);
  const joined = await deps.links.askToJoin({ ...asked, name });
  if (!joined.ok) return joined;
  const person = joined.found;
  return { ok: true, found: person ? { mail: "known", person } : { mail: "choose_password", token } };
}

export async function askForPassword(email: string, deps: LoginDeps): Promise<Mailable<LinkMail>> {
  const { token, asked } = linkTo(email, deps);
  const found = await deps.links.askForPassword({
    ...asked,
    signedUpSince: asked.now - IDENTITY.unprovenMs,
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
