/** Orders of real shops: figures computed separately from the amounts of their documents. */
import { describe, expect, test } from "vitest";
import { destinationsOf } from "../../../src/domain/billing/sales-settings.ts";
import type { CorrectionEvent, OrderFacts, TaxTotal } from "../../../src/domain/order/facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal, sum } from "../../../src/domain/shared/decimal.ts";
import { eur } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  anOrder,
  course,
  decide,
  documentIn,
  groupsIn,
  linesOf,
  next,
  onlyIssue,
  outcomeOf,
  refundOf,
  refundOfAmount,
  type Situation,
  totalsIn,
} from "../../support/builders/orders.ts";
import * as shop from "../../support/builders/shop-orders.ts";

const EXEMPT = { zeroRateBasis: "E1" } as const;
const found = (rate: string): Pick<Situation, "rates"> => ({
  rates: () => ({ outcome: "found", rate: decimal(rate) }),
});
const HOME: Situation = { sales: EXEMPT };
const EXPORT: Situation = {
  sales: { ...EXEMPT, destinations: destinationsOf("export") },
  ...found("1.1618"),
};
const OSS: Situation = { sales: { ...EXEMPT, destinations: destinationsOf("oss") }, ...found("4.25") };
const CANARIES: Situation = { ...HOME, issuer: { territory: "canarias", timeZone: "Atlantic/Canary" } };
const CEUTA: Situation = { ...HOME, issuer: { territory: "ceuta_melilla" } };
const IN_CANARIES = { client: { ...A_COMPANY, postcode: "35001" } };
const IN_CEUTA = { client: { ...A_COMPANY, postcode: "51001" } };

type Row = readonly [
  shop: string,
  facts: OrderFacts,
  situation: Situation,
  document: string,
  groups: readonly string[],
  totals: string,
  taxTotals?: readonly TaxTotal[],
];

const INVOICED: readonly Row[] = [
  [
    "WooCommerce: three rates with tax, coupon in the lines, shipping, fee for cash on delivery",
    ...([shop.WOO_ES, {}, "F1 PED-1-2026"] as const),
    ["4: 17.22 / 0.69", "10: 8.10 / 0.81", "21: 15.87 / 3.33"],
    "41.19 / 4.83 / 46.02",
    shop.WOO_ES_TOTALS,
  ],
  [
    "Magento: prices with tax, discount in the lines",
    ...([shop.MAGENTO_ES, {}, "F1 PED-1-2026"] as const),
    ["21: 40.00 / 8.40"],
    "40.00 / 8.40 / 48.40",
    shop.MAGENTO_ES_TOTALS,
  ],
  [
    "PrestaShop: a voucher over two rates, outside the lines",
    ...([shop.PRESTASHOP_ES, {}, "F1 PED-1-2026"] as const),
    ["21: 22.00 / 4.62", "10: 4.50 / 0.45"],
    "26.50 / 5.07 / 31.57",
    shop.PRESTASHOP_ES_TOTALS,
  ],
  [
    "WooCommerce: 7 % with untaxed fees and shipping, a free line",
    ...([{ ...shop.WOO_SEVEN_PERCENT, ...IN_CANARIES }, CANARIES, "F1 PED-1-2026"] as const),
    ["7: 1551.00 / 108.58", "0: 68.73 / 0.00"],
    "1619.73 / 108.58 / 1728.31",
    shop.WOO_SEVEN_PERCENT_TOTALS,
  ],
  [
    "Magento: configurable parents with children at 0, untaxed shipping",
    ...([{ ...shop.MAGENTO_NINE_PERCENT, ...IN_CEUTA }, CEUTA, "F1 PED-1-2026"] as const),
    ["9: 344.00 / 30.96", "0: 12.31 / 0.00"],
    "356.31 / 30.96 / 387.27",
    shop.MAGENTO_NINE_PERCENT_TOTALS,
  ],
  [
    "WooCommerce: the official example, at a rate of 2024",
    ...([shop.WOO_SEVEN_AND_A_HALF, HOME, "F2 PED-1S-2026"] as const),
    ["7.5: 18.00 / 1.35", "0: 10.00 / 0.00"],
    "28.00 / 1.35 / 29.35",
    shop.WOO_SEVEN_AND_A_HALF_TOTALS,
  ],
  [
    "Shopify: złoty, sold in the one-stop shop above the limit of simplified invoices",
    ...([shop.SHOPIFY_PLN, OSS, "F2 PED-1-2026"] as const),
    ["23: 1746.00 / 401.58"],
    "1746.00 / 401.58 / 2147.58",
    shop.SHOPIFY_PLN_TOTALS,
  ],
  [
    "PrestaShop: a payment fee, six decimals, sold to Italy in the one-stop shop",
    ...([shop.PRESTASHOP_ITALY, OSS, "F2 PED-1-2026"] as const),
    ["22: 225.11 / 49.52"],
    "225.11 / 49.52 / 274.63",
    shop.PRESTASHOP_ITALY_TOTALS,
  ],
  [
    "WooCommerce: paid in part by two gift cards, exported",
    ...([shop.WOO_GIFT_CARDS, EXPORT, "F2 PED-1S-2026"] as const),
    ["0: 28.00 / 0.00"],
    "28.00 / 0.00 / 28.00",
  ],
  [
    "WooCommerce: eight lines and shipping, exported",
    ...([shop.WOO_UNTAXED, EXPORT, "F2 PED-1S-2026"] as const),
    ["0: 304.45 / 0.00"],
    "304.45 / 0.00 / 304.45",
  ],
  [
    "WooCommerce: a renewal, exported",
    ...([shop.WOO_RENEWAL, EXPORT, "F2 PED-1S-2026"] as const),
    ["0: 14.50 / 0.00"],
    "14.50 / 0.00 / 14.50",
  ],
  [
    "WooCommerce: goods without tax to a company at home",
    ...([shop.WOO_560, HOME, "F1 PED-1-2026"] as const),
    ["0: 1198.50 / 0.00"],
    "1198.50 / 0.00 / 1198.50",
  ],
  [
    "Shopify: two discounts on one line, exported to Hong Kong",
    { ...shop.SHOPIFY_HKD, client: { country: "HK" } },
    { ...EXPORT, ...found("9.05") },
    "F2 PED-1S-2026",
    ["0: 186.90 / 0.00"],
    "186.90 / 0.00 / 186.90",
  ],
  [
    "Magento: a bundle with a parent without an amount, exported",
    ...([shop.MAGENTO_BUNDLE, EXPORT, "F2 PED-1S-2026"] as const),
    ["0: 165.00 / 0.00"],
    "165.00 / 0.00 / 165.00",
  ],
];

