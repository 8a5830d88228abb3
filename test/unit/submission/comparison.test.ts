/** The owner of the record that the authority has under our key. */
import { expect, test } from "vitest";
import {
  compareFound,
  type FoundRecord,
  periodsOf,
} from "../../../src/domain/verifactu/submission/answer.ts";
import { aCancellation, aRegistration } from "../../support/builders/records.ts";

const KEY = { issuerNif: "89890001K", number: "A-1", date: "01-12-2026" };
const OURS = "AB".repeat(32);
const found = (change: Partial<FoundRecord> = {}): FoundRecord => ({
  ...{ key: KEY, hash: OURS, state: "accepted" },
  ...change,
});

test.each([
  ["the same hash", [found()], "ours"],
  ["the same in lower case", [found({ hash: OURS.toLowerCase() })], "ours"],
  ["another hash", [found({ hash: "CD".repeat(32) })], "foreign"],
  ["no hash", [{ key: KEY, state: "accepted" } as const], "unknown"],
  ["nothing", [], undefined],
  ["other invoices only", [found({ key: { ...KEY, number: "A-2" } })], undefined],
  ["ours among others", [found({ key: { ...KEY, date: "02-12-2026" }, hash: "x" }), found()], "ours"],
])("%s", (_, records, whose) => {
  expect(compareFound(records, KEY, [OURS])).toBe(whose);
});

test("the month of the issue, and that of the operation where it is another", () => {
  const december = { year: "2026", month: "12" };
  expect(periodsOf(aRegistration({ key: KEY }))).toEqual([december]);
  expect(periodsOf(aRegistration({ key: KEY, operationDate: "31-12-2026" }))).toEqual([december]);
  expect(periodsOf(aRegistration({ key: KEY, operationDate: "30-11-2026" }))).toEqual([
    december,
    { year: "2026", month: "11" },
  ]);
  expect(periodsOf(aRegistration({ key: KEY, operationDate: "01-12-2025" }))).toEqual([
    december,
    { year: "2025", month: "12" },
  ]);
  expect(periodsOf(aCancellation({ key: KEY }))).toEqual([december]);
});
