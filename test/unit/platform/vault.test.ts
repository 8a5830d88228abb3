import { expect, test } from "vitest";
import { vaultOf } from "../../../src/platform/vault.ts";

const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
const vault = vaultOf("cn1", ["new", "old"], random);

test("opens what it sealed, and shows only the last characters", async () => {
  const sealed = await vault.seal("token", "shpat_0123456789abcdef");
  expect(sealed.tail).toBe("cdef");
  expect(atob(sealed.sealed)).not.toContain("shpat");
  expect(await vault.open("token", sealed)).toBe("shpat_0123456789abcdef");
});

test("of a short secret it shows nothing", async () => {
  expect((await vault.seal("token", "geheim")).tail).toBe("");
});

test("cannot be opened as another field, for another connection or without its secret", async () => {
  const sealed = await vault.seal("token", "shpat_0123456789abcdef");
  expect(await vault.open("secret", sealed)).toBeUndefined();
  expect(await vaultOf("cn2", ["new"], random).open("token", sealed)).toBeUndefined();
  expect(await vaultOf("cn1", ["newer"], random).open("token", sealed)).toBeUndefined();
});

test("opens what an older secret of the list has sealed", async () => {
  const sealed = await vaultOf("cn1", ["old"], random).seal("token", "shpat_0123456789abcdef");
  expect(await vault.open("token", sealed)).toBe("shpat_0123456789abcdef");
});
