/** The lists of the console are bounded, with any amount of data from keys and people. */
import { describe, expect, test } from "vitest";
import type { OriginReading } from "../../../src/console/connections/queries.ts";
import { originPage } from "../../../src/console/connections/view.ts";
import { pageOfBytes } from "../../../src/console/sales/routes.ts";
import { CONSOLE_ANSWER_BYTES } from "../../../src/domain/limits.ts";
import { shownFacts, shownStore } from "../../../src/domain/shared/shown-text.ts";

describe("a page of as many rows as fit", () => {
  const row = "x".repeat(99_000);

  test.each([
    ["all where they fit", [row, row], 0, 2, null],
    ["the fitting ones, and the beginning of the next page", Array(12).fill(row), 0, 5, 5],
    ["from a row on", Array(12).fill(row), 10, 2, null],
    ["one larger than a whole page", ["x".repeat(CONSOLE_ANSWER_BYTES), row], 0, 1, 1],
    ["none after the last", [row], 7, 0, null],
  ] as const)("%s", (_, all, from, count, next) => {
    const page = pageOfBytes(all, from);
    expect([page.rows.length, page.next]).toEqual([count, next]);
  });
});

describe("facts of a line", () => {
  test("are unchanged where they are short", () => {
    expect(shownFacts({ from: "a", to: "b" })).toEqual({ from: "a", to: "b" });
  });

  test("are cut where one is long, and counted where they are many", () => {
    expect(shownFacts({ a: "x".repeat(301) })).toEqual({ a: `${"x".repeat(299)}…` });
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, "x".repeat(300)]));
    const shown = shownFacts(many);
    // 10 of 309 bytes and 22 of 310 are within 10,000.
    expect([Object.keys(shown).length, shown.more]).toEqual([33, "18"]);
  });
});

test("a store's name and address are cut to 60 characters", () => {
  const cut = `${"🏪".repeat(59)}…`;
  const long = { id: "1", name: "🏪".repeat(61), url: "🏪".repeat(61) };
  expect(shownStore(long)).toEqual({ id: "1", name: cut, url: cut });
  const short = { id: "1", name: "🏪".repeat(60) };
  expect(shownStore(short)).toEqual(short);
});

describe("pages of stores", () => {
  const reading: OriginReading = {
    registered: [
      { origin: "https://a.example", addedAt: 1 },
      { origin: "https://b.example", addedAt: 2 },
    ],
    kept: [
      { origin: "https://b.example", storeId: "1", seenAt: 3, refusedAt: 4 },
      { origin: "https://c.example", storeId: "1", seenAt: 5, refusedAt: 6 },
      { origin: "https://d.example", storeId: "1", seenAt: 7 },
      { origin: "https://e.example", storeId: "2", seenAt: 8 },
    ],
    stores: [
      { id: "1", name: "Centro", url: "https://c.example/es" },
      { id: "2", url: "https://e.example" },
      { id: "3", url: "https://f.example", seenAt: 9 },
    ],
  };

  test("are listed newest first, each with its facts", () => {
    const told = originPage(reading).items.map(({ origin, state, store }) => [origin, state, store?.name]);
    expect(told).toEqual([
      ["https://f.example", "reported", undefined],
      ["https://e.example", "reported", undefined],
      ["https://d.example", "left", "Centro"],
      ["https://c.example", "refused", "Centro"],
      ["https://b.example", "registered", "Centro"],
      ["https://a.example", "registered", undefined],
    ]);
  });

  test("continue after the last of a page, also within one moment", () => {
    const registered = Array.from({ length: 60 }, (_, n) => ({
      origin: `https://s${n}.example`,
      addedAt: 1,
    }));
    const first = originPage({ registered, kept: [], stores: [] });
    const second = originPage({ registered, kept: [], stores: [] }, first.next?.key);
    expect([first.items.length, second.items.length, second.next]).toEqual([50, 10, undefined]);
    const all = [...first.items, ...second.items].map(({ origin }) => origin);
    expect(new Set(all).size).toBe(60);
  });
});
