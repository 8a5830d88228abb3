/** Tokens of viewer URLs: opaque, signed, of one purpose. */
import { describe, expect, test } from "vitest";
import type { ViewerGrant } from "../../../src/domain/viewer/access.ts";
import { mintToken, openToken } from "../../../src/viewer/viewer-token.ts";
import { CONNECTION_ID } from "../../support/worlds/http-edge.ts";

const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
const EXPIRES_AT = 1_764_237_600;
const BEFORE = EXPIRES_AT * 1_000 - 1;

function aGrant(change: Partial<ViewerGrant> = {}): ViewerGrant {
  return {
    connectionId: CONNECTION_ID,
    epoch: 3,
    idExternal: "pedido-ñ-1",
    framing: { presentation: "embed", origin: "https://tienda.example" },
    expiresAt: EXPIRES_AT,
    ...change,
  };
}

const mint = (secret: string, grant = aGrant()) => mintToken(grant, { secrets: [secret], random });
const open = (token: string, ...secrets: readonly string[]) => openToken(token, { secrets }, BEFORE);

describe("a token", () => {
  test.each([
    ["for a frame", aGrant()],
    ["for a link", aGrant({ framing: { presentation: "link" } })],
    ["of the longest id", aGrant({ idExternal: "😀".repeat(120) })],
  ])("returns the grant: %s", async (_, grant) => {
    expect(await open(await mint("a", grant), "a")).toEqual({ is: "genuine", grant });
  });

  test("is random, and says nothing of what it grants", async () => {
    const [one, other] = [await mint("a"), await mint("a")];
    expect(one.slice(0, 40)).not.toBe(other.slice(0, 40));
    const bytes = atob(one.replaceAll("-", "+").replaceAll("_", "/"));
    for (const known of [CONNECTION_ID, "pedido", "tienda", "1764"]) expect(bytes).not.toContain(known);
  });

  test("is over at its second", async () => {
    const token = await mint("a");
    expect((await openToken(token, { secrets: ["a"] }, EXPIRES_AT * 1_000)).is).toBe("over");
  });
});

describe("secrets", () => {
  test("the first signs, all verify, and a removed one does not", async () => {
    const old = await mint("old");
    expect((await open(old, "new", "old")).is).toBe("genuine");
    expect((await open(old, "new")).is).toBe("forged");
    const fresh = await mintToken(aGrant(), { secrets: ["new", "old"], random });
    expect((await open(fresh, "new")).is).toBe("genuine");
    expect((await open(fresh, "old")).is).toBe("forged");
  });

  test("without one nothing is signed", async () => {
    await expect(mintToken(aGrant(), { secrets: [], random })).rejects.toThrow("secret");
    expect((await open(await mint("a"))).is).toBe("forged");
  });

  test("what the same secret signed for something else is no token", async () => {
    const content = new TextEncoder().encode("x".repeat(60));
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode("a"),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const tag = await crypto.subtle.sign("HMAC", key, content);
    const bytes = String.fromCharCode(...content, ...new Uint8Array(tag));
    const token = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    expect((await open(token, "a")).is).toBe("forged");
  });
});

describe("a link made before the present format", () => {
  /** `nonce ‖ AES-CTR(grant) ‖ HMAC`, with keys made of the same secret. */
  async function earlierToken(secret: string): Promise<string> {
    const encoder = new TextEncoder();
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const keyOf = async (use: string) => {
      const key = await crypto.subtle.importKey("raw", encoder.encode(secret), hmac, false, ["sign"]);
      return crypto.subtle.sign("HMAC", key, encoder.encode(`viewer-token/1/${use}`));
    };
    const nonce = random(16);
    const cipher = await crypto.subtle.importKey("raw", await keyOf("cipher"), "AES-CTR", false, ["encrypt"]);
    const grant = encoder.encode(JSON.stringify([CONNECTION_ID, 3, "pedido-1", null, EXPIRES_AT]));
    const form = { name: "AES-CTR", counter: nonce, length: 64 };
    const content = Buffer.concat([nonce, Buffer.from(await crypto.subtle.encrypt(form, cipher, grant))]);
    const tagKey = await crypto.subtle.importKey("raw", await keyOf("tag"), hmac, false, ["sign"]);
    const tag = Buffer.from(await crypto.subtle.sign("HMAC", tagKey, content));
    return Buffer.concat([content, tag]).toString("base64url");
  }

  test("has ended", async () => {
    expect(await open(await earlierToken("a"), "a")).toEqual({ is: "forged" });
  });
});

describe("forged", () => {
  test.each([
    "",
    "x",
    "A".repeat(66),
    "A".repeat(1_999),
    "A".repeat(100_000),
    "é".repeat(80),
    "%00".repeat(30),
  ])("%#", async (token) => {
    expect(await open(token, "a")).toEqual({ is: "forged" });
  });

  test("every turned bit, also those that base64 would ignore", async () => {
    const token = await mint("a");
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (let at = 0; at < token.length; at++) {
      const turned = alphabet[alphabet.indexOf(token.charAt(at)) ^ 1] ?? "";
      const forged = token.slice(0, at) + turned + token.slice(at + 1);
      expect((await open(forged, "a")).is).toBe("forged");
    }
  });
});
