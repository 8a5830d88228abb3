import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTargetDay, quotedOn, type ReferenceRate } from "../../../src/domain/exchange/reference-rate.ts";
import { type CivilDate, civilDate, previousDay } from "../../../src/domain/shared/civil-date.ts";
import { parseEcbCsv } from "../../../src/work/rates/ecb-file.ts";

const SAMPLE = "Date,USD,JPY,CYP,\n2026-03-05,1.1618,183.03,N/A,\n2026-03-04,1.1649,183.02,N/A,\n";
const SAMPLE_RATES = [
  "2026-03-05 USD 1.1618",
  "2026-03-05 JPY 183.03",
  "2026-03-04 USD 1.1649",
  "2026-03-04 JPY 183.02",
];

describe("the same rates, however they are written", () => {
  test.each([
    ["as the ECB does", SAMPLE],
    ["with CRLF", SAMPLE.replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\uFEFF${SAMPLE}`],
    ["without trailing commas", SAMPLE.replaceAll(",\n", "\n")],
    ["without a last line end", SAMPLE.trimEnd()],
    ["with blank lines", SAMPLE.replaceAll("\n", "\n\n")],
    ["with blanks around the cells", SAMPLE.replaceAll(",", " , ")],
    ["with a column that is no currency", withColumn("Comment", "see <note>")],
  ])("%s", (_, text) => {
    expect(ratesIn(text)).toEqual(SAMPLE_RATES);
  });
});

test("columns are found by name in any order", () => {
  expect(ratesIn("JPY,Date,USD,\n183.03,2026-03-05,1.1618,\n")).toEqual([
    "2026-03-05 JPY 183.03",
    "2026-03-05 USD 1.1618",
  ]);
});

test("an unknown currency is kept", () => {
  expect(ratesIn("Date,XYZ,\n2026-03-05,7.50,\n")).toEqual(["2026-03-05 XYZ 7.5"]);
});

test("a day on which nothing was quoted has no rates", () => {
  expect(ratesIn("Date,USD,\n2026-03-05,N/A,\n")).toEqual([]);
});

test.each<[string, string, object]>([
  ["larger than the history can be", "x".repeat(4 * 1024 * 1024 + 1), { reason: "too_large" }],
  ["empty", "", { reason: "date_column_missing", line: 1 }],
  ["a page of HTML", "<!doctype html>\n<html></html>", { reason: "date_column_missing", line: 1 }],
  ["a currency twice", "Date,USD,USD,\n", { reason: "duplicate_column", line: 1 }],
  ["a header only", "Date,USD,\n", { reason: "no_rows" }],
  ["a cell too few", "Date,USD,JPY,\n2026-03-05,1.1618,\n", { reason: "wrong_cell_count", line: 2 }],
  ["a cell too many", "Date,USD,\n2026-03-05,1.1618,1,\n", { reason: "wrong_cell_count", line: 2 }],
  ["a comma as decimal point", "Date,USD,\n2026-03-05,1,1618,\n", { reason: "wrong_cell_count", line: 2 }],
  ["a day that does not exist", "Date,USD,\n2026-02-30,1.1618,\n", { reason: "invalid_day", line: 2 }],
  ["another form of date", "Date,USD,\n05/03/2026,1.1618,\n", { reason: "invalid_day", line: 2 }],
  ["a line that repeats the header", `${SAMPLE}Date,USD,JPY,CYP,\n`, { reason: "invalid_day", line: 4 }],
  ["no number", "Date,USD,\n2026-03-05,abc,\n", { reason: "invalid_rate", line: 2 }],
  ["no value", "Date,USD,JPY,\n2026-03-05,,183.03,\n", { reason: "invalid_rate", line: 2 }],
  ["zero", "Date,USD,\n2026-03-05,0,\n", { reason: "invalid_rate", line: 2 }],
  ["below zero", "Date,USD,\n2026-03-05,-1.1618,\n", { reason: "invalid_rate", line: 2 }],
  ["quotation marks", 'Date,USD,\n2026-03-05,"1.1618",\n', { reason: "invalid_rate", line: 2 }],
  ["a day twice", `${SAMPLE}2026-03-05,1.1,183,N/A,\n`, { reason: "duplicate_day", line: 4 }],
  ["blank lines count", "Date,USD,\n\n\n2026-03-05,x,\n", { reason: "invalid_rate", line: 4 }],
])("refused: %s", (_, text, error) => {
  expect(parseEcbCsv(text)).toEqual({ ok: false, error });
});

const folder = resolve(import.meta.dirname, "../../..", process.env.ECB_FOLDER ?? "../shared/ecb");
const historyFile = `${folder}/eurofxref-hist.csv`;

describe.skipIf(!existsSync(historyFile))("the ECB's own file of 2025-01-02 to 2026-03-05", () => {
  const rates = existsSync(historyFile) ? accepted(readFileSync(historyFile, "utf8")) : [];
  const days = [...new Set(rates.map(({ day }) => day))];

  test("it has 300 days and 8955 rates", () => {
    expect(days).toHaveLength(300);
    expect(rates).toHaveLength(8955);
  });

  test.each([["2026-03-05 USD 1.1618"], ["2025-12-31 BGN 1.9558"], ["2025-04-17 GBP 0.85873"]])(
    "%s",
    (rate) => {
      expect(rates.map(inWords)).toContain(rate);
    },
  );

  test("its days are the open days of our calendar", () => {
    const expected: CivilDate[] = [];
    for (let day = civilDate("2026-03-05"); day >= "2025-01-02"; day = previousDay(day)) {
      if (isTargetDay(day)) expected.push(day);
    }
    expect(days).toEqual(expected);
  });

  test("on each of them it quotes the currencies of our list", () => {
    const byDay = Map.groupBy(rates, ({ day }) => day);
    for (const [day, ofDay] of byDay) {
      expect(ofDay.map(({ currency }) => currency).sort()).toEqual([...quotedOn(day)].sort());
    }
  });
});

describe("hostile input", () => {
  test("anything is answered, nothing thrown", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ",",
        "\n",
        "\r\n",
        "Date",
        "USD",
        "N/A",
        "2026-03-05",
        "1.1",
        "\uFEFF",
        '"',
        "__proto__",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    );
    const file = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.boolean(), file, (withHeader, tail) => {
        const read = parseEcbCsv(withHeader ? `Date,USD,\n${tail}` : tail);
        if (read.ok) expect(read.value.every(({ rate }) => Number(rate) > 0)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("written rates are read back", () => {
    const currency = fc.constantFrom("USD", "JPY", "GBP", "XYZ");
    const rate = fc.integer({ min: 1, max: 99_999_999 }).map((units) => (units / 1000).toFixed(3));
    const table = fc.dictionary(currency, fc.option(rate, { nil: "N/A" }), {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(table, (row) => {
        const text = `Date,${Object.keys(row).join(",")},\n2026-03-05,${Object.values(row).join(",")},\n`;
        const quoted = Object.entries(row).filter(([, value]) => value !== "N/A");
        expect(accepted(text).map(({ currency, rate }) => [currency, Number(rate)])).toEqual(
          quoted.map(([currency, value]) => [currency, Number(value)]),
        );
      }),
    );
  });
});

function withColumn(name: string, value: string): string {
  const [header, ...rows] = SAMPLE.trimEnd().split("\n");
  return [`${header}${name},`, ...rows.map((row) => `${row}${value},`)].join("\n");
}

function ratesIn(text: string): string[] {
  return accepted(text).map(inWords);
}

function inWords({ day, currency, rate }: ReferenceRate): string {
  return `${day} ${currency} ${rate}`;
}

function accepted(text: string): readonly ReferenceRate[] {
  const read = parseEcbCsv(text);
  if (!read.ok) throw new Error(`refused: ${JSON.stringify(read.error)}`);
  return read.value;
}
