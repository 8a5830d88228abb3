/** TipoImpositivo and TipoRecargoEquivalencia of IVA (S1), by the day of the rates. In hundredths. */
import type { BreakdownLine } from "./record.ts";
import { firstRefusal, type Refusal, refuseIf } from "./refusal.ts";

/** From and to, both included. */
type Days = readonly [from: string, to: string];

const REDUCED_2022: Days = ["2022-07-01", "2024-09-30"];
const LAST_QUARTER_2024: Days = ["2024-10-01", "2024-12-31"];
const SURCHARGE_2023: Days = ["2023-01-01", "2024-09-30"];
const SURCHARGE_2022: Days = ["0000-01-01", "2022-12-31"];

interface Rate {
  /** Undefined: always. */
  readonly days?: Days;
  readonly outOfTime?: number;
  readonly surcharges: readonly Surcharge[];
  /** Another surcharge than those. */
  readonly wrongSurcharge: number;
}

interface Surcharge {
  readonly rate: bigint;
  readonly days?: Days;
  readonly outOfTime?: number;
}

const RATES: ReadonlyMap<bigint, Rate> = new Map([
  [0n, { surcharges: [{ rate: 0n, days: SURCHARGE_2023, outOfTime: 1277 }], wrongSurcharge: 1165 }],
  [200n, { days: LAST_QUARTER_2024, outOfTime: 1235, surcharges: [{ rate: 26n }], wrongSurcharge: 1166 }],
  [400n, { surcharges: [{ rate: 50n }], wrongSurcharge: 1164 }],
  [
    500n,
    {
      days: REDUCED_2022,
      outOfTime: 1194,
      surcharges: [
        { rate: 50n, days: SURCHARGE_2022, outOfTime: 1167 },
        { rate: 62n, days: SURCHARGE_2023, outOfTime: 1168 },
      ],
      wrongSurcharge: 1160,
    },
  ],
  [750n, { days: LAST_QUARTER_2024, outOfTime: 1236, surcharges: [{ rate: 100n }], wrongSurcharge: 1169 }],
  [1000n, { surcharges: [{ rate: 140n }], wrongSurcharge: 1163 }],
  [2100n, { surcharges: [{ rate: 520n }, { rate: 175n }], wrongSurcharge: 1162 }],
]);

const SURCHARGES = [0n, 26n, 50n, 62n, 100n, 140n, 175n, 520n];

export function rateRefusal(line: BreakdownLine, day: string): Refusal | undefined {
  const { rate, surchargeRate } = line;
  if (line.tax !== "01" || line.qualification !== "S1" || rate === undefined) return undefined;
  const known = RATES.get(rate);
  if (known === undefined) return { code: 1124 };
  return firstRefusal(
    () => outOfTime(known, day),
    () => (surchargeRate === undefined ? undefined : surchargeRefusal(surchargeRate, known, day)),
  );
}

function surchargeRefusal(surchargeRate: bigint, rate: Rate, day: string): Refusal | undefined {
  const surcharge = rate.surcharges.find((one) => one.rate === surchargeRate);
  return firstRefusal(
    () => refuseIf(!SURCHARGES.includes(surchargeRate), 1127),
    () => refuseIf(surcharge === undefined, rate.wrongSurcharge),
    () => (surcharge === undefined ? undefined : outOfTime(surcharge, day)),
  );
}

function outOfTime(
  rate: { readonly days?: Days; readonly outOfTime?: number },
  day: string,
): Refusal | undefined {
  if (rate.days === undefined || rate.outOfTime === undefined) return undefined;
  const [from, to] = rate.days;
  return refuseIf(day < from || day > to, rate.outOfTime);
}
