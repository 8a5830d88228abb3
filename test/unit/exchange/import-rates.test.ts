import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { ReferenceRate } from "../../../src/domain/exchange/reference-rate.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { readEcbFile } from "../../../src/work/rates/ecb-file.ts";
import { findRateGaps, importRates } from "../../../src/work/rates/import-rates.ts";
import { rateFor } from "../../support/builders/ecb.ts";

/** 18:00 in Frankfurt. */
const THURSDAY = Date.parse("2026-03-05T17:00:00Z");

/** A ledger's rates in memory. */
function memoryLedger(ledger: string) {
  const stored = new Map<string, ReferenceRate>();
  const keyOf = ({ day, currency }: Pick<ReferenceRate, "day" | "currency">) => `${day} ${currency}`;
  return {
    ledger,
    stored,
    add: async (rates: readonly ReferenceRate[]) => {
      const fresh = rates.filter((row) => !stored.has(keyOf(row)));
      for (const row of fresh) stored.set(keyOf(row), row);
      return { added: fresh.length, conflicts: [] };
    },
    find: async (keys: readonly Pick<ReferenceRate, "day" | "currency">[]) =>
      keys.flatMap((key) => stored.get(keyOf(key)) ?? []),
    daysWithout: async (days: readonly ReferenceRate["day"][]) => {
      const known = new Set([...stored.values()].map(({ day }) => day));
      return days.filter((day) => !known.has(day));
    },
  };
}

function aRate(day: string, currency = "USD", rate = "1.1"): ReferenceRate {
  return { day: civilDate(day), currency, rate: decimal(rate) };
}

async function imported(rows: readonly ReferenceRate[], change: { now?: number; since?: string } = {}) {
  const ledger = memoryLedger("000");
  const since = change.since === undefined ? {} : { since: civilDate(change.since) };
  const result = await importRates(
    { rows },
    { ledgers: [ledger], now: () => change.now ?? THURSDAY, ...since },
  );
  return { result, keys: [...ledger.stored.keys()] };
}

describe("which rows are needed", () => {
  test.each<[string, ReferenceRate, object, boolean]>([
    ["today's", aRate("2026-03-05"), {}, true],
    ["a currency of no list", aRate("2026-03-05", "XYZ"), {}, true],
    ["a currency that left since", aRate("2025-12-31", "BGN"), {}, true],
    ["the first of 2024", aRate("2024-01-02"), {}, true],
    ["the last of 2023", aRate("2023-12-29"), {}, false],
    ["unless more history is wanted", aRate("2023-12-29"), { since: "2023-12-01" }, true],
    ["a Sunday's", aRate("2026-03-01"), {}, false],
    ["a closed day's", aRate("2025-12-25"), {}, false],
  ])("%s", async (_, row, change, isTaken) => {
    const { result, keys } = await imported([row], change);
    expect(keys).toEqual(isTaken ? [`${row.day} ${row.currency}`] : []);
    expect(result).toMatchObject({ value: { needed: isTaken ? 1 : 0, leftOut: isTaken ? 0 : 1 } });
  });
});

describe("a day that is still to come", () => {
  test.each([
    ["tomorrow", THURSDAY, "2026-03-06"],
    ["a second before midnight in Frankfurt", Date.parse("2026-03-05T22:59:59Z"), "2026-03-06"],
  ])("refuses the whole file: %s", async (_, now, day) => {
    const { result, keys } = await imported([aRate("2026-03-05"), aRate(day)], { now });
    expect(result).toEqual({ ok: false, error: { reason: "day_in_future", day } });
    expect(keys).toEqual([]);
  });

  test("begins at midnight in Frankfurt", async () => {
    const { keys } = await imported([aRate("2026-03-06")], { now: Date.parse("2026-03-05T23:00:00Z") });
    expect(keys).toEqual(["2026-03-06 USD"]);
  });
});

test("a ledger that fails keeps none of the others from its rates", async () => {
  const lost = { ...memoryLedger("000"), add: () => Promise.reject(new Error("down")) };
  const other = memoryLedger("001");
  const result = await importRates(
    { rows: [aRate("2026-03-05")] },
    { ledgers: [lost, other], now: () => THURSDAY },
  );
  expect(result).toMatchObject({
    value: { written: [{ ledger: "001", added: 1 }], failed: [{ ledger: "000" }] },
  });
});

test("a gap is a published day of which some ledger has nothing", async () => {
  const [first, second] = [memoryLedger("000"), memoryLedger("001")];
  await first.add([aRate("2026-02-26"), aRate("2026-02-27"), aRate("2026-03-03")]);
  await second.add([aRate("2026-02-26"), aRate("2026-03-02"), aRate("2026-03-03")]);
  const ledgers = [first, second];
  const gaps = await findRateGaps(civilDate("2026-03-03"), { ledgers, since: civilDate("2026-02-26") });
  expect(gaps).toEqual({ days: ["2026-02-27", "2026-03-02"], failed: [] });
});

const folder = resolve(import.meta.dirname, "../../..", process.env.ECB_FOLDER ?? "../shared/ecb");
const historyFile = `${folder}/eurofxref-hist.csv`;

describe.skipIf(!existsSync(historyFile))("the ECB's own file", () => {
  async function importedFile() {
    const ledger = memoryLedger("000");
    const read = await readEcbFile(readFileSync(historyFile));
    if (!read.ok) throw new Error(read.error.reason);
    const result = await importRates({ rows: read.value }, { ledgers: [ledger], now: () => THURSDAY });
    return { ledger, result };
  }

  test("every rate of it is needed", async () => {
    const { result } = await importedFile();
    expect(result).toMatchObject({ value: { needed: 8955, leftOut: 0, written: [{ added: 8955 }] } });
  });

  test("it has no gap between its ends", async () => {
    const { ledger } = await importedFile();
    const since = civilDate("2025-01-02");
    expect(await findRateGaps(civilDate("2026-03-05"), { ledgers: [ledger], since })).toMatchObject({
      days: [],
    });
  });

  test.each([
    ["in the morning: the day before", "2026-03-05T10:00:00+01:00", "USD", "2026-03-04", "1.1649"],
    ["at 16:00 itself: the day before", "2026-03-05T16:00:00+01:00", "USD", "2026-03-04", "1.1649"],
    ["after 16:00: the same day", "2026-03-05T17:00:00+01:00", "USD", "2026-03-05", "1.1618"],
    ["on Sunday: Friday", "2026-03-01T12:00:00+01:00", "GBP", "2026-02-27", "0.8763"],
    ["over Easter: Maundy Thursday", "2025-04-22T09:00:00+02:00", "GBP", "2025-04-17", "0.85873"],
  ])("paid %s", async (_, paidAt, currency, day, rate) => {
    const { ledger } = await importedFile();
    const answer = await rateFor({ paidAt: Date.parse(paidAt), currency }, ledger);
    expect(answer).toEqual({ outcome: "found", rate, day });
  });
});
