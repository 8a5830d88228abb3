/**
 * The token of a viewer URL: the sealed grant in base64url, random and opaque to its holder. The edge alone
 * opens it, before it asks an object, cache or database.
 */
import { invariant } from "../domain/shared/result.ts";
import { isGrantOver, type ViewerGrant } from "../domain/viewer/access.ts";
import { SEAL_BYTES, seal, unseal } from "../platform/seal.ts";

export interface TokenDeps {
  /** The first one seals; all of them open. */
  readonly secrets: readonly string[];
  readonly random: (sizeBytes: number) => Uint8Array<ArrayBuffer>;
}

export type OpenedToken =
  | { readonly is: "genuine"; readonly grant: ViewerGrant }
  | { readonly is: "over"; readonly grant: ViewerGrant }
  | { readonly is: "forged" };

const USE = "viewer-token/2";
const LONGEST_TOKEN = 2_000;
const TOKEN = /^[A-Za-z0-9_-]+$/;
const FORGED: OpenedToken = { is: "forged" };

export async function mintToken(grant: ViewerGrant, { secrets, random }: TokenDeps): Promise<string> {
  const [secret] = secrets;
  invariant(secret, "there is a secret to seal with");
  return toBase64Url(await seal(new TextEncoder().encode(textOf(grant)), { secret, use: USE }, random));
}

export async function openToken(
  token: string,
  { secrets }: Pick<TokenDeps, "secrets">,
  now: number,
): Promise<OpenedToken> {
  const bytes = fromBase64Url(token);
  if (!bytes || bytes.length <= SEAL_BYTES) return FORGED;
  for (const secret of secrets) {
    const text = await unseal(bytes, { secret, use: USE });
    if (!text) continue;
    const grant = grantFrom(JSON.parse(new TextDecoder().decode(text)));
    return { is: isGrantOver(grant, now) ? "over" : "genuine", grant };
  }
  return FORGED;
}

/** Sealed data come from this service, so their shape is known. */
type GrantMembers = readonly [
  connectionId: string,
  epoch: number,
  idExternal: string,
  origin: string | null,
  expiresAt: number,
];

function textOf({ connectionId, epoch, idExternal, framing, expiresAt }: ViewerGrant): string {
  const origin = framing.presentation === "embed" ? framing.origin : null;
  return JSON.stringify([connectionId, epoch, idExternal, origin, expiresAt] satisfies GrantMembers);
}

function grantFrom([connectionId, epoch, idExternal, origin, expiresAt]: GrantMembers): ViewerGrant {
  const framing =
    origin === null ? ({ presentation: "link" } as const) : ({ presentation: "embed", origin } as const);
  return { connectionId, epoch, idExternal, framing, expiresAt };
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Also undefined for a second spelling of the same bytes: one URL, one token. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > LONGEST_TOKEN || !TOKEN.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
    one.charCodeAt(0),
  );
  return toBase64Url(bytes) === text ? bytes : undefined;
}
