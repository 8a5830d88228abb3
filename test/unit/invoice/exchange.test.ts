import { expect, test } from "vitest";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  altaOf,
  groupsInEur,
  issued,
  outcomeOf,
  recordTotalsIn,
  refusalOf,
  totalsIn,
  totalsInEur,
} from "../../support/builders/direct-invoicing.ts";
import { aRequest, linesOf } from "../../support/builders/requests.ts";

const YESTERDAY = { exchangeRateDate: civilDate("2026-11-26") };
const AT = (rate: string) => ({ exchangeRate: decimal(rate) });

test.each<[string, Partial<InvoiceRequest>, string, string?]>([
  ["dollars with rate and date", { currency: "USD", ...AT("1.1"), ...YESTERDAY }, "issued"],
  ["dollars without rate", { currency: "USD", ...YESTERDAY }, "exchange_rate_required", "exchange_rate"],
  ["dollars without date", { currency: "USD", ...AT("1.1") }, "exchange_rate_required", "exchange_rate_date"],
  ["dollars with neither", { currency: "USD" }, "exchange_rate_required", "exchange_rate"],
  ["a rate of today", { currency: "USD", ...AT("1.1"), exchangeRateDate: civilDate("2026-11-27") }, "issued"],
  [
    "a rate of tomorrow",
    { currency: "USD", ...AT("1.1"), exchangeRateDate: civilDate("2026-11-28") },
    "exchange_rate_invalid",
    "exchange_rate_date",
  ],
  ["a rate of 0", { currency: "USD", ...AT("0"), ...YESTERDAY }, "exchange_rate_invalid", "exchange_rate"],
  [
    "a rate below 0",
    { currency: "USD", ...AT("-1.1"), ...YESTERDAY },
    "exchange_rate_invalid",
    "exchange_rate",
  ],
  ["euros with a rate", { ...AT("1.1"), ...YESTERDAY }, "exchange_rate_invalid", "exchange_rate"],
  ["euros with a date alone", YESTERDAY, "issued"],
  ["euros with the rate 1", AT("1"), "issued"],
  ["euros with the rate 1.00 and a date", { ...AT("1.00"), ...YESTERDAY }, "issued"],
  ["another currency at 1", { currency: "USD", ...AT("1"), ...YESTERDAY }, "issued"],
])("%s: %s", (_, change, expected, path) => {
  const request = aRequest("e1", change);
  expect(outcomeOf(request)).toBe(expected);
  if (path !== undefined) expect(refusalOf(request).path).toBe(path);
});

test.each<[string, string, string, string, string, string]>([
  ["USD", "1.0852", "1x100@21", "100.00 / 21.00 / 121.00", "92.15 / 19.35 / 111.50", "19.35 / 111.50"],
  ["JPY", "162.45", "3x333.4@10", "1000 / 100 / 1100", "6.16 / 0.62 / 6.78", "0.62 / 6.78"],
  ["JPY", "162.45", "1x0.4@10", "0 / 0 / 0", "0.00 / 0.00 / 0.00", "0.00 / 0.00"],
  ["KWD", "0.3335", "1x10.0005@21", "10.001 / 2.100 / 12.101", "29.99 / 6.30 / 36.29", "6.30 / 36.29"],
  [
    "HUF",
    "389.5",
    "1x38950@21",
    "38950.00 / 8179.50 / 47129.50",
    "100.00 / 21.00 / 121.00",
    "21.00 / 121.00",
  ],
])(
  "%s at %s: %s is rounded to its own decimals, then converted",
  (currency, rate, text, own, eur, record) => {
    const change = { currency, ...AT(rate), ...YESTERDAY, lines: linesOf(text) };
    const view = issued(aRequest("e1", change));
    expect([totalsIn(view), totalsInEur(view), recordTotalsIn(view)]).toEqual([own, eur, record]);
  },
);

test("base and tax of each group are converted separately, and the totals are their sums", () => {
  const change = { currency: "USD", ...AT("1.1"), ...YESTERDAY, lines: linesOf("1x10@21 1x10@10 1x10@4") };
  const view = issued(aRequest("e1", change));
  expect(groupsInEur(view)).toEqual(["21: 9.09 / 1.91", "10: 9.09 / 0.91", "4: 9.09 / 0.36"]);
  expect(totalsInEur(view)).toBe("27.27 / 3.18 / 30.45");
  expect(altaOf(view).breakdown.map(({ base, taxAmount }) => `${base} ${taxAmount}`)).toEqual([
    "9.09 1.91",
    "9.09 0.91",
    "9.09 0.36",
  ]);
});

test("prices that include tax, in yen", () => {
  const change = { currency: "JPY", ...AT("160"), ...YESTERDAY, lines: linesOf("1x1000@21") };
  const view = issued(aRequest("e1", { ...change, pricesIncludeTax: true }));
  expect([totalsIn(view), totalsInEur(view)]).toEqual(["826 / 174 / 1000", "5.16 / 1.09 / 6.25"]);
});

test.each<[string, Partial<InvoiceRequest>, object]>([
  [
    "in euros to send none",
    AT("1.1"),
    { detail: { phrase: "no_rate_in_euros" }, fix: { phrase: "send_no_rate" } },
  ],
  [
    "otherwise which one to give",
    { currency: "USD", ...AT("0"), ...YESTERDAY },
    { detail: { phrase: "rate_not_above_zero" }, fix: { phrase: "give_rate", currency: "USD" } },
  ],
])("a wrong rate is refused as %s", (_, change, facts) => {
  expect(refusalOf(aRequest("e1", change)).facts).toEqual(facts);
});
