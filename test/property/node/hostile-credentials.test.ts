/** Keys, ids, tokens and cursors: any input is either one that was given out, or refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { invoicesQuery } from "../../../src/console/invoices/routes.ts";
import { ordersQuery } from "../../../src/console/orders/routes.ts";
import { cursor, cursorOf } from "../../../src/console/pages.ts";
import { connectionOfKey, hashOfKey, newApiKey } from "../../../src/domain/connection/api-key.ts";
import { type IdPrefix, isLedgerNumber, ledgerOf, newId } from "../../../src/domain/connection/ids.ts";
import type { ViewerGrant } from "../../../src/domain/viewer/access.ts";
import { mintToken, openToken } from "../../../src/viewer/viewer-token.ts";
import { often } from "../../support/rules/often.ts";

/** As long as anything that a header or an address can carry, and longer. */
const LARGE = 2_000_000;

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 100 }),
  fc.base64String({ maxLength: 300 }),
  fc.constantFrom(
    "",
    "__proto__",
    "x".repeat(LARGE),
    "\u0000",
    "_".repeat(LARGE),
    "ck_live_".repeat(100_000),
  ),
);

const bytesOf = (sizeBytes: number) => fc.uint8Array({ minLength: sizeBytes, maxLength: sizeBytes });

interface Damage {
  readonly at: number;
  readonly cut: number;
  readonly put: string;
}

/** A different value of the same kind. */
function damaged(text: string, { at, cut, put }: Damage): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + put + text.slice(place + cut);
}

const anyDamage = fc.record({
  at: fc.nat(2_000),
  cut: fc.nat(4),
  put: fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom("", "0", "A", "_", " ", "\n")),
});

describe("keys", () => {
  const connectionId = newId("cn", "000", (size) => new Uint8Array(size).fill(7));
  const KEY = newApiKey(connectionId, "secret", (size) => new Uint8Array(size).fill(9));

  test("lead back to their connection, by any of the secrets, and by no other", () => {
    fc.assert(
      fc.property(bytesOf(16), bytesOf(32), fc.string(), fc.string(), (id, bytes, secret, other) => {
        const connection = newId("cn", "0z9", () => id);
        const key = newApiKey(connection, secret, () => bytes);
        expect(connectionOfKey(key, [other, secret])).toBe(connection);
        if (other !== secret) expect(connectionOfKey(key, [other])).toBeUndefined();
      }),
    );
  });

  test("that are anything else open nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(connectionOfKey(text, ["secret"])).toBeUndefined();
        expect(hashOfKey(text.slice(0, 1_000))).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });

  test("that were altered anywhere open nothing", () => {
    fc.assert(
      fc.property(anyDamage, (damage) => {
        const key = damaged(KEY, damage);
        expect(connectionOfKey(key, ["secret"])).toBe(key === KEY ? connectionId : undefined);
      }),
      often(500),
    );
  });
});

describe("ids", () => {
  const PREFIXES = ["ac", "cn", "ky", "is", "in", "co", "au", "al", "pf", "at", "rp", "wh", "iv"] as const;
  const anyPrefix = fc.constantFrom<IdPrefix>(...PREFIXES);
  const ledger = fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{3}$/);

  test("ids name their ledger, and are read only as their own kind", () => {
    fc.assert(
      fc.property(anyPrefix, anyPrefix, ledger, bytesOf(16), (prefix, other, number, bytes) => {
        const id = newId(prefix, number, () => bytes);
        expect(ledgerOf(id, prefix)).toBe(number);
        expect(ledgerOf(id, other)).toBe(prefix === other ? number : undefined);
        expect(isLedgerNumber(number)).toBe(true);
      }),
    );
  });

  test("that are anything else name none", () => {
    fc.assert(
      fc.property(anyText, anyPrefix, (text, prefix) => {
        expect(ledgerOf(text, prefix)).toBeUndefined();
        expect(ledgerOf(`${prefix}${text}`, prefix) ?? "000").toMatch(/^[0-9a-z]{3}$/);
      }),
    );
  });
});

describe("viewer tokens", () => {
  const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
  const deps = { secrets: ["secret"], random };
  const anyGrant: fc.Arbitrary<ViewerGrant> = fc.record({
    connectionId: bytesOf(16).map((bytes) => newId("cn", "000", () => bytes)),
    epoch: fc.nat(),
    idExternal: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
    framing: fc.oneof(
      fc.constant({ presentation: "link" } as const),
      fc.webUrl().map((origin) => ({ presentation: "embed", origin }) as const),
    ),
    expiresAt: fc.nat(4_000_000_000),
  });

  test("tokens return their grant, until it is over", async () => {
    await fc.assert(
      fc.asyncProperty(anyGrant, fc.nat(4_000_000_000), async (grant, now) => {
        const opened = await openToken(await mintToken(grant, deps), deps, now * 1_000);
        expect(opened).toEqual({ is: now < grant.expiresAt ? "genuine" : "over", grant });
      }),
    );
  });

  test("that are anything else, or were altered anywhere, are forged", async () => {
    const grant = fc.sample(anyGrant, often(1, 1))[0];
    const token = grant ? await mintToken(grant, deps) : "";
    await fc.assert(
      fc.asyncProperty(anyText, anyDamage, async (text, damage) => {
        expect(await openToken(text, deps, 0)).toEqual({ is: "forged" });
        const altered = damaged(token, damage);
        if (altered !== token) expect(await openToken(altered, deps, 0)).toEqual({ is: "forged" });
      }),
      often(300),
    );
  });
});

describe("places of lists", () => {
  const key = z.strictObject({ orderedAt: z.int(), idExternal: z.string() });
  const anyPlace = fc.record({
    way: fc.constantFrom("after", "before"),
    key: fc.record({ orderedAt: fc.maxSafeInteger(), idExternal: fc.string({ unit: "grapheme" }) }),
  });

  test("lead back to where they were taken", () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        expect(cursor(key).parse(cursorOf(place))).toEqual(place);
        expect(cursorOf(place)).toMatch(/^[\w-]+$/);
      }),
    );
  });

  test("places that were never given out are refused, in any form", () => {
    const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
    const encoded = fc.oneof(
      // As long as an address may be.
      anyText.map((text) => text.slice(0, 20_000)),
      fc.jsonValue({ maxDepth: 4 }).map((value) => btoa(bytes(JSON.stringify(value)))),
      fc.constantFrom(btoa("[".repeat(15_000)), btoa(`["after",{"__proto__":{"orderedAt":1}}]`)),
    );
    const [invoices, orders] = [z.object({ cursor: invoicesQuery.shape.cursor }), ordersQuery];
    fc.assert(
      fc.property(encoded, (text) => {
        for (const query of [z.object({ cursor: cursor(key) }), invoices, orders]) {
          const { success, data } = query.safeParse({ cursor: text });
          // Nothing at all may be a place; then it is one of the form that the list gives.
          if (success) expect(data.cursor).toMatchObject({ way: expect.stringMatching(/^(after|before)$/) });
        }
      }),
      often(300),
    );
  });
});
