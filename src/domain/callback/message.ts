import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type RandomBytes, randomText } from "../connection/ids.ts";
import { base64Of, bytesOf } from "../shared/base64.ts";
import type { Instant } from "../shared/instant.ts";
import { invariant } from "../shared/result.ts";

/** A POST of JSON to a customer's server, as one attempt sends it. */
export interface OutgoingMessage {
  /** The same at every attempt, so that the receiver recognises a repeat. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  readonly secrets: SigningSecrets;
  /** When the attempt is made, not when its cause came about. */
  readonly at: Instant;
}

export function newMessageId(random: RandomBytes): string {
  return `msg_${randomText(26, random)}`;
}

/** The recommended form of Standard Webhooks: event, time and facts. */
export function bodyOf(type: string, happenedAt: Instant, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(happenedAt).toISOString(), data });
}

/** Headers that prove the sender and the time of the body. */
export function signedHeaders({ id, body, secrets, at }: OutgoingMessage): Readonly<Record<string, string>> {
  const timestampSeconds = Math.floor(at / 1_000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": signatureOf({ id, timestampSeconds, body }, secrets),
  };
}

/** The secrets of one receiver. Both are valid while the receiver changes to the current one. */
export interface SigningSecrets {
  readonly current: string;
  readonly previous?: string;
}

interface SignedContent {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

const PREFIX = "whsec_";
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
/** A dot would let two different contents be one signed text. */
const MESSAGE_ID = /^[A-Za-z0-9_-]+$/;

export function newSigningSecret(random: RandomBytes): string {
  return PREFIX + base64Of(random(32));
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
  const key = bytesOf(secret.slice(PREFIX.length));
  return `v1,${base64Of(hmac(sha256, key, utf8ToBytes(`${id}.${timestampSeconds}.${body}`)))}`;
}
