import { describe, expect, test } from "vitest";
import { add, decimal } from "../../../src/domain/shared/decimal.ts";
import { Findings } from "../../../src/domain/shop/mapped.ts";
import { lookedUp, Native, readJson } from "../../../src/domain/shop/native.ts";
import { isInTable, pathsOf } from "../../../src/domain/shop/native-paths.ts";
import {
  meaningOf,
  prestashopPreset,
  type ShopPlatform,
  STATUS_PRESETS,
  type StatusMeaning,
} from "../../../src/domain/shop/presets.ts";
import {
  lineTax,
  type NativeLine,
  type NativeTaxTotal,
  percentsOf,
  taxTotals,
} from "../../../src/domain/shop/rates.ts";
import { countryFrom, currencyFrom, identifierIn } from "../../../src/domain/shop/tables.ts";
import { localMoment, utcInstant } from "../../../src/domain/shop/times.ts";

const at = (json: string) => readJson(json) ?? new Native(undefined);

describe("amounts of documents", () => {
  test.each([
    ["16.20", "16.2"],
    ["10.799999999999999", "10.8"],
    ['"36188.034185"', "36188.034185"],
    ['" 12.50 "', "12.5"],
    ['"+3.00"', "3"],
    ['".5"', "0.5"],
    ['"-.5"', "-0.5"],
    ["1e2", "100"],
    ["123456789012", "123456789012"],
    ['"0.00"', "0"],
  ])("%s is %s", (json, amount) => {
    expect(at(json).amount()).toBe(amount);
  });

  test.each([
    ['"12,50"'],
    ['"1.234,50"'],
    ['"abc"'],
    ['""'],
    ["null"],
    ["true"],
    ["[]"],
    ["{}"],
    ["1e300"],
    ["1234567890123"],
    ['"0x10"'],
    ['"NaN"'],
  ])("%s is no amount", (json) => {
    expect(at(json).amount()).toBeUndefined();
  });
});

test("members of an object's prototype are no members of a document", () => {
  const document = at('{"a":{"b":1}}');
  expect(document.at("constructor").value).toBeUndefined();
  expect(document.at("a", "toString").value).toBeUndefined();
  expect(document.at("a", "b", "c", "d").isEmpty).toBe(true);
  expect(at('{"__proto__":{"total":"5"}}').at("total").value).toBeUndefined();
  expect(lookedUp({}, "constructor")).toBeUndefined();
});

test("places are told as they stand in the document", () => {
  const [, second] = at('{"lines":[{"total":"1"},{"total":"x"}]}').at("lines").items();
  expect(second?.at("total").where).toBe("lines.1.total");
  expect(
    at('{"2":{"a":1},"5":{"a":2}}')
      .items()
      .map((item) => item.at("a").amount()),
  ).toEqual(["1", "2"]);
  expect(at('{"name":1}').items()).toEqual([]);
});

test("texts lose what cannot be printed", () => {
  expect(at(JSON.stringify(" Caja\n\u0007de\tvino \uD800")).text()).toBe("Caja de vino \uFFFD");
  expect(at('"\u200B"').text()).toBeUndefined();
  expect(at("12345678901234567890").text()).toBe("12345678901234567890");
  expect(at('"abcdef"').text(3)).toBe("abc");
  expect(at("0").id()).toBeUndefined();
});

test("a text that is no JSON is no document", () => {
  expect(readJson('{"id":1')).toBeUndefined();
  expect(readJson("<html>")).toBeUndefined();
  expect(readJson("")).toBeUndefined();
});

describe("dates", () => {
  const madrid = "Europe/Madrid";
  test.each([
    ["2026-11-02T09:00:00", "2026-11-02T09:00:00.000Z"],
    ["2026-11-02 09:00:00", "2026-11-02T09:00:00.000Z"],
    ["2024-10-08T14:03:31+02:00", "2024-10-08T12:03:31.000Z"],
    ["0000-00-00 00:00:00", undefined],
    ["", undefined],
    ["yesterday", undefined],
  ])("%s in UTC", (text, instant) => {
    const found = utcInstant(new Native(text));
    expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(instant);
  });

  test.each([
    ["2026-11-02 10:00:00", madrid, { instant: Date.parse("2026-11-02T09:00:00Z") }],
    ["2026-07-02 10:00:00", madrid, { instant: Date.parse("2026-07-02T08:00:00Z") }],
    ["2026-07-02 10:00:00", "America/New_York", { instant: Date.parse("2026-07-02T14:00:00Z") }],
    ["2026-07-02 10:00:00", "+05:30", { instant: Date.parse("2026-07-02T04:30:00Z") }],
    ["2026-07-02 10:00:00", undefined, { local: "2026-07-02T10:00:00.000" }],
    ["2026-07-02 10:00:00", "Nowhere/None", { local: "2026-07-02T10:00:00.000" }],
    ["2026-07-02T10:00:00+02:00", undefined, { instant: Date.parse("2026-07-02T08:00:00Z") }],
  ])("%s in %s", (text, zone, moment) => {
    expect(localMoment(new Native(text), zone)).toEqual(moment);
  });
});

