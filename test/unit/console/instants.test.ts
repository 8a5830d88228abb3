/** Instants of answers: written by name of the member, and no other number is dated. */
import { expect, test } from "vitest";
import { isoInstant, withIso } from "../../../src/domain/shared/instant.ts";

const AT = Date.parse("2026-03-01T12:00:00.123Z");

test("an instant is written in UTC, with milliseconds", () => {
  expect(isoInstant(AT)).toBe("2026-03-01T12:00:00.123Z");
});

test("only the named members are dated, in their places", () => {
  const shown = withIso({ id: "a", createdAt: AT, sentAt: 7, orders: 3 }, "createdAt");
  expect(JSON.stringify(shown)).toBe(
    '{"id":"a","createdAt":"2026-03-01T12:00:00.123Z","sentAt":7,"orders":3}',
  );
});

test("what is absent stays absent", () => {
  const card: { readonly id: string; readonly lastAt?: number } = { id: "a" };
  expect(withIso(card, "lastAt")).toStrictEqual({ id: "a" });
  expect(withIso({ id: "a", lastAt: undefined }, "lastAt")).toStrictEqual({ id: "a", lastAt: undefined });
});
