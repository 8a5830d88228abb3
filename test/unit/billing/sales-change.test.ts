/** An owner's declarations about the sales of a connection or a profile. */
import { describe, expect, test } from "vitest";
import { changeSales, type SalesChange, type SalesScope } from "../../../src/domain/billing/sales-change.ts";
import { type SalesSettings, UNDECLARED } from "../../../src/domain/billing/sales-settings.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { anyPercent, percent } from "../../support/builders/facts.ts";
import { refusalIn } from "../../support/rules/readable.ts";

const SCOPE: SalesScope = {
  territory: "peninsula",
  date: civilDate("2026-11-27"),
  hasAuthorisation: false,
};

const DECLARED: SalesSettings = {
  ...UNDECLARED,
  treatments: { cod: { as: "fee", rate: decimal("21") }, card: { as: "payment" } },
  zeroRateBasis: "E1",
  destinations: { euConsumer: "oss", outsideEu: "export" },
  article42: "retail_sale",
  underAuthorisation: true,
};

test.each<[string, SalesChange, Partial<SalesSettings>]>([
  ["nothing", {}, {}],
  ["how they are issued", { issuingMode: "review" }, { issuingMode: "review" }],
  [
    "everything at once",
    { customerCredit: "review", voucherKind: "single_purpose", discountsIncluded: true, zeroRateBasis: "N1" },
    { customerCredit: "review", voucherKind: "single_purpose", discountsIncluded: true, zeroRateBasis: "N1" },
  ],
  ["the current declaration, again", { destinations: { euConsumer: "oss" }, underAuthorisation: true }, {}],
  [
    "under an authorisation that is no longer there",
    { underAuthorisation: false },
    { underAuthorisation: false },
  ],
  [
    "one treatment, the others staying",
    { treatments: { " Gift ": { as: "discount" } } },
    { treatments: { ...DECLARED.treatments, gift: { as: "discount" } } },
  ],
  [
    "a treatment in the place of another",
    { treatments: { COD: { as: "fee", rate: decimal("10") } } },
    { treatments: { ...DECLARED.treatments, cod: { as: "fee", rate: decimal("10") } } },
  ],
  [
    "a treatment taken back",
    { treatments: { card: null, never: null } },
    { treatments: { cod: { as: "fee", rate: decimal("21") } } },
  ],
])("an owner declares %s", (_, change, expected) => {
  expect(changeSales(DECLARED, change, SCOPE)).toEqual({ ok: true, value: { ...DECLARED, ...expected } });
});

describe("destinations", () => {
  const ALL = {
    euConsumer: "domestic",
    euBusiness: "domestic",
    outsideEu: "domestic",
    otherSpanish: "domestic",
  } as const;

  test.each<[string, SalesChange, SalesSettings["destinations"]]>([
    [
      "one more, the others staying",
      { destinations: { euBusiness: "intra_community" } },
      { ...DECLARED.destinations, euBusiness: "intra_community" },
    ],
    [
      "another treatment of one",
      { destinations: { outsideEu: "not_located" } },
      { euConsumer: "oss", outsideEu: "not_located" },
    ],
    ["one taken back", { destinations: { euConsumer: null } }, { outsideEu: "export" }],
    [
      "exports by the shorthand, which takes the rest back",
      { foreignSales: "export" },
      { outsideEu: "export", otherSpanish: "export" },
    ],
    ["the one-stop shop by the shorthand", { foreignSales: "oss" }, { euConsumer: "oss" }],
    [
      "intra-Community supplies by the shorthand",
      { foreignSales: "intra_community" },
      { euBusiness: "intra_community" },
    ],
    ["everything as domestic by the shorthand", { foreignSales: "domestic" }, ALL],
    ["nothing by the shorthand", { foreignSales: null }, {}],
    [
      "the same both ways",
      { foreignSales: "oss", destinations: { euConsumer: "oss", outsideEu: null } },
      { euConsumer: "oss" },
    ],
  ])("%s", (_, change, expected) => {
    const changed = changeSales(DECLARED, change, SCOPE);
    expect(changed).toStrictEqual({ ok: true, value: { ...DECLARED, destinations: expected } });
  });
});

test("a withdrawn declaration leaves no member", () => {
  const change = { zeroRateBasis: null, foreignSales: null, article42: null } as const;
  const changed = changeSales(DECLARED, change, SCOPE);
  const { zeroRateBasis: _, article42: __, ...rest } = DECLARED;
  expect(changed).toStrictEqual({ ok: true, value: { ...rest, destinations: {} } });
});

test.each(["__proto__", "constructor"])("%s is a code like any other", (code) => {
  const treatments = JSON.parse(`{"${code}":{"as":"payment"}}`);
  const changed = changeSales(UNDECLARED, { treatments }, SCOPE);
  expect(changed.ok && Object.entries(changed.value.treatments)).toEqual([[code, { as: "payment" }]]);
});

