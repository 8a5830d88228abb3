import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type {
  LinkRequest,
  MailboxHashes,
  MailCount,
  NewDevice,
  NewSession,
} from "../../db/login/login-stores.ts";
import { type RandomBytes, randomText } from "../../domain/connection/ids.ts";
import { mailboxOf } from "../../domain/identity/mailbox.ts";
import { IDENTITY, RECEIVER, SIGN_IN_DELAY } from "../../domain/limits.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { LoginDeps } from "./deps.ts";

/** 200 random bits: a token opens an account. */
const TOKEN_LENGTH = 40;
const HOUR_MS = 3_600_000;

export function newToken(random: RandomBytes): { readonly token: string; readonly tokenSha256: string } {
  const token = randomText(TOKEN_LENGTH, random);
  return { token, tokenSha256: sha256Hex(token) };
}

/** Normalised as stored and compared. */
export function addressOf(sent: string): string {
  return sent.trim().toLowerCase();
}

/** A link for an address, within the address's mail limits. */
export function linkTo(
  email: string,
  deps: LoginDeps,
): { readonly token: string; readonly link: LinkRequest } {
  const now = deps.now();
  const { token, tokenSha256 } = newToken(deps.random);
  const link = { email, tokenSha256, now, expiresAt: now + IDENTITY.linkMs, mails: mailsTo(email, deps) };
  return { token, link };
}

/** Quotas of a person count by mailbox, also while the secret of the hash is replaced. */
export function mailboxHashes(email: string, { keyedHash, olderHashes }: LoginDeps): MailboxHashes {
  const mailbox = mailboxOf(email);
  return { current: keyedHash("mailbox", mailbox), older: olderHashes("mailbox", mailbox) };
}

function mailsTo(email: string, { keyedHash }: LoginDeps): MailCount {
  return { key: keyedHash("mails", mailboxOf(email)), most: RECEIVER.linksPerHour, windowMs: HOUR_MS };
}

/** Only the cookie has the id; the database stores its hash. */
export function newDevice(deps: LoginDeps): { readonly id: string; readonly stored: NewDevice } {
  const { token: id, tokenSha256: idSha256 } = newToken(deps.random);
  return { id, stored: { idSha256, expiresAt: deps.now() + SIGN_IN_DELAY.deviceMs } };
}

export function newSession(userId: string, device: string | undefined, deps: LoginDeps): NewSession {
  const now: Instant = deps.now();
  return {
    ...{ id: randomText(32, deps.random), token: randomText(TOKEN_LENGTH, deps.random) },
    ...{ userId, device, now, expiresAt: now + IDENTITY.sessionMs },
  };
}

/**
 * Replaces addresses and networks in tables and log lines; without the secret, guessing cannot reverse it.
 */
export function keyedHash(secret: string) {
  return (kind: string, text: string): string =>
    bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${kind}:${text}`)));
}
