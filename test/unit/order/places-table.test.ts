/**
 * Places, buyers, treatments and rates, each with each. The expected values are in tables of this file,
 * made from the directive and the states' laws, and not computed by the product.
 */
import { describe, expect, test } from "vitest";
import type { Destinations } from "../../../src/domain/billing/sales-settings.ts";
import type { Territory } from "../../../src/domain/invoice/settings.ts";
import type { ClientFacts } from "../../../src/domain/order/facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import {
  A_COMPANY,
  anOrder,
  decide,
  linesOf,
  onlyIssue,
  outcomeOf,
  totalsIn,
} from "../../support/builders/orders.ts";

const DAY = civilDate("2026-11-20");

const CONSUMER: ClientFacts = { firstName: "Ana", lastName: "Pérez", country: "ES" };
const BUSINESS: ClientFacts = {
  company: "Kunde GmbH",
  vatNumber: "DE282741168",
  country: "DE",
  address1: "Weg 1",
  postcode: "10115",
  city: "Berlin",
};
const AMERICAN: ClientFacts = {
  company: "Yankee Inc",
  vatNumber: "987654321",
  country: "US",
  address1: "Broadway 1",
  postcode: "10001",
  city: "New York",
};

interface Sale {
  readonly to: string;
  readonly client: ClientFacts;
  readonly lines: string;
  readonly destinations: Destinations;
  readonly territory?: Territory;
}

/** `F2 N2 17 19: 100.00 / 19.00 / 119.00`, or the state with its reasons. */
function told({ to, client, lines, destinations, territory = "peninsula" }: Sale): string {
  const [country = "", postcode] = to.split("-");
  const order = anOrder({
    breakdown: linesOf(lines),
    client,
    delivery: { country, ...(postcode === undefined ? {} : { postcode }) },
    operationDate: DAY,
  });
  const decision = decide(order, { sales: { destinations }, issuer: { territory } });
  if (decision.state !== "invoiced") return outcomeOf(decision);
  const effect = onlyIssue(decision);
  const { request, groups } = effect.draft.document;
  const [group] = groups;
  const form = `${request.invoiceType}${request.flags.length > 0 ? "*" : ""}`;
  return `${form} ${group?.qualification} ${group?.regime} ${group?.rate}: ${totalsIn(effect)}`;
}

/** Rates above zero on 20 November 2026, of every place that has its own. */
const RATES: Readonly<Record<string, string>> = {
  "AT-1010": "4.9 10 13 20",
  "AT-6991": "4.9 10 13 19",
  "BE-1000": "6 12 21",
  "BG-1000": "9 20",
  "CY-1010": "3 5 9 19",
  "CZ-11000": "12 21",
  "DE-10115": "7 19",
  "DE-87491": "4.9 10 13 19",
  "DK-1050": "25",
  "EE-10111": "9 13 24",
  "FI-00100": "10 13.5 25.5",
  "FR-75001": "2.1 5.5 10 20",
  "FR-20000": "0.9 2.1 5.5 10 13 20",
  "MC-98000": "2.1 5.5 10 20",
  "FX-75001": "2.1 5.5 10 20",
  "GR-10431": "6 13 24",
  "EL-10431": "6 13 24",
  "GR-82100": "3 4 6 9 13 17 24",
  "HR-10000": "5 13 25",
  "HU-1011": "5 18 27",
  "IE-D01": "4.8 9 13.5 23",
  "IT-00118": "4 5 10 22",
  "LT-01001": "5 12 21",
  "LU-1009": "3 8 14 17",
  "LV-1001": "5 12 21",
  "MT-VLT": "5 7 12 18",
  "NL-1011": "9 21",
  "PL-00001": "5 8 23",
  "PT-1000": "6 13 23",
  "PT-9000": "4 12 22",
  "PT-9500": "4 9 16",
  "RO-010011": "11 21",
  "SE-11120": "6 12 25",
  "SI-1000": "5 9.5 22",
  "SK-81101": "5 19 23",
  "XI-BT1": "5 20",
  "GB-BT1 1AA": "5 20",
};

