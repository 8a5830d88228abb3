import type { ChangedEmail, KnownPerson, Mailable } from "../../db/login/ports.ts";
import { IDENTITY } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";
import type { LoginDeps } from "./deps.ts";
import { linkTo, newToken } from "./tokens.ts";

export interface NewEmailMail {
  readonly token: string;
  /** Who has the address already: that person is told, and no link is sent. */
  readonly known?: KnownPerson;
}

export async function askToChangeEmail(
  { email, ...by }: { readonly email: string; readonly userId: string; readonly sessionId: string },
  deps: LoginDeps,
): Promise<Mailable<NewEmailMail>> {
  const { token, asked } = linkTo(email, deps);
  const found = await deps.emails.askToChange({ ...asked, ...by });
  if (!found.ok) return found;
  return { ok: true, found: { token, ...(found.found ? { known: found.found } : {}) } };
}

/** With the link by which the old address takes it back. */
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