describe.each(INVOICED.map((row) => [row[0], row] as const))("%s", (_, row) => {
  const [, facts, situation, document, groups, totals, taxTotals] = row;
  const shopTotals = taxTotals ? [undefined, taxTotals] : [undefined];
  test.each(shopTotals)("is invoiced as it was paid, with the shop's totals %j", (statedTotals) => {
    const order = statedTotals ? { ...facts, taxTotals: statedTotals } : facts;
    const issue = onlyIssue(decide(order, situation));
    expect([documentIn(issue), groupsIn(issue), totalsIn(issue)]).toEqual([document, groups, totals]);
  });

  test("is invoiced once", () => {
    const first = course(facts, situation);
    expect(first.issued).toHaveLength(1);
    expect(next(first, {}, situation).issued).toHaveLength(1);
  });
});

const OUTCOMES: readonly (readonly [
  shop: string,
  facts: OrderFacts,
  situation: Situation,
  outcome: string,
])[] = [
  [
    "WooCommerce: a total that leaves out fee and shipping, sold abroad",
    ...([
      shop.WOO_INCONSISTENT,
      { ...HOME, ...found("1.1618") },
      "held totals_mismatch foreign_customer",
    ] as const),
  ],
  ["Shopify: no address at all", shop.SHOPIFY_HKD, { ...HOME, ...found("9.05") }, "held country_unknown"],
  ["Shopify: a test order", shop.SHOPIFY_TEST, HOME, "stored test_order"],
  ["Shopify: a discount that is in no line", shop.SHOPIFY_SAMPLE, EXPORT, "held totals_mismatch"],
  ["PrestaShop: not paid yet", shop.PRESTASHOP_OPEN, HOME, "stored not_a_candidate"],
  [
    "WooCommerce: gift cards, and nothing declared",
    shop.WOO_GIFT_CARDS,
    found("1.1"),
    "held foreign_customer",
  ],
  ["Magento: a rate that no territory has", shop.MAGENTO_HALF_CENT, HOME, "held tax_mismatch"],
  [
    "WooCommerce: 1,031.59 EUR to a private buyer abroad",
    {
      ...shop.WOO_560,
      currency: "USD",
      client: { firstName: "Nombre", lastName: "Apellido", country: "US" },
    },
    EXPORT,
    "held recipient_incomplete",
  ],
  [
    "WooCommerce: untaxed fees at home, without their ground",
    { ...shop.WOO_SEVEN_PERCENT, ...IN_CANARIES },
    { issuer: CANARIES.issuer ?? {} },
    "held zero_rate_basis_missing",
  ],
  [
    "Magento: untaxed shipping in Ceuta, without its ground",
    { ...shop.MAGENTO_NINE_PERCENT, ...IN_CEUTA },
    { issuer: CEUTA.issuer ?? {} },
    "held zero_rate_basis_missing",
  ],
  [
    "Magento: shipping as a donation in Ceuta, where no rate is 0 %",
    { ...shop.MAGENTO_NINE_PERCENT, ...IN_CEUTA },
    { ...CEUTA, sales: { zeroRateBasis: "S1" } },
    "held tax_mismatch",
  ],
  [
    "WooCommerce: totals of the shop that are another order's",
    { ...shop.WOO_ES, taxTotals: shop.MAGENTO_ES_TOTALS },
    {},
    "held tax_totals_mismatch",
  ],
];