/** Every rate that some place has, and two that none has. */
const ALL_RATES = [
  ...new Set([...Object.values(RATES).flatMap((rates) => rates.split(" ")), "13.37", "8.1"]),
];

/** The tax of 100.00. */
const taxed = (rate: string) => `100+${rate}@${rate}`;
const twoPlaces = (rate: string) => {
  const [whole = "", part = ""] = rate.split(".");
  return `${whole}.${part.padEnd(2, "0")}`;
};
const totals = (rate: string) => `100.00 / ${twoPlaces(rate)} / 1${twoPlaces(rate).padStart(5, "0")}`;

describe("the one-stop shop takes the rates of the place and no others", () => {
  test.each(Object.entries(RATES))("%s: %s", (to, rates) => {
    const found = ALL_RATES.map((rate) => [
      rate,
      told({ to, client: CONSUMER, lines: taxed(rate), destinations: { euConsumer: "oss" } }),
    ]);
    const own = rates.split(" ");
    const expected = ALL_RATES.map((rate) => [
      rate,
      own.includes(rate) ? `F2* N2 17 ${rate}: ${totals(rate)}` : "held oss_rate_unknown",
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });
});

/** The places of France, with the rates 2.1, 5.5, 10 and 20: of Spain's 4, 10 and 21 it has one. */
const LINES = {
  untaxed: "100+0@0",
  "a rate of both": taxed("10"),
  "a rate of Spain": taxed("21"),
  "a rate of the place": taxed("20"),
  "a rate of neither": taxed("13.37"),
  "rate and surcharge of Spain": "100+26.20@26.2",
} as const;
type LineKind = keyof typeof LINES;

const NOTHING = "held zero_rate_basis_missing";
const CONFLICT = "held destination_conflict";
const UNKNOWN = "held oss_rate_unknown";
const UNNAMED = "held recipient_incomplete";

type Outcomes = readonly [
  untaxed: string,
  both: string,
  spain: string,
  place: string,
  neither: string,
  surcharge: string,
];

const always = (outcome: string): Outcomes => [outcome, outcome, outcome, outcome, outcome, outcome];
const onlyUntaxed = (outcome: string): Outcomes => [
  outcome,
  ...([CONFLICT, CONFLICT, CONFLICT, CONFLICT, CONFLICT] as const),
];
const domestic = (form: string, surcharged: string): Outcomes => [
  NOTHING,
  `${form} S1 01 10: ${totals("10")}`,
  `${form} S1 01 21: ${totals("21")}`,
  ...([CONFLICT, CONFLICT, surcharged] as const),
];
const plain = (text: string) => `${text}: ${totals("0")}`;

const SURCHARGED = "F1 S1 01 21: 100.00 / 21.00 / 126.20";

interface Block {
  readonly name: string;
  /** Places that are all alike. */
  readonly places: readonly string[];
  readonly client: ClientFacts;
  readonly treatments: readonly (readonly [string, Destinations, Outcomes])[];
}

const IN_THE_UNION = ["FR-75001", "MC-98000", "FX-75001"];
const OUTSIDE = [
  ...["US-10001", "CH-8001", "NO-0150", "GB-SW1A 1AA", "IM-IM1", "UK-EC1A 1BB", "GI-GX11"],
  ...["AX-22100", "FI-22100", "DE-27498", "DE-78266", "IT-23041", "IT-22061", "IT-47890"],
  ...["FR-97133", "FR-97200", "FR-97400", "FR-98700", "RE-97400", "GR-63086", "GR-63087"],
  ...["SM-47890", "VA-00120", "AD-AD500", "FO-100", "GL-3900", "AW-0000", "CW-0000", "BQ-0000", "JE-JE2"],
];
const OTHER_SPANISH = ["ES-35001", "ES-38001", "IC-35001", "ES-51001", "ES-52001", "EA-52001", "EA-51001"];

const outside = (form: string, unnamedForm: string, surcharged: string): Block["treatments"] => [
  ["nothing", {}, always("held foreign_customer")],
  ["an export", { outsideEu: "export" }, onlyUntaxed(plain(`${form} E2 02 0`))],
  ["not located", { outsideEu: "not_located" }, onlyUntaxed(plain(`${unnamedForm} N2 01 0`))],
  ["domestic", { outsideEu: "domestic" }, domestic(form, surcharged)],
  [
    "every other destination",
    { euConsumer: "oss", euBusiness: "intra_community", otherSpanish: "export" },
    always("held foreign_customer"),
  ],
];

const BLOCKS: readonly Block[] = [
  {
    name: "consumers in the Union",
    places: IN_THE_UNION,
    client: CONSUMER,
    treatments: [
      ["nothing", {}, always("held foreign_customer")],
      [
        "the one-stop shop",
        { euConsumer: "oss" },
        [
          CONFLICT,
          `F2* N2 17 10: ${totals("10")}`,
          UNKNOWN,
          `F2* N2 17 20: ${totals("20")}`,
          UNKNOWN,
          UNKNOWN,
        ],
      ],
      ["domestic", { euConsumer: "domestic" }, domestic("F2", UNNAMED)],
      [
        "every other destination",
        { euBusiness: "intra_community", outsideEu: "export", otherSpanish: "export" },
        always("held foreign_customer"),
      ],
    ],
  },
  {
    name: "a Spanish company that has it sent there is no business of another member state",
    places: ["FR-75001"],
    client: A_COMPANY,
    treatments: [
      ["nothing", {}, always("held foreign_customer")],
      [
        "the one-stop shop",
        { euConsumer: "oss" },
        [CONFLICT, `F1 N2 17 10: ${totals("10")}`, UNKNOWN, `F1 N2 17 20: ${totals("20")}`, UNKNOWN, UNKNOWN],
      ],
      ["intra-Community", { euBusiness: "intra_community" }, always("held foreign_customer")],
      ["domestic", { euConsumer: "domestic" }, domestic("F1", SURCHARGED)],
    ],
  },
  {
    name: "businesses in the Union",
    places: [...IN_THE_UNION, "GB-BT1 1AA", "XI-BT1"],
    client: BUSINESS,
    treatments: [
      ["nothing", {}, onlyUntaxed("held foreign_customer")],
      ["the one-stop shop alone", { euConsumer: "oss" }, onlyUntaxed("held foreign_customer")],
      [
        "intra-Community",
        { euBusiness: "intra_community", euConsumer: "oss" },
        onlyUntaxed(plain("F1 E5 01 0")),
      ],
      ["not located", { euBusiness: "not_located" }, onlyUntaxed(plain("F1 N2 01 0"))],
      ["domestic", { euBusiness: "domestic" }, domestic("F1", SURCHARGED)],
    ],
  },
  {
    name: "consumers outside",
    places: OUTSIDE,
    client: CONSUMER,
    treatments: outside("F2", "F2*", UNNAMED),
  },
  {
    name: "a business of the Union that has it sent outside",
    places: ["US-10001", "FI-22100"],
    client: BUSINESS,
    treatments: outside("F1", "F1", SURCHARGED),
  },
  {
    name: "a business of the United States at home",
    places: ["US-10001", "FR-97400"],
    client: AMERICAN,
    treatments: outside("F1", "F1", SURCHARGED),
  },
  {
    name: "other parts of Spain",
    places: OTHER_SPANISH,
    client: CONSUMER,
    treatments: [
      ["nothing", {}, always("held territory_review")],
      ["an export", { otherSpanish: "export" }, onlyUntaxed(plain("F2 E2 02 0"))],
      ["domestic", { otherSpanish: "domestic" }, domestic("F2", UNNAMED)],
      [
        "every other destination",
        { euConsumer: "oss", euBusiness: "intra_community", outsideEu: "export" },
        always("held territory_review"),
      ],
    ],
  },
  {
    name: "at home, with any declaration about other places",
    places: ["ES-28001", "ES-07001", "ES-3501"],
    client: CONSUMER,
    treatments: (
      [
        ["nothing", {}],
        [
          "everything",
          { euConsumer: "oss", euBusiness: "intra_community", outsideEu: "export", otherSpanish: "export" },
        ],
      ] as const
    ).map(([name, destinations]) => [
      name,
      destinations,
      [
        NOTHING,
        `F2 S1 01 10: ${totals("10")}`,
        `F2 S1 01 21: ${totals("21")}`,
        ...(["held tax_mismatch", "held tax_mismatch", UNNAMED] as const),
      ],
    ]),
  },
];

const ROWS = BLOCKS.flatMap(({ name, places, client, treatments }) =>
  treatments.flatMap(([treatment, destinations, outcomes]) =>
    places.flatMap((to) =>
      (Object.keys(LINES) as LineKind[]).map(
        (kind, index) => [name, treatment, to, kind, client, destinations, outcomes[index] ?? ""] as const,
      ),
    ),
  ),
);

test("the table has its rows", () => {
  expect(ROWS.length).toBe(1470);
});

test.each(ROWS)("%s, declared: %s; %s, %s", (_, __, to, kind, client, destinations, expected) => {
  expect(told({ to, client, lines: LINES[kind], destinations })).toBe(expected);
});

/** The territory of the Union for VAT leaves them out: neither the one-stop shop nor supplies within it. */
describe("issuers with a tax of their own", () => {
  test.each<[Territory, string, ClientFacts, string, Destinations, string]>([
    ["canarias", "ES-35001", CONSUMER, "100+7@7", {}, `F2 S1 01 7: ${totals("7")}`],
    ["canarias", "IC", CONSUMER, "100+7@7", {}, `F2 S1 01 7: ${totals("7")}`],
    ["canarias", "ES-28001", CONSUMER, "100+0@0", {}, "held territory_review"],
    ["canarias", "ES-51001", CONSUMER, "100+0@0", { otherSpanish: "export" }, plain("F2 E2 02 0")],
    ["canarias", "ES-28001", CONSUMER, "100+0@0", { otherSpanish: "export" }, plain("F2 E2 02 0")],
    ["canarias", "ES-28001", CONSUMER, "100+7@7", { otherSpanish: "export" }, CONFLICT],
    ["canarias", "ES-28001", CONSUMER, "100+7@7", { otherSpanish: "domestic" }, `F2 S1 01 7: ${totals("7")}`],
    ["canarias", "ES-28001", CONSUMER, "100+21@21", { otherSpanish: "domestic" }, CONFLICT],
    ["canarias", "DE-10115", CONSUMER, "100+19@19", { euConsumer: "oss" }, "held foreign_customer"],
    ["canarias", "DE-10115", CONSUMER, "100+7@7", { euConsumer: "domestic" }, `F2 S1 01 7: ${totals("7")}`],
    ["canarias", "DE-10115", CONSUMER, "100+0@0", { outsideEu: "export" }, "held foreign_customer"],
    ["canarias", "DE-10115", BUSINESS, "100+0@0", { euBusiness: "intra_community" }, "held foreign_customer"],
    ["canarias", "DE-10115", BUSINESS, "100+0@0", { euBusiness: "not_located" }, plain("F1 N2 01 0")],
    ["canarias", "US-10001", CONSUMER, "100+0@0", { outsideEu: "export" }, plain("F2 E2 02 0")],
    ["ceuta_melilla", "EA", CONSUMER, "100+4@4", {}, `F2 S1 01 4: ${totals("4")}`],
    ["ceuta_melilla", "ES-52001", CONSUMER, "100+4@4", {}, `F2 S1 01 4: ${totals("4")}`],
    ["ceuta_melilla", "ES-28001", CONSUMER, "100+4@4", {}, "held territory_review"],
    ["ceuta_melilla", "FR-75001", CONSUMER, "100+20@20", { euConsumer: "oss" }, "held foreign_customer"],
    ["ceuta_melilla", "US-10001", CONSUMER, "100+0@0", { outsideEu: "not_located" }, plain("F2* N2 01 0")],
  ])("%s to %s", (territory, to, client, lines, destinations, expected) => {
    expect(told({ to, client, lines, destinations, territory })).toBe(expected);
  });
});
