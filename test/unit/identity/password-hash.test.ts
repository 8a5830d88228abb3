/** The real hash; the workers suite has a quick one in its place (test/support/worlds/quick-scrypt.ts). */
import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { hashPassword, isPasswordOf } from "../../../src/console/sign-in/passwords.ts";

const PASSWORD = "cuatro lunas de marzo";

test("a stored password is the scrypt of its text under the stored parameters and salt", async () => {
  const stored = await hashPassword(PASSWORD);
  const [kind, N, r, p, salt = "", hash] = stored.split("$");
  expect([kind, N, r, p]).toEqual(["scrypt", "16384", "8", "5"]);
  const options = { N: 16_384, r: 8, p: 5, maxmem: 64 * 1024 * 1024 };
  expect(scryptSync(PASSWORD, Buffer.from(salt, "base64"), 32, options).toString("base64")).toBe(hash);
  expect(Buffer.from(salt, "base64")).toHaveLength(16);
});

test("only the same text is the password of a hash, however its accents are composed", async () => {
  const stored = await hashPassword("adiós");
  expect(await isPasswordOf(stored, "adio\u0301s")).toBe(true);
  expect(await isPasswordOf(stored, "adios")).toBe(false);
});

test("a hash of older parameters is still verified under them", async () => {
  const salt = Buffer.alloc(16, 7);
  const hash = scryptSync(PASSWORD, salt, 32, { N: 1_024, r: 8, p: 1 });
  const stored = ["scrypt", 1_024, 8, 1, salt.toString("base64"), hash.toString("base64")].join("$");
  expect(await isPasswordOf(stored, PASSWORD)).toBe(true);
  expect(await isPasswordOf(stored.replace("$1024$", "$2048$"), PASSWORD)).toBe(false);
});

test("no text is the password of a person without one", async () => {
  expect(await isPasswordOf(undefined, PASSWORD)).toBe(false);
  expect(await isPasswordOf("bcrypt$1", PASSWORD)).toBe(false);
});
