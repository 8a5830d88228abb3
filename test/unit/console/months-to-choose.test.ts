/** Months that lists are filtered by: those of the account's zone, wherever the browser is. */
import { expect, test } from "vitest";
import { monthsUntil, thisMonth } from "../../../src/web/pages/invoices/months.ts";

test.each([
  ["Madrid is in the new year an hour before London", "Europe/Madrid", "2026-12-31T23:00:00Z", "2027-01"],
  ["and a moment before it is not", "Europe/Madrid", "2026-12-31T22:59:59.999Z", "2026-12"],
  ["the Canaries begin it with London", "Atlantic/Canary", "2027-01-01T00:00:00Z", "2027-01"],
  ["and not with Madrid", "Atlantic/Canary", "2026-12-31T23:30:00Z", "2026-12"],
  ["29 February is in February", "Europe/Madrid", "2028-02-29T22:59:59Z", "2028-02"],
  ["in summer Madrid is two hours ahead", "Europe/Madrid", "2026-07-31T22:00:00Z", "2026-08"],
])("%s", (_, zone, now, month) => {
  expect(thisMonth(zone, new Date(now))).toBe(month);
});

test("months until the first invoice end with it, and with none this month stays", () => {
  expect(monthsUntil("2026-11", "2027-02")).toEqual(["2027-02", "2027-01", "2026-12", "2026-11"]);
  expect(monthsUntil(undefined, "2027-02")).toEqual(["2027-02"]);
});
