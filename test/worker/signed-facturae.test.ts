import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { signedFacturaeStore } from "../../src/db/invoices/signed-facturae.ts";

const name = (invoiceId: string, withPdf = false) => ({ invoiceId, withPdf });
const bytes = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const store = () => signedFacturaeStore((env as { EVIDENCE: R2Bucket }).EVIDENCE, (call) => call);

test("R2 keeps the first file of an invoice and refuses every later one", async () => {
  expect(await store().read(name("iv1"))).toBeUndefined();
  expect(await store().keepFirst(name("iv1"), bytes("first"))).toBe(true);
  expect(await store().keepFirst(name("iv1"), bytes("second"))).toBe(false);
  expect(await store().read(name("iv1"))).toEqual(bytes("first"));
});

test("of two files at once R2 keeps one", async () => {
  const taken = await Promise.all(["a", "b"].map((text) => store().keepFirst(name("iv2"), bytes(text))));
  expect(taken.toSorted()).toEqual([false, true]);
});

test("the file with the PDF has a place of its own, and both are erased with their invoice", async () => {
  await store().keepFirst(name("iv3"), bytes("plain"));
  expect(await store().keepFirst(name("iv3", true), bytes("with"))).toBe(true);
  await store().keepFirst(name("iv4"), bytes("other"));
  await store().erase(["iv3"]);
  const left = [name("iv3"), name("iv3", true), name("iv4")].map((one) => store().read(one));
  expect(await Promise.all(left)).toEqual([undefined, undefined, bytes("other")]);
});
