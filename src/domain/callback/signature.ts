import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { RandomBytes } from "../connection/ids.ts";
import { invariant } from "../shared/result.ts";

/** The secrets of one receiver. Both are valid while the receiver changes to the current one. */
export interface SigningSecrets {
  readonly current: string;
  readonly previous?: string;
}

export interface SignedContent {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

const PREFIX = "whsec_";
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
/** A dot would let two different contents be one signed text. */
const MESSAGE_ID = /^[A-Za-z0-9_-]+$/;

export function newSigningSecret(random: RandomBytes): string {
  return PREFIX + base64(random(32));
}

/** The current secret becomes the previous one; the old previous one ends. */
export function rotated({ current }: SigningSecrets, secret: string): SigningSecrets {
  return { current: secret, previous: current };
}

export function withoutPrevious({ current }: SigningSecrets): SigningSecrets {
  return { current };
}

/** `webhook-signature` in the form of Standard Webhooks: one signature for every secret alive. */
export function signatureOf(content: SignedContent, { current, previous }: SigningSecrets): string {
  const secrets = previous === undefined ? [current] : [current, previous];
  return secrets.map((secret) => sign(secret, content)).join(" ");
}

function sign(secret: string, { id, timestampSeconds, body }: SignedContent): string {
  invariant(SECRET.test(secret), "a signing secret has the form in which it was made");
  invariant(MESSAGE_ID.test(id) && Number.isSafeInteger(timestampSeconds), "id and timestamp have no dot");
  const key = Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
  return `v1,${base64(hmac(sha256, key, utf8ToBytes(`${id}.${timestampSeconds}.${body}`)))}`;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
