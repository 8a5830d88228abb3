import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type RandomBytes, randomText } from "./ids.ts";

/** The key in use and its replacement. */
export const MOST_KEYS_ALIVE = 2;

const KEY = /^(ck_live_(cn[0-9a-z]{19})_[0-9a-z]{32})_([0-9a-f]{32})$/;

/** `ck_live_<connection>_<secret>_<tag>`: shown once, stored only as SHA-256. */
export function newApiKey(connectionId: string, serverSecret: string, random: RandomBytes): string {
  const body = `ck_live_${connectionId}_${randomText(32, random)}`;
  return `${body}_${tagOf(body, serverSecret)}`;
}

/**
 * The connection that a key names, when one of the server's secrets made its tag; undefined for a forged or
 * misshapen key, which therefore reaches no object and no database.
 */
export function connectionOfKey(key: string, serverSecrets: readonly string[]): string | undefined {
  const match = KEY.exec(key);
  const [, body = "", connectionId, tag = ""] = match ?? [];
  if (!match) return undefined;
  const genuine = serverSecrets.map((secret) => equalInConstantTime(tag, tagOf(body, secret)));
  return genuine.includes(true) ? connectionId : undefined;
}

/** The form in which a key is stored and travels inside the service. */
export function hashOfKey(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(key)));
}

/** Compares every character: the duration does not reveal the first difference. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

function tagOf(body: string, serverSecret: string): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(serverSecret), utf8ToBytes(body))).slice(0, 32);
}