describe("rates of fees are those of the territory on the day", () => {
  const fee = (rate: string): SalesChange => ({ treatments: { cod: { as: "fee", rate: decimal(rate) } } });
  test.each<[string, SalesChange, Partial<SalesScope>]>([
    ["IVA", fee("10"), {}],
    ["IVA in its time", fee("5"), { date: civilDate("2024-09-30") }],
    ["IGIC", fee("9.5"), { territory: "canarias" }],
    ["IPSI", fee("0.5"), { territory: "ceuta_melilla" }],
  ])("%s", (_, change, scope) => {
    expect(changeSales(UNDECLARED, change, { ...SCOPE, ...scope }).ok).toBe(true);
  });

  test.each<[string, SalesChange, Partial<SalesScope>, object]>([
    [
      "of the Canaries",
      fee("7"),
      {},
      { rate: percent("7"), tax_name: "IVA", allowed: anyPercent("0 4 10 21") },
    ],
    [
      "of the mainland in the Canaries",
      fee("21"),
      { territory: "canarias" },
      { rate: percent("21"), tax_name: "IGIC", allowed: anyPercent("0 3 5 7 9.5 15 20") },
    ],
    [
      "that is none",
      fee("-1"),
      { territory: "ceuta_melilla" },
      { rate: percent("-1"), tax_name: "IPSI", allowed: anyPercent("0.5 1 2 3 4 5 6 7 8 9 10") },
    ],
  ])("one %s is refused", (_, change, scope, facts) => {
    const refused = refusalIn(changeSales(UNDECLARED, change, { ...SCOPE, ...scope }));
    expect(refused).toEqual({
      code: "fee_rate_not_allowed",
      facts: { code: "cod", ...facts },
      path: "treatments.cod",
    });
  });
});

describe("refused", () => {
  test.each<[string, SalesChange, Partial<SalesScope>, string, object, string]>([
    [
      "an empty code",
      { treatments: { " ": { as: "hold" } } },
      {},
      "treatment_code_invalid",
      {},
      "treatments",
    ],
    [
      "a code of 256 characters",
      { treatments: { ["a".repeat(256)]: { as: "hold" } } },
      {},
      "treatment_code_invalid",
      {},
      "treatments",
    ],
    [
      "the one-stop shop from the Canaries",
      { foreignSales: "oss" },
      { territory: "canarias" },
      "foreign_sales_not_allowed",
      { treatment: "oss" },
      "foreign_sales",
    ],
    [
      "intra-Community supplies from Ceuta",
      { foreignSales: "intra_community" },
      { territory: "ceuta_melilla" },
      "foreign_sales_not_allowed",
      { treatment: "intra_community" },
      "foreign_sales",
    ],
    [
      "the one-stop shop from the Canaries, by destination",
      { destinations: { outsideEu: "export", euConsumer: "oss" } },
      { territory: "canarias" },
      "foreign_sales_not_allowed",
      { treatment: "oss" },
      "destinations.eu_consumer",
    ],
    [
      "intra-Community supplies from Ceuta, by destination",
      { destinations: { euBusiness: "intra_community" } },
      { territory: "ceuta_melilla" },
      "foreign_sales_not_allowed",
      { treatment: "intra_community" },
      "destinations.eu_business",
    ],
    [
      "two treatments of one destination",
      { foreignSales: "export", destinations: { outsideEu: "domestic" } },
      {},
      "destinations_contradict",
      { foreign_sales: "export", stated: "domestic" },
      "destinations.outside_eu",
    ],
    [
      "a destination that the shorthand takes back",
      { foreignSales: "export", destinations: { euConsumer: "oss" } },
      {},
      "destinations_contradict",
      { foreign_sales: "export", stated: "oss" },
      "destinations.eu_consumer",
    ],
    [
      "a destination taken back that the shorthand declares",
      { foreignSales: "domestic", destinations: { otherSpanish: null } },
      {},
      "destinations_contradict",
      { foreign_sales: "domestic", stated: "null" },
      "destinations.other_spanish",
    ],
    [
      "a destination next to a shorthand that withdraws all",
      { foreignSales: null, destinations: { euBusiness: "not_located" } },
      {},
      "destinations_contradict",
      { foreign_sales: "null", stated: "not_located" },
      "destinations.eu_business",
    ],
    ...["-1", "100", "21.005"].map((rate): [string, SalesChange, object, string, object, string] => [
      `${rate} % as the rate that takes roundings`,
      { roundingRate: decimal(rate) },
      {},
      "rounding_rate_invalid",
      {},
      "rounding_rate",
    ]),
    [
      "an authorisation that is not there",
      { underAuthorisation: true },
      {},
      "authorisation_missing",
      {},
      "under_authorisation",
    ],
  ])("%s", (_, change, scope, code, facts, path) => {
    const refused = refusalIn(changeSales(UNDECLARED, change, { ...SCOPE, ...scope }));
    expect(refused).toEqual({ code, facts, path });
  });

  test("nothing of what can be anywhere", () => {
    const canarias: SalesScope = { ...SCOPE, territory: "canarias", hasAuthorisation: true };
    const change: SalesChange = { foreignSales: "export", underAuthorisation: true };
    expect(changeSales(UNDECLARED, change, canarias).ok).toBe(true);
  });
});
