import { type RandomBytes, randomText } from "../connection/ids.ts";
import type { Instant } from "../shared/instant.ts";
import { type SigningSecrets, signatureOf } from "./signature.ts";

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