describe("orders without an automatic invoice", () => {
  test.each(OUTCOMES)("%s", (_, facts, situation, outcome) => {
    const decision = decide(facts, situation);
    expect(outcomeOf(decision)).toBe(outcome);
    expect(decision.effects).toEqual([]);
  });

  test("WooCommerce: a contradiction is reported with both figures", () => {
    const { reasons } = decide(shop.WOO_INCONSISTENT, { ...HOME, ...found("1.1618") });
    const usd = (amount: string) => ({ amount, currency: "USD" });
    expect(reasons[0]?.facts).toMatchObject({ computed: usd("289.70"), total: usd("31.20") });
  });

  test("Shopify: złoty are 505.31 EUR at 4.25, of which the record has the base", () => {
    const { draft } = onlyIssue(decide(shop.SHOPIFY_PLN, OSS));
    expect(draft.document.groups.map(({ eur }) => [eur.base, eur.tax])).toEqual([["410.82", "94.49"]]);
  });

  test("WooCommerce: gift cards are payments, below the total", () => {
    const [effect] = decide(shop.WOO_GIFT_CARDS, EXPORT).effects;
    const payments = effect?.effect === "issue" ? (effect.draft.document.payments ?? []) : [];
    expect(payments.map(({ amount }) => amount)).toEqual(["20", "4"]);
  });
});

const IN_NETHERLANDS = { client: { firstName: "Nombre", lastName: "Apellido", country: "NL" } };
const today = ({ operationDate: _, ...facts }: OrderFacts): OrderFacts => ({ ...facts, ...IN_NETHERLANDS });

describe("sold to the Netherlands in the one-stop shop", () => {
  test.each([
    ["WooCommerce: 7 %", shop.WOO_SEVEN_PERCENT, "7", "1619.73 / 108.58 / 1728.31"],
    ["WooCommerce: 7.5 %", shop.WOO_SEVEN_AND_A_HALF, "7.5", "28.00 / 1.35 / 29.35"],
    ["Magento: 8.25 %", shop.MAGENTO_HALF_CENT, "8.25", "225.00 / 18.56 / 243.56"],
  ])("%s waits until its owner keeps the rate", (_, facts, rate, totals) => {
    const order = today(facts);
    expect(outcomeOf(decide(order, OSS))).toBe("held oss_rate_unknown");
    const keptRates = [{ area: "NL", rate: decimal(rate), from: civilDate("2026-01-01") }] as const;
    const issue = onlyIssue(decide(order, { ...OSS, settings: { keptRates } }));
    expect([documentIn(issue), totalsIn(issue)]).toEqual(["F2 PED-1-2026", totals]);
  });

  test("Magento: 9 % is a rate of the Netherlands", () => {
    const issue = onlyIssue(decide(today(shop.MAGENTO_NINE_PERCENT), OSS));
    expect([groupsIn(issue), totalsIn(issue)]).toEqual([
      ["9: 344.00 / 30.96", "0: 12.31 / 0.00"],
      "356.31 / 30.96 / 387.27",
    ]);
  });

  test("WooCommerce: an order of which nothing is taxed contradicts the declaration", () => {
    expect(outcomeOf(decide(today(shop.WOO_560), OSS))).toBe("held destination_conflict");
  });
});

interface Refunded {
  readonly facts: OrderFacts;
  readonly situation: Situation;
  readonly events: readonly CorrectionEvent[];
  /** The refund of each event, as separate documents. */
  readonly documents: readonly string[];
  /** The amounts of one invoice where the order comes with all of its events. */
  readonly atOnce: string;
}

