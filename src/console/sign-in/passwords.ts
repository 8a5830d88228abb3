import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { type IsListed, judgePassword, lengthRefusal } from "../../domain/identity/password.ts";
import { bytesOf } from "../../domain/shared/base64.ts";
import { mayContain } from "../../domain/shared/bloom.ts";
import type { Passwords } from "./deps.ts";
import listed from "./listed.json" with { type: "json" };

/** The single policy for all places where a password is chosen. */
export const passwords: Passwords = {
  async refusalOf(password, known) {
    const refused = lengthRefusal(password);
    if (refused) return refused;
    const judged = judgePassword(password, known, isListed);
    return judged.ok ? undefined : judged.error;
  },
  hash: hashPassword,
  matches: isPasswordOf,
};

let filter: Parameters<typeof mayContain>[0] | undefined;

export const isListed: IsListed = (form) => {
  // Decoded at the first check of a password, so that the Worker starts faster.
  filter ??= { hashes: listed.hashes, bits: bytesOf(listed.base64) };
  return mayContain(filter, form);
};

/** As strong as N = 2^17, r = 8, p = 1, in an eighth of the memory (OWASP's list of equals): 16 MiB. */
const TODAY = { N: 16_384, r: 8, p: 5 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** `scrypt$N$r$p$salt$hash`: the parameters are stored with each hash, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, TODAY);
  return ["scrypt", TODAY.N, TODAY.r, TODAY.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/** A login without a password takes as long as a wrong password. */
export async function isPasswordOf(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await matches(stored ?? UNKNOWN_HASH, password);
  return isRight && stored !== undefined;
}

const UNKNOWN_HASH = [
  "scrypt",
  TODAY.N,
  TODAY.r,
  TODAY.p,
  btoa("\0".repeat(SALT_BYTES)),
  btoa("\0".repeat(HASH_BYTES)),
].join("$");

async function matches(stored: string, password: string): Promise<boolean> {
  const [kind, N, r, p, salt = "", hash = ""] = stored.split("$");
  if (kind !== "scrypt") return false;
  const expected = Buffer.from(hash, "base64");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const found = await derive(password, Buffer.from(salt, "base64"), cost);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize("NFKC"),
      salt,
      HASH_BYTES,
      { ...cost, maxmem: 64 * 1024 * 1024 },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}
