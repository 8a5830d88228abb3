/** Files of the ECB: their rates, or a refusal with its reason, after any damage. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseEcbCsv, readEcbFile } from "../../../src/work/rates/ecb-file.ts";
import { dailyXml, historyCsv, zipOf } from "../../support/builders/ecb.ts";
import { often } from "../../support/rules/often.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const MOST_CHARACTERS = 4 * 1024 * 1024;

const currency = fc.stringMatching(/^[A-Z]{3}$/);
const rate = fc.stringMatching(/^[1-9]\d{0,5}\.\d{0,3}[1-9]$/);
const day = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2030-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const quotes = fc.dictionary(currency, rate, { minKeys: 1, maxKeys: 8, noNullPrototype: true });

test("written files are read: daily, history and packed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(day, quotes, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      async (days) => {
        const expected = Object.entries(days)
          .toSorted(([a], [b]) => b.localeCompare(a))
          .flatMap(([on, all]) =>
            Object.entries(all).map(([code, value]) => ({ day: on, currency: code, rate: value })),
          );
        const byText = (rates: readonly object[]) => rates.map((each) => JSON.stringify(each)).toSorted();
        const csv = historyCsv(days);
        for (const bytes of [bytesOf(csv), await zipOf(csv), await zipOf(csv, { method: "stored" })]) {
          const read = await readEcbFile(bytes);
          expect(read.ok && byText(read.value)).toEqual(byText(expected));
        }
        const [newest = ""] = Object.keys(days);
        const daily = await readEcbFile(bytesOf(dailyXml(newest, days[newest] ?? {})));
        expect(daily.ok && byText(daily.value)).toEqual(
          byText(expected.filter((each) => each.day === newest)),
        );
      },
    ),
    often(60),
  );
});

const CSV = historyCsv({ "2026-03-05": { USD: "1.1618", JPY: "183.03" }, "2026-03-04": { USD: "1.1649" } });
const XML = dailyXml("2026-03-05", { USD: "1.1618", JPY: "183.03" });

test.each<[string, Uint8Array | Promise<Uint8Array>]>([
  ["the history", bytesOf(CSV)],
  ["the daily file", bytesOf(XML)],
  ["the history, packed", zipOf(CSV)],
  ["packed as it is", zipOf(CSV, { method: "stored" })],
])("a file that was damaged is read or refused, never thrown: %s", async (_, file) => {
  const whole = await file;
  const damage = fc.record({
    at: fc.nat(whole.length - 1),
    cut: fc.nat(20),
    put: fc.uint8Array({ maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, cut, put }) => {
      const read = await readEcbFile(
        Uint8Array.from([...whole.slice(0, at), ...put, ...whole.slice(at + cut)]),
      );
      if (!read.ok) expect(read.error.reason).toMatch(/^[a-z_]+$/);
      else for (const { rate: value } of read.value) expect(Number(value)).toBeGreaterThan(0);
    }),
    often(300),
  );
});

test("any bytes, also after the first letters of an archive", async () => {
  const anyBytes = fc.uint8Array({ maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(anyBytes, async (bytes) => {
      for (const start of ["", "PK", "PK\u0003\u0004", "<", "Date,"]) {
        expect((await readEcbFile(Uint8Array.from([...bytesOf(start), ...bytes]))).ok).toBe(false);
      }
    }),
    often(200),
  );
});

test.each([
  ["lines without end", "Date,USD\n".padEnd(MOST_CHARACTERS, "\n"), "no_rows"],
  ["commas without end", "Date".padEnd(MOST_CHARACTERS, ","), "duplicate_column"],
  ["columns without end", columns(200_000), "no_rows"],
  ["a cell without end", `Date,USD\n2026-03-05,${"9".repeat(1_000_000)}`, "invalid_rate"],
  ["a day without end", `Date,USD\n${"2".repeat(1_000_000)},1`, "invalid_day"],
  ["blanks without end", `Date,USD\n${" ".repeat(1_000_000)},1`, "invalid_day"],
  ["names of objects for days", "Date,USD\n__proto__,1", "invalid_day"],
])("refused: %s", (_, text, reason) => {
  expect(parseEcbCsv(text)).toMatchObject({ ok: false, error: { reason } });
});

test("an archive is unpacked to its announced size and no further", async () => {
  const bomb = await zipOf("0".repeat(20 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await readEcbFile(bomb)).toEqual({ ok: false, error: { reason: "broken_zip" } });
  const liar = await zipOf("0".repeat(20 * 1024 * 1024), { announcedBytes: 1_000 });
  expect(await readEcbFile(liar)).toEqual({ ok: false, error: { reason: "broken_zip" } });
});

function columns(count: number): string {
  return ["Date", ...Array.from({ length: count }, (_, index) => `c${index}`)].join(",");
}
