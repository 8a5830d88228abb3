import type { IsListed } from "../../domain/identity/password.ts";
import { seemsListed } from "../../domain/shared/bloom.ts";
import listed from "./listed.json";

let filter: Parameters<typeof seemsListed>[0] | undefined;

export const isListed: IsListed = (form) => {
  // Decoded at the first check of a password, so that the Worker starts faster.
  filter ??= { hashes: listed.hashes, bits: bytesOf(listed.base64) };
  return seemsListed(filter, form);
};

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
