import { type CivilDate, civilDate } from "../shared/civil-date.ts";
import { type Decimal, decimal } from "../shared/decimal.ts";
import type { Fact } from "../shared/fact.ts";
import type { Tax } from "./request.ts";

interface DatedRate {
  readonly rate: Decimal;
  readonly from?: CivilDate;
  readonly until?: CivilDate;
  /** Recargo de equivalencia that may go with the rate, each in its own time. */
  readonly surcharges?: readonly DatedRate[];
}

/**
 * IVA rates that the AEAT takes with S1, and the surcharges that it takes with each (errors 1124, 1160-1170,
 * 1236).
 */
const IVA: readonly DatedRate[] = [
  { rate: decimal("0") },
  {
    rate: decimal("2"),
    from: civilDate("2024-10-01"),
    until: civilDate("2024-12-31"),
    surcharges: [{ rate: decimal("0.26") }],
  },
  { rate: decimal("4"), surcharges: [{ rate: decimal("0.5") }] },
  {
    rate: decimal("5"),
    from: civilDate("2022-07-01"),
    until: civilDate("2024-09-30"),
    surcharges: [
      { rate: decimal("0.5"), until: civilDate("2022-12-31") },
      { rate: decimal("0.62"), from: civilDate("2023-01-01") },
    ],
  },
  {
    rate: decimal("7.5"),
    from: civilDate("2024-10-01"),
    until: civilDate("2024-12-31"),
    surcharges: [{ rate: decimal("1") }],
  },
  { rate: decimal("10"), surcharges: [{ rate: decimal("1.4") }] },
  // 1.75 is the surcharge of tobacco.
  { rate: decimal("21"), surcharges: [{ rate: decimal("5.2") }, { rate: decimal("1.75") }] },
];

/** Canarias: zero, reduced, general, raised and special rates. The AEAT checks no list here. */
const IGIC: readonly DatedRate[] = ["0", "3", "5", "7", "9.5", "15", "20"].map((rate) => ({
  rate: decimal(rate),
}));

/** Ceuta and Melilla: 0.5, and whole steps from 1 to 10. The AEAT checks no list here. */
const IPSI: readonly DatedRate[] = ["0.5", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"].map((rate) => ({
  rate: decimal(rate),
}));

export const TAX_NAMES: Readonly<Record<Tax, Fact>> = {
  "01": "IVA",
  "02": "IPSI",
  "03": "IGIC",
  "05": { phrase: "other_taxes" },
};

/** Rates that a tax had on a day; undefined where any rate is possible (tax 05). */
export function ratesOn(tax: Tax, date: CivilDate): readonly Decimal[] | undefined {
  const table = tableOf(tax);
  return table?.filter((entry) => isInForce(entry, date)).map((entry) => entry.rate);
}

/** Surcharges that IVA allows with a rate on a day. */
export function surchargesOn(rate: Decimal, date: CivilDate): readonly Decimal[] {
  const entry = IVA.find((candidate) => candidate.rate === rate && isInForce(candidate, date));
  return (entry?.surcharges ?? [])
    .filter((candidate) => isInForce(candidate, date))
    .map((found) => found.rate);
}

function tableOf(tax: Tax): readonly DatedRate[] | undefined {
  switch (tax) {
    case "01":
      return IVA;
    case "02":
      return IPSI;
    case "03":
      return IGIC;
    case "05":
      return undefined;
  }
}

function isInForce(entry: DatedRate, date: CivilDate): boolean {
  return (
    (entry.from === undefined || date >= entry.from) && (entry.until === undefined || date <= entry.until)
  );
}
