/** Totals of any lines, against the same sums done with BigInt. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InvoiceRequest, RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  groupsIn,
  groupsInEur,
  issued,
  recordTotalsIn,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import { dividedHalfUp, textOf, unitsOf } from "../../support/builders/facts.ts";
import { aRequest, correcting, elsewhere } from "../../support/builders/requests.ts";
import { often } from "../../support/rules/often.ts";

const SCALES = { EUR: 2, USD: 2, JPY: 0, KWD: 3, CLF: 4 } as const;
type Currency = keyof typeof SCALES;

/** Rate and surcharge of the groups that lines may fall into; "E1" is exempt. */
const KEYS = ["21", "21+5.2", "21+1.75", "10", "10+1.4", "4", "4+0.5", "0", "E1"] as const;
type Key = (typeof KEYS)[number];

interface Drawn {
  readonly key: Key;
  readonly quantity: bigint;
  readonly price: bigint;
  readonly discount: bigint;
}

const MILLION = 1_000_000n;
const millionths = (least: bigint, most: bigint) => fc.bigInt({ min: least, max: most });

function linesAmong(keys: readonly Key[]) {
  const line = fc.record<Drawn>({
    key: fc.constantFrom(...keys),
    quantity: millionths(-500n * MILLION, 500n * MILLION).filter((quantity) => quantity !== 0n),
    price: fc.oneof(millionths(0n, 10_000n * MILLION), millionths(0n, MILLION)),
    discount: fc.oneof(fc.constant(0n), millionths(0n, 100n * MILLION)),
  });
  return fc.array(line, { minLength: 1, maxLength: 40 });
}

const money = fc.record({
  currency: fc.constantFrom<Currency>("EUR", "USD", "JPY", "KWD", "CLF"),
  rate: millionths(10_000n, 500n * MILLION),
});

describe.each([
  ["net prices", false, KEYS],
  ["prices that include tax", true, KEYS.filter((key) => key !== "E1")],
] as const)("%s", (_, pricesIncludeTax, keys) => {
  test("groups, totals, euros and the record's literals are what BigInt says", () => {
    fc.assert(
      fc.property(linesAmong(keys), money, (lines, { currency, rate }) => {
        const scale = SCALES[currency];
        const view = issued(requestOf(lines, currency, rate, pricesIncludeTax));
        const groups = groupsOf(lines, scale, pricesIncludeTax);
        const euros = groups.map((group) => inEuros(group, scale, currency === "EUR" ? undefined : rate));
        expect(groupsIn(view)).toEqual(groups.map((group) => groupText(group, scale)));
        expect(groupsInEur(view)).toEqual(euros.map((group) => groupText(group, 2)));
        expect(totalsIn(view)).toBe(totalText(groups, scale));
        const tax = sum(euros, "tax") + sum(euros, "surcharge");
        expect(recordTotalsIn(view)).toBe(`${textOf(tax, 2)} / ${textOf(sum(euros, "base") + tax, 2)}`);
      }),
      often(300),
    );
  });
});

interface Group {
  readonly key: Key;
  readonly base: bigint;
  readonly tax: bigint;
  readonly surcharge: bigint;
}

function groupsOf(lines: readonly Drawn[], scale: number, pricesIncludeTax: boolean): Group[] {
  const amounts = new Map<Key, bigint>();
  for (const { key, quantity, price, discount } of lines) {
    const exact = quantity * price * (100n * MILLION - discount);
    const amount = dividedHalfUp(exact * 10n ** BigInt(scale), 10n ** 20n);
    amounts.set(key, (amounts.get(key) ?? 0n) + amount);
  }
  return [...amounts].map(([key, amount]) =>
    pricesIncludeTax ? splitGross(key, amount) : addTax(key, amount),
  );
}

function addTax(key: Key, base: bigint): Group {
  const { rate, surcharge } = hundredths(key);
  return {
    key,
    base,
    tax: dividedHalfUp(base * rate, 10_000n),
    surcharge: dividedHalfUp(base * surcharge, 10_000n),
  };
}

function splitGross(key: Key, gross: bigint): Group {
  const percent = hundredths(key);
  const base = dividedHalfUp(gross * 10_000n, 10_000n + percent.rate + percent.surcharge);
  const surcharge = dividedHalfUp(base * percent.surcharge, 10_000n);
  return { key, base, tax: gross - base - surcharge, surcharge };
}

function inEuros({ key, ...amounts }: Group, scale: number, rate: bigint | undefined): Group {
  if (rate === undefined) return { key, ...amounts };
  const euros = (amount: bigint) => dividedHalfUp(amount * 100n * MILLION, rate * 10n ** BigInt(scale));
  return { key, base: euros(amounts.base), tax: euros(amounts.tax), surcharge: euros(amounts.surcharge) };
}

function hundredths(key: Key): { readonly rate: bigint; readonly surcharge: bigint } {
  const [rate = "", surcharge = "0"] = key.replace("E1", "0").split("+");
  return { rate: unitsOf(rate, 2), surcharge: unitsOf(surcharge, 2) };
}

function sum(groups: readonly Group[], member: "base" | "tax" | "surcharge"): bigint {
  return groups.reduce((total, group) => total + group[member], 0n);
}

function groupText({ key, base, tax, surcharge }: Group, scale: number): string {
  const [rate = ""] = key.replace("E1", "0").split("+");
  const taxes = surcharge === 0n ? textOf(tax, scale) : `${textOf(tax, scale)} + ${textOf(surcharge, scale)}`;
  return `${rate}: ${textOf(base, scale)} / ${taxes}`;
}

function totalText(groups: readonly Group[], scale: number): string {
  const [base, tax, surcharge] = [sum(groups, "base"), sum(groups, "tax"), sum(groups, "surcharge")];
  const taxes = surcharge === 0n ? textOf(tax, scale) : `${textOf(tax, scale)} + ${textOf(surcharge, scale)}`;
  return `${textOf(base, scale)} / ${taxes} / ${textOf(base + tax + surcharge, scale)}`;
}

/** A rectification of an invoice issued elsewhere: the only document with all groups negative. */
function requestOf(
  lines: readonly Drawn[],
  currency: Currency,
  rate: bigint,
  pricesIncludeTax: boolean,
): InvoiceRequest {
  const exchange = { exchangeRate: decimal(textOf(rate, 6)), exchangeRateDate: civilDate("2026-11-26") };
  const request = aRequest("e1", { currency, pricesIncludeTax, lines: lines.map(lineOf) });
  return correcting({ ...request, ...(currency === "EUR" ? {} : exchange) }, [], {
    rectifies: [elsewhere({ base: decimal("999999999999") })],
  });
}

function lineOf({ key, quantity, price, discount }: Drawn): RequestLine {
  const [rate = "", surcharge] = key.replace("E1", "0").split("+");
  return {
    description: "Artículo",
    quantity: decimal(textOf(quantity, 6)),
    priceUnit: decimal(textOf(price, 6)),
    taxRate: decimal(rate),
    qualification: key === "E1" ? "E1" : "S1",
    ...(discount === 0n ? {} : { discountRate: decimal(textOf(discount, 6)) }),
    ...(surcharge === undefined ? {} : { surchargeRate: decimal(surcharge) }),
  };
}
