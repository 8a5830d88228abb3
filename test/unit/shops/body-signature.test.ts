import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { isSignedBy } from "../../../src/platform/body-signature.ts";

const bytes = Uint8Array.from(new TextEncoder().encode('{"id":1,"name":"ñ"}'));
const signed = (secret: string) => createHmac("sha256", secret).update(bytes).digest("base64");

test("a signature is the base64 of HMAC-SHA256 over the bytes, by any secret alive", async () => {
  expect(await isSignedBy(bytes, signed("new"), ["new", "old"])).toBe(true);
  expect(await isSignedBy(bytes, signed("old"), ["new", "old"])).toBe(true);
  expect(await isSignedBy(bytes, signed("older"), ["new", "old"])).toBe(false);
  expect(await isSignedBy(bytes, signed("new"), [])).toBe(false);
  expect(await isSignedBy(bytes.slice(1), signed("new"), ["new"])).toBe(false);
});

test.each([
  ["nothing", ""],
  ["another length", signed("new").slice(4)],
  ["hexadecimal", createHmac("sha256", "new").update(bytes).digest("hex")],
  ["another alphabet", signed("new").replaceAll(/[+/A]/g, "-")],
])("%s is no signature, whatever the secrets", async (_, text) => {
  expect(await isSignedBy(bytes, text, ["new", ""])).toBe(false);
});

test("an empty secret signs nothing", async () => {
  expect(await isSignedBy(bytes, createHmac("sha256", "").update(bytes).digest("base64"), [""])).toBe(false);
});
