import type { IsListed } from "../../domain/identity/password.ts";
import { seemsListed } from "../../domain/shared/bloom.ts";
import listed from "./listed.json";

/** Loaded with the first password that somebody chooses. */
export const isListed: IsListed = (form) => seemsListed(FILTER, form);

const FILTER = { hashes: listed.hashes, bits: bytesOf(listed.base64) };

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
