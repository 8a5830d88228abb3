/**
 * The imports of the password hash from `node:crypto`, in the workers suite: one real hash takes a fifth of
 * a second, and people of the tests sign in a thousand times. The real one is tested in
 * test/unit/identity/password-hash.test.ts.
 */
import { scrypt as realScrypt, type ScryptOptions } from "node:crypto";

export { randomBytes, timingSafeEqual } from "node:crypto";

/** Other parameters lead to another key, as those of the real one do. */
export function scrypt(
  password: string,
  salt: Buffer,
  sizeBytes: number,
  { N, r, p }: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
): void {
  realScrypt(`${password} ${N} ${r} ${p}`, salt, sizeBytes, { N: 16, r: 1, p: 1 }, done);
}
