/**
 * Orders with the figures of public shop payloads (fixtures of WooCommerce, Shopify, Magento and PrestaShop
 * connectors), reduced to a connector's members. Those named `*_es` follow each platform's own arithmetic,
 * because no public payload has Spanish rates.
 */
import type { ClientFacts, OrderFacts, TaxTotal } from "../../../src/domain/order/facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { A_COMPANY, aDiscount, anOrder, linesOf } from "./orders.ts";

const from = (country: string): ClientFacts => ({ firstName: "Nombre", lastName: "Apellido", country });
const quantities = (facts: OrderFacts, ...pieces: readonly string[]): OrderFacts => ({
  ...facts,
  breakdown: facts.breakdown.map((line, index) => ({ ...line, quantity: decimal(pieces[index] ?? "1") })),
});
/** `21: 22.00 / 4.62`, as the platform adds up its own taxes. */
const stated = (...totals: readonly string[]): readonly TaxTotal[] =>
  totals.map((text) => {
    const [, rate = "", base = "", tax = ""] = /^([\d.]+): ([\d.]+) \/ ([\d.]+)$/.exec(text) ?? [];
    return { rate: decimal(rate), base: decimal(base), tax: decimal(tax) };
  });

/** Prices with tax, three rates, a coupon of 10 % in the lines, shipping and a fee for cash on delivery. */
export const WOO_ES = quantities(
  anOrder({
    breakdown: linesOf("17.22+0.69@4 8.10+0.81@10 9.30+1.95@21 shipping:4.09+0.86@21 fee:2.48+0.52@21"),
    discounts: [aDiscount("4.23", { name: "diez", included: true })],
    client: A_COMPANY,
    total: decimal("46.02"),
    totalTax: decimal("4.83"),
  }),
  "2",
  "3",
);
export const WOO_ES_TOTALS = stated("4: 17.22 / 0.69", "10: 8.10 / 0.81", "21: 15.87 / 3.33");

/** Prices with tax; the discount is in the lines, its tax made up for. */
export const MAGENTO_ES = quantities(
  anOrder({
    breakdown: linesOf("36+7.56@21#zap shipping:4+0.84@21"),
    discounts: [aDiscount("4.84", { name: "DIEZ", included: true })],
    client: A_COMPANY,
    total: decimal("48.40"),
    totalTax: decimal("8.40"),
  }),
  "2",
);
export const MAGENTO_ES_TOTALS = stated("21: 40.00 / 8.40");

/** A voucher over two rates that is in no line. */
export const PRESTASHOP_ES = quantities(
  anOrder({
    breakdown: linesOf("20+4.20@21 5+0.50@10 shipping:4+0.84@21"),
    discounts: [aDiscount("2.97", { name: "DIEZ" })],
    client: { firstName: "Ana", lastName: "Ejemplo", vatNumber: "12345678Z", country: "ES" },
    total: decimal("31.57"),
  }),
  "2",
);
export const PRESTASHOP_ES_TOTALS = stated("21: 24.00 / 5.04", "10: 5.00 / 0.50");

/** The same rates and amounts where a territory has them: 7 % is IGIC, 9 % is IPSI. */
export const WOO_SEVEN_PERCENT = quantities(
  anOrder({
    breakdown: linesOf("0+0@7 544.50+38.115@7 1006.50+70.455@7 shipping:58.73+0@0 fee:5+0@0 fee:5+0@0"),
    client: A_COMPANY,
    total: decimal("1728.31"),
    totalTax: decimal("108.58"),
  }),
  ...["1", "33", "61"],
);
export const WOO_SEVEN_PERCENT_TOTALS = stated("7: 1551.00 / 108.58");

export const MAGENTO_NINE_PERCENT = quantities(
  anOrder({
    breakdown: linesOf("120+10.80@9 0+0@0 224+20.16@9 0+0@0 shipping:12.31+0@0"),
    client: A_COMPANY,
    total: decimal("387.27"),
    totalTax: decimal("30.96"),
  }),
  "2",
  "2",
);
export const MAGENTO_NINE_PERCENT_TOTALS = stated("9: 344.00 / 30.96");

/** 7.5 % was a rate of IVA in the last quarter of 2024. */
export const WOO_SEVEN_AND_A_HALF = quantities(
  anOrder({
    breakdown: linesOf("6+0.45@7.5 12+0.90@7.5 shipping:10+0@0"),
    operationDate: civilDate("2024-12-01"),
    total: decimal("29.35"),
    totalTax: decimal("1.35"),
  }),
  "2",
);
export const WOO_SEVEN_AND_A_HALF_TOTALS = stated("7.5: 18.00 / 1.35");

/** 8.25 % is a rate of no territory; half a cent is lost. */
export const MAGENTO_HALF_CENT = anOrder({ breakdown: linesOf("225+18.56@8.25") });

