/**
 * The token of a viewer URL: `nonce ‖ AES-CTR(grant) ‖ HMAC-SHA-256`, in base64url. Random and opaque to its
 * holder. The edge alone verifies and reads it, before it asks an object, cache or database.
 */
import { invariant } from "../domain/shared/result.ts";
import { isGrantOver, type ViewerGrant } from "../domain/viewer/access.ts";

export interface TokenDeps {
  /** The first one signs; all of them verify. */
  readonly secrets: readonly string[];
  readonly random: (sizeBytes: number) => Uint8Array<ArrayBuffer>;
}

export type OpenedToken =
  | { readonly is: "genuine"; readonly grant: ViewerGrant }
  | { readonly is: "over"; readonly grant: ViewerGrant }
  | { readonly is: "forged" };

const NONCE_BYTES = 16;
const TAG_BYTES = 32;
const LONGEST_TOKEN = 2_000;
const TOKEN = /^[A-Za-z0-9_-]{66,}$/;
const FORGED: OpenedToken = { is: "forged" };

export async function mintToken(grant: ViewerGrant, { secrets, random }: TokenDeps): Promise<string> {
  const [secret] = secrets;
  invariant(secret, "there is a secret to sign with");
  const nonce = random(NONCE_BYTES);
  const sealed = await crypto.subtle.encrypt(
    ctr(nonce),
    await cipherKey(secret),
    encoder.encode(textOf(grant)),
  );
  const content = joined(nonce, new Uint8Array(sealed));
  const tag = await crypto.subtle.sign("HMAC", await tagKey(secret), content);
  return toBase64Url(joined(content, new Uint8Array(tag)));
}

export async function openToken(
  token: string,
  { secrets }: Pick<TokenDeps, "secrets">,
  now: number,
): Promise<OpenedToken> {
  const bytes = fromBase64Url(token);
  if (!bytes || bytes.length <= NONCE_BYTES + TAG_BYTES) return FORGED;
  const content = bytes.slice(0, -TAG_BYTES);
  const tag = bytes.slice(-TAG_BYTES);
  for (const secret of secrets) {
    if (!(await crypto.subtle.verify("HMAC", await tagKey(secret), tag, content))) continue;
    const grant = await unsealed(content, secret);
    return { is: isGrantOver(grant, now) ? "over" : "genuine", grant };
  }
  return FORGED;
}

async function unsealed(content: Uint8Array<ArrayBuffer>, secret: string): Promise<ViewerGrant> {
  const [nonce, sealed] = [content.slice(0, NONCE_BYTES), content.slice(NONCE_BYTES)];
  const text = await crypto.subtle.decrypt(ctr(nonce), await cipherKey(secret), sealed);
  return grantFrom(JSON.parse(new TextDecoder().decode(text)));
}

/** Signed data come from this service, so their shape is known. */
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

const encoder = new TextEncoder();

/** The nonce is random and as long as the counter: no two tokens share a stream. */
function ctr(nonce: Uint8Array<ArrayBuffer>) {
  return { name: "AES-CTR", counter: nonce, length: 64 } as const;
}

async function cipherKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", await derived(secret, "cipher"), "AES-CTR", false, [
    "encrypt",
    "decrypt",
  ]);
}

async function tagKey(secret: string): Promise<CryptoKey> {
  return hmacKey(await derived(secret, "tag"));
}

/** A separate key per use: other signatures with the secret are not valid tokens. */
async function derived(secret: string, use: "cipher" | "tag"): Promise<ArrayBuffer> {
  const key = await hmacKey(encoder.encode(secret));
  return crypto.subtle.sign("HMAC", key, encoder.encode(`viewer-token/1/${use}`));
}

function hmacKey(bytes: BufferSource): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
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
