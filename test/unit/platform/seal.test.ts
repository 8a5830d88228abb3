/** Sealed bytes: opened under their key only, and never equal twice. */
import { expect, test } from "vitest";
import { SEAL_BYTES, seal, unseal } from "../../../src/platform/seal.ts";

const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
const KEY = { secret: "a secret", use: "test/1" };
const BYTES = new TextEncoder().encode("an invoice of Ñandú, S.L.");

test.each([
  ["some", BYTES],
  ["no", new Uint8Array()],
  ["a million", new Uint8Array(1_000_000).fill(7)],
])("%s bytes are returned as they were sealed", async (_, bytes) => {
  const sealed = await seal(bytes, KEY, random);
  expect(sealed).toHaveLength(bytes.length + SEAL_BYTES);
  expect(await unseal(sealed, KEY)).toEqual(bytes);
});

test("equal bytes are sealed under a new salt and nonce each time", async () => {
  const [one, other] = [await seal(BYTES, KEY, random), await seal(BYTES, KEY, random)];
  expect(one.slice(0, 16)).not.toEqual(other.slice(0, 16));
  expect(one.slice(16, 28)).not.toEqual(other.slice(16, 28));
  expect(one.slice(28)).not.toEqual(other.slice(28));
});

test("the salt alone changes the encrypted bytes", async () => {
  const saltOf = (salt: number) => (sizeBytes: number) =>
    new Uint8Array(sizeBytes).fill(sizeBytes === 16 ? salt : 9);
  const [one, other] = [await seal(BYTES, KEY, saltOf(1)), await seal(BYTES, KEY, saltOf(2))];
  expect(one.slice(28)).not.toEqual(other.slice(28));
});

test.each([
  ["another secret", { ...KEY, secret: "b secret" }],
  ["another use", { ...KEY, use: "test/2" }],
])("%s opens nothing", async (_, key) => {
  expect(await unseal(await seal(BYTES, KEY, random), key)).toBeUndefined();
});

test("no changed byte and no shorter text is opened", async () => {
  const sealed = await seal(BYTES, KEY, random);
  for (let at = 0; at < sealed.length; at++) {
    const altered = sealed.slice();
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(await unseal(altered, KEY)).toBeUndefined();
    expect(await unseal(sealed.slice(0, at), KEY)).toBeUndefined();
  }
});
