import { describe, expect, test } from "vitest";
import { csvLine } from "../../../src/domain/export/invoice-csv.ts";
import { parseCsv } from "../../support/rules/csv.ts";

const cellOf = (text: string) => parseCsv(csvLine([{ text }, { text: "end" }]))[0]?.[0];

describe("a text that a spreadsheet would compute is text", () => {
  test.each([
    ["=", '=HYPERLINK("https://evil.example","x")'],
    ["+", "+34 600 000 000"],
    ["-", "-2+3+cmd|' /C calc'!A0"],
    ["@", "@SUM(1)"],
    ["a tab", "\t=1"],
    ["a line break", "\r\n=1"],
    ["white space before it", "  =1"],
    ["a mark of direction before it", "\u202e=1"],
    ["its full-width form", "\uff1d1"],
  ])("%s", (_, text) => {
    expect(cellOf(text)).toBe(`'${text}`);
  });
});

test.each([
  ["plain text", "Bodegas Peñafiel y Ñúñez, S.A."],
  ["semicolons, commas and quotation marks", 'Loza; "Esparto", S.L.'],
  ["several lines", "one\r\ntwo\nthree"],
  ["an operator further on", "A-1 = B+2 @home"],
  ["nothing", ""],
])("%s comes back as it was", (_, text) => {
  expect(cellOf(text)).toBe(text);
});

test("numbers keep their sign, take a comma and no quotation marks", () => {
  expect(csvLine([{ number: "-12.10" }, { number: "1234567.00" }, undefined, { number: "0" }])).toBe(
    "-12,10;1234567,00;;0\r\n",
  );
});
