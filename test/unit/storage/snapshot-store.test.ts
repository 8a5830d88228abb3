/** KV's content for customers' links: unreadable without the link. */
import { expect, test } from "vitest";
import { snapshotStore } from "../../../src/db/access/snapshot-store.ts";

const [TOKEN, NAME] = ["the-token-of-the-link", '[{"number":"API-1"},{"language":"es"}]'];
const PDF = Uint8Array.from(new TextEncoder().encode("%PDF-1.7 of María Ferrer"));

function aStore() {
  const kept = new Map<string, { readonly bytes: Uint8Array; readonly expirationTtl: number | undefined }>();
  const kv = {
    get: async (name: string) => kept.get(name)?.bytes.slice().buffer ?? null,
    put: async (name: string, bytes: Uint8Array, options?: { readonly expirationTtl?: number }) => {
      kept.set(name, { bytes: bytes.slice(), expirationTtl: options?.expirationTtl });
    },
  };
  const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
  return { kept, store: snapshotStore(kv as unknown as KVNamespace, random) };
}

test("a file is read again by its link and its name, and by no other", async () => {
  const { store } = aStore();
  await store.keepFile(TOKEN, NAME, { bytes: PDF, ttlSeconds: 600 });
  expect(await store.readFile(TOKEN, NAME)).toEqual(PDF);
  expect(await store.readFile("another-token", NAME)).toBeUndefined();
  expect(await store.readFile(TOKEN, NAME.replace("es", "en"))).toBeUndefined();
});

test("a file is kept encrypted, under hashes, for as long as its link", async () => {
  const { kept, store } = aStore();
  await store.keepFile(TOKEN, NAME, { bytes: PDF, ttlSeconds: 600 });
  const [[name, { bytes, expirationTtl }] = ["", { bytes: PDF, expirationTtl: 0 }]] = kept;
  expect(name).toMatch(/^viewer\/[0-9a-f]{64}\/[0-9a-f]{64}$/);
  expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/PDF|Ferrer/);
  expect(expirationTtl).toBe(600);
});

test("a file of a link that is nearly over is not kept", async () => {
  const { kept, store } = aStore();
  await store.keepFile(TOKEN, NAME, { bytes: PDF, ttlSeconds: 59 });
  expect(kept.size).toBe(0);
});

test("a file that was changed is not shown", async () => {
  const { kept, store } = aStore();
  await store.keepFile(TOKEN, NAME, { bytes: PDF, ttlSeconds: 600 });
  for (const { bytes } of kept.values()) bytes[20] = (bytes[20] ?? 0) ^ 1;
  await expect(store.readFile(TOKEN, NAME)).rejects.toThrow();
});