const REFUNDED: readonly (readonly [shop: string, refunded: Refunded])[] = [
  [
    "WooCommerce: two refunds without lines",
    {
      ...{ facts: shop.WOO_UNTAXED, situation: EXPORT },
      events: [refundOfAmount("refund:547", "8.10"), refundOfAmount("refund:549", "16.20")],
      documents: ["R5 -8.10 / 0.00 / -8.10", "R5 -16.20 / 0.00 / -16.20"],
      atOnce: "280.15 / 0.00 / 280.15",
    },
  ],
  [
    "WooCommerce: four refunds of single lines",
    {
      ...{ facts: shop.WOO_560, situation: HOME },
      events: [
        refundOf("refund:562", "27+0@0#65"),
        refundOf("refund:590", "18+0@0#60"),
        refundOf("refund:1025", "31.50+0@0#59 31.50+0@0#61 54+0@0#65"),
        refundOf("refund:1172", "63+0@0#64"),
      ],
      documents: [
        "R1 -27.00 / 0.00 / -27.00",
        "R1 -18.00 / 0.00 / -18.00",
        "R1 -117.00 / 0.00 / -117.00",
        "R1 -63.00 / 0.00 / -63.00",
      ],
      atOnce: "973.50 / 0.00 / 973.50",
    },
  ],
  [
    "Magento: a credit memo of one piece",
    {
      ...{ facts: shop.MAGENTO_ES, situation: {} },
      events: [refundOf("creditmemo:1", "18+3.78@21#zap")],
      documents: ["R1 -18.00 / -3.78 / -21.78"],
      atOnce: "22.00 / 4.62 / 26.62",
    },
  ],
  [
    "Shopify: a piece of an order in earnest",
    {
      facts: withoutTest(shop.SHOPIFY_TEST),
      situation: HOME,
      events: [refundOf("225207300", "150+0@0#a")],
      documents: ["R1 -150.00 / 0.00 / -150.00"],
      atOnce: "320.00 / 0.00 / 320.00",
    },
  ],
  [
    "WooCommerce: the line at 10 % and the fee, by their lines",
    {
      ...{ facts: shop.WOO_ES, situation: {} },
      events: [refundOf("refund:1", "8.10+0.81@10"), refundOf("refund:2", "2.48+0.52@21")],
      documents: ["R1 -8.10 / -0.81 / -8.91", "R1 -2.48 / -0.52 / -3.00"],
      atOnce: "30.61 / 3.50 / 34.11",
    },
  ],
  [
    "PrestaShop: everything, of which a voucher had taken a tenth",
    {
      ...{ facts: shop.PRESTASHOP_ES, situation: {} },
      events: [refundOfAmount("slip:1", "31.57")],
      documents: ["R1 -26.50 / -5.07 / -31.57"],
      atOnce: "nothing",
    },
  ],
];

describe.each(REFUNDED)("%s", (_, { facts, situation, events, documents, atOnce }) => {
  test("after the invoice each refund is a rectification", () => {
    let sold = course(facts, situation);
    for (const count of events.keys()) {
      sold = next(sold, { events: events.slice(0, count + 1) }, situation);
      expect(sold.issued).toHaveLength(count + 2);
    }
    const rectifications = sold.issued.slice(1);
    expect(
      rectifications.map((issue) => `${issue.draft.document.request.invoiceType} ${totalsIn(issue)}`),
    ).toEqual(documents);
  });

  test("all at once they net into one invoice", () => {
    const { issued } = course({ ...facts, events }, situation);
    expect(issued.map(totalsIn)).toEqual(atOnce === "nothing" ? [] : [atOnce]);
  });

  test("sent a second time they take nothing more", () => {
    const once = next(course(facts, situation), { events }, situation);
    expect(next(once, { events }, situation).issued).toHaveLength(once.issued.length);
  });
});

test.each([
  [
    "WooCommerce: lines of 34.62 and an amount of 27.00",
    { ...shop.WOO_560, ...{ breakdown: [...shop.WOO_560.breakdown, ...linesOf("100+21@21")] } },
    refundOf("refund:562", "27+0@0#65 7+0.62@21", { amount: decimal("-27.00") }),
    { lines_total: eur("-34.62"), amount: eur("-27.00") },
  ],
  [
    "Shopify: lines of 405.96 and an amount of 209.00",
    anOrder({ breakdown: linesOf("398+83.58@21"), client: A_COMPANY }),
    refundOf("r1", "199+3.98@21 199+3.98@21", { amount: decimal("-209.00") }),
    { lines_total: eur("-405.96"), amount: eur("-209.00") },
  ],
])("%s: held, and the invoice stays", (_, facts, event, figures) => {
  const total = sum(facts.breakdown.flatMap(({ base, tax }) => [base, tax]));
  const sold = course({ ...facts, total }, HOME);
  const after = next(sold, { events: [event] }, HOME);
  expect(after.issued).toHaveLength(1);
  const mismatch = after.decision.reasons.find(({ code }) => code === "correction_amount_mismatch");
  expect(mismatch?.facts).toMatchObject(figures);
});

function withoutTest({ isTest: _, ...facts }: OrderFacts): OrderFacts {
  return facts;
}