test("the first identifier that is one", () => {
  const places = [null, "", " ", "-", "N/A", "n/a", "B12345674", "X"].map((value) => new Native(value));
  expect(identifierIn(places)).toBe("B12345674");
  expect(identifierIn([new Native("-")])).toBeUndefined();
});

test("codes", () => {
  expect([currencyFrom("eur"), currencyFrom("XXX"), currencyFrom(undefined)]).toEqual([
    "EUR",
    undefined,
    undefined,
  ]);
  expect([countryFrom("es"), countryFrom("ESP"), countryFrom("Spain")]).toEqual(["ES", undefined, undefined]);
});

describe("presets of statuses", () => {
  const rows: readonly (readonly [ShopPlatform, StatusMeaning, string])[] = [
    ["woocommerce", "invoice", "processing completed refunded"],
    ["woocommerce", "cancelled", "cancelled trash deleted"],
    ["woocommerce", "nothing", "pending on-hold failed checkout-draft"],
    ["shopify", "invoice", "paid partially_refunded refunded"],
    ["shopify", "cancelled", "cancelled voided deleted"],
    ["shopify", "nothing", "pending authorized partially_paid expired"],
    ["magento", "invoice", "processing complete closed"],
    ["magento", "cancelled", "canceled"],
    ["magento", "nothing", "new pending_payment payment_review holded"],
    ["prestashop", "nothing", "0"],
  ];
  test.each(rows)("%s: %s", (platform, meaning, statuses) => {
    for (const status of statuses.split(" "))
      expect(meaningOf(status, STATUS_PRESETS[platform])).toBe(meaning);
  });

  test("PrestaShop by the shop's own states", () => {
    const preset = prestashopPreset({
      "2": { paid: true, template: "payment" },
      "6": { paid: false, template: "order_canceled" },
      "7": { paid: false, template: "refund" },
      "8": { paid: false, template: "payment_error" },
      "10": { paid: false, template: "bankwire" },
    });
    const states = ["2", "6", "7", "8", "10", "0", "99"];
    expect(states.map((state) => meaningOf(state, preset))).toEqual([
      "invoice",
      "cancelled",
      "invoice",
      "nothing",
      "nothing",
      "nothing",
      undefined,
    ]);
  });
});

/** `base+tax x quantity: id=amount id=amount`. */
function lineOf(text: string): NativeLine {
  const [amounts = "", taxes = ""] = text.split(":").map((part) => part.trim());
  const [money = "", quantity = "1"] = amounts.split(" x ");
  const [base = "0", tax = "0"] = money.split("+");
  return {
    base: decimal(base),
    tax: decimal(tax),
    quantity: decimal(quantity),
    taxes: taxes
      .split(" ")
      .filter(Boolean)
      .map((entry) => entry.split("="))
      .map(([id = "", amount = "0"]) => ({ id, amount: decimal(amount) })),
    where: text,
  };
}
const statedOf = (rates: Readonly<Record<string, string>>) =>
  new Map(Object.entries(rates).map(([id, rate]) => [id, decimal(rate)]));

