import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ShopPlatform } from "../shop/presets.ts";
import { equalInConstantTime } from "./api-key.ts";
import { type RandomBytes, randomText } from "./ids.ts";

/** The connection that an address belongs to, and what distinguishes it from earlier addresses of it. */
export interface AddressPlace {
  readonly connectionId: string;
  readonly nonce: string;
}

const NONCE_CHARACTERS = 20;
const ADDRESS = /^(sa_(cn[0-9a-z]{19})_([0-9a-z]{20}))_([0-9a-f]{32})$/;

export function newAddressNonce(random: RandomBytes): string {
  return randomText(NONCE_CHARACTERS, random);
}

/** `sa_<connection>_<nonce>_<tag>`: the last part of the URL at which a shop of this platform delivers. */
export function shopAddress(
  platform: ShopPlatform,
  { connectionId, nonce }: AddressPlace,
  serverSecret: string,
): string {
  const body = `sa_${connectionId}_${nonce}`;
  return `${body}_${tagOf(platform, body, serverSecret)}`;
}

/**
 * The place that an address names, when one of the server's secrets made its tag for this platform. Any other
 * address is undefined, and reaches no object and no database.
 */
export function placeOfAddress(
  platform: ShopPlatform,
  address: string,
  serverSecrets: readonly string[],
): AddressPlace | undefined {
  const [, body = "", connectionId = "", nonce = "", tag = ""] = ADDRESS.exec(address) ?? [];
  if (body === "") return undefined;
  const genuine = serverSecrets.map((secret) => equalInConstantTime(tag, tagOf(platform, body, secret)));
  return genuine.includes(true) ? { connectionId, nonce } : undefined;
}

/** The first words keep this tag apart from the tags of API keys, which the same secrets sign. */
function tagOf(platform: ShopPlatform, body: string, serverSecret: string): string {
  const signed = utf8ToBytes(`shop-address/1:${platform}:${body}`);
  return bytesToHex(hmac(sha256, utf8ToBytes(serverSecret), signed)).slice(0, 32);
}