/** Złoty without tax in the prices, at a rate of Poland. */
export const SHOPIFY_PLN = quantities(
  anOrder({
    breakdown: linesOf("246+56.58@23 1500+345@23"),
    currency: "PLN",
    client: from("PL"),
    tags: ["ttag1", "ttag2"],
  }),
  "2",
  "3",
);
export const SHOPIFY_PLN_TOTALS = stated("23: 1746.00 / 401.58");

/** A fee of the payment module with a rate of its own; six decimals. */
export const PRESTASHOP_ITALY = anOrder({
  breakdown: linesOf("209.01639+45.983606@22 shipping:8.20+1.804@22 fee:7.889344+1.735656@22"),
  client: from("IT"),
  total: decimal("274.63"),
});
export const PRESTASHOP_ITALY_TOTALS = stated("22: 225.11 / 49.52");

/** Parts of the order are in other documents: the lines do not make the total. */
export const WOO_INCONSISTENT = quantities(
  anOrder({
    breakdown: linesOf("30+1.20@4 0+0@4 shipping:133+0@0 fee:125.50+0@0"),
    discounts: [aDiscount("31.20", { included: true })],
    currency: "USD",
    client: from("US"),
    total: decimal("31.20"),
  }),
  "2",
  "1.5",
);

/** Two gift cards in addition to the lines. */
export const WOO_GIFT_CARDS = anOrder({
  breakdown: linesOf("18+0@0 shipping:10+0@0"),
  discounts: [
    aDiscount("20", { name: "SU9F-MGB5", kind: "gift_card" }),
    aDiscount("4", { name: "NZR8-BMP8", kind: "gift_card" }),
  ],
  currency: "USD",
  client: from("BB"),
  total: decimal("4.00"),
});

/** Eight lines and shipping without tax; its refunds are amounts without lines. */
export const WOO_UNTAXED = quantities(
  anOrder({
    breakdown: linesOf(
      "13.50+0@0 27+0@0 32.40+0@0 54+0@0 40.50+0@0 48.60+0@0 12.60+0@0 21.60+0@0 shipping:54.25+0@0",
    ),
    currency: "USD",
    client: from("US"),
    total: decimal("304.45"),
  }),
  ...["1", "2", "3", "4", "5", "6", "7", "8"],
);

/** 908.10 of goods and 290.40 of shipping, of which four refunds took parts. */
export const WOO_560 = quantities(
  anOrder({
    breakdown: linesOf(
      "48.60+0@0#58 315+0@0#59 36+0@0#60 94.50+0@0#61 36+0@0#62 126+0@0#63 63+0@0#64 189+0@0#65 shipping:290.40+0@0#66",
    ),
    client: A_COMPANY,
    total: decimal("1198.50"),
  }),
  ...["3", "10", "2", "3", "2", "4", "2", "7"],
);

export const WOO_RENEWAL = anOrder({
  breakdown: linesOf("14.50+0@0 shipping:0+0@0"),
  currency: "USD",
  client: from("MX"),
});

/** Two discounts on one line, no address at all. */
export const SHOPIFY_HKD = anOrder({
  breakdown: linesOf("79.90+0@0 85+0@0 shipping:22+0@0"),
  discounts: [aDiscount("29.10", { included: true }), aDiscount("5", { included: true })],
  currency: "HKD",
  client: {},
  total: decimal("186.90"),
});

/** Prices with tax, and no tax anywhere; a test order. */
export const SHOPIFY_TEST = quantities(
  anOrder({
    breakdown: linesOf("450+0@0#a 0+0@0#b shipping:20+0@0#c"),
    client: A_COMPANY,
    isTest: true,
    total: decimal("470.00"),
  }),
  "3",
  "5",
);

/** The platform's test payload of a webhook, taken for real: a discount that is in no line. */
export const SHOPIFY_SAMPLE = anOrder({
  breakdown: linesOf("89.99+0@0 19.99+0@0 24.99+0@0 159.99+0@0 119.99+0@0 shipping:10+0@0"),
  currency: "USD",
  client: from("US"),
  total: decimal("404.95"),
});

/** An invoice of a bundle: its parent has no amount. */
export const MAGENTO_BUNDLE = anOrder({
  breakdown: linesOf("22+0@0 18+0@0 0+0@0 27+0@0 5+0@0 17+0@0 19+0@0 52+0@0 0+0@0 shipping:5+0@0"),
  currency: "USD",
  client: from("US"),
  total: decimal("165.00"),
});

/** Not paid yet. */
export const PRESTASHOP_OPEN = anOrder({
  breakdown: linesOf("16.51+0@0 27+0@0 26+0@0 shipping:2+0@0"),
  isCandidate: false,
  total: decimal("71.51"),
});