describe("rates of lines", () => {
  const rates = (lines: readonly string[], stated = {}, tables = {}) =>
    percentsOf(lines.map(lineOf), statedOf(stated), { taxRates: tables }, "EUR").get("a");

  test("stated before tables before amounts", () => {
    expect(rates(["10+2.1: a=2.1"], { a: "21" }, { a: decimal("10") })).toBe("21");
    expect(rates(["10+2.1: a=2.1"], {}, { a: decimal("10") })).toBe("10");
    expect(rates(["10+2.1: a=2.1"])).toBe("21");
  });

  test("amounts prove a rate if it makes the tax of every line", () => {
    expect(rates(["6+0.45: a=0.45", "12+0.9: a=0.9"])).toBe("7.5");
    expect(rates(["30+1.2: a=1.2", "133+0: a=0.62125"])).toBeUndefined();
    expect(rates(["0+0: a=0"])).toBe("0");
    expect(rates(["0+1: a=1"])).toBeUndefined();
    expect(rates(["-5+-1.05: a=-1.05", "10+2.1: a=2.1"])).toBe("21");
  });

  const taxOf = (text: string, percents: Readonly<Record<string, string>>) => {
    const findings = new Findings();
    return { ...lineTax(lineOf(text), statedOf(percents), "EUR", findings), missing: findings.missing };
  };

  test("one tax", () => {
    expect(taxOf("10+2.1: a=2.1", { a: "21" })).toEqual({ taxRate: "21", tax: "2.1", missing: [] });
    expect(taxOf("10+0", {})).toEqual({ taxRate: "0", tax: "0", missing: [] });
    expect(taxOf("0.02+0: a=0", { a: "21" })).toEqual({ taxRate: "21", tax: "0", missing: [] });
  });

  test("a tax without a rate is missing", () => {
    const where = "10+1.23: a=1.23";
    expect(taxOf(where, {})).toEqual({
      taxRate: "12.3",
      tax: "1.23",
      missing: [{ what: "tax_rate", where }],
    });
    expect(taxOf("10+1.23", {}).missing).toEqual([{ what: "tax_rate", where: "10+1.23" }]);
  });

  test.each([
    ["21", "5.2", "2.1", "0.52"],
    ["10", "1.4", "1", "0.14"],
    ["4", "0.5", "0.4", "0.05"],
    ["21", "1.75", "2.1", "0.175"],
  ])("%s with recargo %s", (rate, surchargeRate, tax, surcharge) => {
    const whole = add(decimal(tax), decimal(surcharge));
    const percents = { a: rate, b: surchargeRate };
    const expected = { taxRate: rate, tax, surchargeRate, surcharge, missing: [] };
    expect(taxOf(`10+${whole}: a=${tax} b=${surcharge}`, percents)).toEqual(expected);
    expect(taxOf(`10+${whole}: b=${surcharge} a=${tax}`, percents)).toEqual(expected);
  });

  test("other pairs add up, and the amount of the line stays", () => {
    expect(taxOf("10+1.2: a=0.5 b=0.7", { a: "5", b: "7" })).toEqual({
      taxRate: "12",
      tax: "1.2",
      missing: [],
    });
    expect(taxOf("10+0.19: a=0.05 b=0.14", { a: "0.5", b: "1.4" }).taxRate).toBe("1.9");
    expect(taxOf("100+21: a=21 b=0", { a: "21", b: "5.2" })).toEqual({
      taxRate: "21",
      tax: "21",
      missing: [],
    });
  });

  test("the recargo of a rounded line leaves the rest as tax", () => {
    const line = taxOf("8.27+2.17: a=1.7367 b=0.43004", { a: "21", b: "5.2" });
    expect(line).toMatchObject({ tax: "1.74", surcharge: "0.43" });
  });
});

describe("totals of taxes", () => {
  const totalsOf = (
    totals: Readonly<Record<string, string>>,
    percents: Readonly<Record<string, string>>,
    ...lines: readonly string[]
  ) =>
    taxTotals(
      Object.entries(totals).map(([id, tax]): NativeTaxTotal => ({ id, tax: decimal(tax) })),
      statedOf(percents),
      lines.map(lineOf),
    );

  test("by rate, two taxes of one rate as one", () => {
    expect(totalsOf({ a: "2.1", b: "1", c: "2.1" }, { a: "21", b: "10", c: "21" })).toEqual([
      { rate: "21", tax: "4.2" },
      { rate: "10", tax: "1" },
    ]);
    expect(totalsOf({ a: "0", b: "1" }, { a: "0", b: "10" })).toEqual([{ rate: "10", tax: "1" }]);
  });

  test("a recargo joins the rate that it has on the lines", () => {
    const joined = [{ rate: "21", tax: "3.1", surchargeRate: "5.2", surcharge: "0.52" }];
    const percents = { a: "21", b: "5.2" };
    expect(totalsOf({ a: "3.1", b: "0.52" }, percents, "10+2.62: a=2.1 b=0.52", "5+1: a=1")).toEqual(joined);
    expect(totalsOf({ b: "0.52", a: "3.1" }, percents, "10+2.62: a=2.1 b=0.52")).toEqual(joined);
  });

  test("taxes that add up on every line add up; where lines differ nothing is said", () => {
    const percents = { a: "5", b: "7" };
    expect(totalsOf({ a: "0.5", b: "0.7" }, percents, "10+1.2: a=0.5 b=0.7")).toEqual([
      { rate: "12", tax: "1.2" },
    ]);
    expect(totalsOf({ a: "1", b: "0.7" }, percents, "10+1.2: a=0.5 b=0.7", "10+0.5: a=0.5")).toEqual([]);
  });
});

test("members of documents by their path", () => {
  const table = { read: ["id", "lines[].total", "a.b"], decidesNothing: ["meta.**", "lines[].image.**"] };
  const paths = [
    ...pathsOf(
      at(
        '{"id":1,"lines":[{"total":"1","image":{"src":"x"}},{"total":"2","x":3}],"meta":{"k":[{"v":1}]},"a":{"b":null},"y":1}',
      ).value,
    ).keys(),
  ];
  expect(paths.filter((path) => !isInTable(path, table)).toSorted()).toEqual(["lines[].x", "y"]);
});
