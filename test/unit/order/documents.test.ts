/** Which document an order gets, to whom, and under which tax. */
import { describe, expect, test } from "vitest";
import { destinationsOf, type ForeignSales } from "../../../src/domain/billing/sales-settings.ts";
import { registrationOf } from "../../../src/domain/invoice/invoice-record.ts";
import type { ClientFacts, OrderFacts } from "../../../src/domain/order/facts.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { Fact } from "../../../src/domain/shared/fact.ts";
import { eur } from "../../support/builders/facts.ts";
import {
  A_COMPANY,
  A_PERSON,
  aDiscount,
  anOrder,
  decide,
  documentIn,
  linesOf,
  onlyIssue,
  outcomeOf,
  refundOf,
  type Situation,
  TODAY,
} from "../../support/builders/orders.ts";

const NAMED = { firstName: "Ana", lastName: "Pérez" };
const ADDRESS = { address1: "Rue 1", postcode: "1000", city: "Bruselas" };
const DOMESTIC: Situation = { sales: { destinations: destinationsOf("domestic") } };

describe("identified clients get a full invoice", () => {
  test.each<[string, ClientFacts, string, object]>([
    [
      "a company by its NIF",
      A_COMPANY,
      "Cliente Ejemplo SL",
      { kind: "nif", nif: "B12345674", entity: true },
    ],
    [
      "a person by theirs",
      { ...NAMED, vatNumber: "12345678-z" },
      "Ana Pérez",
      { kind: "nif", nif: "12345678Z", entity: false },
    ],
    [
      "a person's NIF goes with the person, not with the company",
      { ...NAMED, company: "Bar Ana", vatNumber: "12345678Z" },
      "Ana Pérez",
      { kind: "nif", nif: "12345678Z", entity: false },
    ],
    [
      "an EU company",
      { company: "BE SA", country: "BE", vatNumber: "0477.472.701", ...ADDRESS },
      "BE SA",
      { kind: "eu_vat", id: "BE0477472701", prefix: "BE" },
    ],
    [
      "anyone else by a document of their country",
      { ...NAMED, country: "US", vatNumber: "c-1234" },
      "Ana Pérez",
      { kind: "other", idType: "04", country: "US", id: "C-1234" },
    ],
    [
      "by a passport",
      { ...NAMED, country: "IT", vatNumber: "YA1234567", idType: "03" },
      "Ana Pérez",
      { kind: "other", idType: "03", country: "IT", id: "YA1234567" },
    ],
    [
      "a Spaniard who lives abroad writes the prefix",
      { ...NAMED, country: "FR", vatNumber: "ES12345678Z" },
      "Ana Pérez",
      { kind: "nif", nif: "12345678Z", entity: false },
    ],
  ])("%s", (_, client, name, identifier) => {
    const effect = onlyIssue(decide(anOrder({ client }), DOMESTIC));
    expect(documentIn(effect)).toBe("F1 PED-1-2026");
    expect(effect.draft.identifier).toEqual(identifier);
    expect(effect.draft.document.request.recipient?.company).toBe(name);
  });

  test("the owner's entry replaces the shop's", () => {
    const wrong = { ...A_COMPANY, vatNumber: "B12345675" };
    const answers = { recipient: { vatNumber: "B12345674" } };
    expect(documentIn(onlyIssue(decide(anOrder({ client: wrong }), { answers })))).toBe("F1 PED-1-2026");
  });
});

describe("missing or wrong", () => {
  test.each<[string, ClientFacts, string]>([
    ["a wrong identifier, at any amount", { ...A_PERSON, vatNumber: "12345678A" }, "tax_identifier_invalid"],
    [
      "an id type that does not exist",
      { ...A_PERSON, vatNumber: "1", idType: "99" },
      "tax_identifier_invalid",
    ],
    [
      "an EU number of another country",
      { ...A_COMPANY, country: "FR", vatNumber: "BE0477472701" },
      "tax_identifier_invalid",
    ],
  ])("%s", (_, client, code) => {
    expect(outcomeOf(decide(anOrder({ client }), DOMESTIC))).toBe(`held ${code}`);
  });

  test.each<[string, ClientFacts, readonly string[]]>([
    [
      "a company without address",
      { company: "X SL", vatNumber: "B12345674", country: "ES" },
      ["address1", "postcode", "city"],
    ],
    ["a company without name", { ...A_COMPANY, company: " <>" }, ["company"]],
    [
      "a person without last name",
      { firstName: "Ana", vatNumber: "12345678Z", country: "ES" },
      ["last_name"],
    ],
  ])("%s", (_, client, missing) => {
    const decision = decide(anOrder({ client }));
    expect(outcomeOf(decision)).toBe("held recipient_incomplete");
    expect(decision.reasons[0]?.facts).toEqual({ missing: { all: missing.map((phrase) => ({ phrase })) } });
  });
});

describe("simplified invoices above the limit", () => {
  const order = (base: string, tax: string, client: ClientFacts = A_PERSON) =>
    anOrder({ breakdown: linesOf(`${base}+${tax}@21`), client });
  const article42 = { sales: { article42: "retail_sale" } } as const;
  const authorised = (limit: string, agreementNumber?: string): Situation => ({
    sales: { underAuthorisation: true },
    issuer: {
      authorisation: {
        number: "AUT-1",
        limit: decimal(limit),
        ...(agreementNumber === undefined ? {} : { agreementNumber }),
      },
    },
  });

  test.each<[string, OrderFacts, Situation, string]>([
    ["declared under article 4.2, up to 3,000.00", order("2479.34", "520.66"), article42, "F2 PED-1S-2026"],
    [
      "under the authorisation, up to its limit",
      order("826.45", "173.55"),
      authorised("1000"),
      "F2 PED-1S-2026",
    ],
  ])("%s", (_, facts, situation, document) => {
    expect(documentIn(onlyIssue(decide(facts, situation)))).toBe(document);
  });

  test.each<[string, OrderFacts, Situation, Fact]>([
    ["a cent more than 3,000.00", order("2479.35", "520.66"), article42, eur("3000.00")],
    ["to a company", order("826.45", "173.55", { ...A_PERSON, company: "X SL" }), article42, eur("400.00")],
    ["above the limit of the authorisation", order("826.46", "173.55"), authorised("1000"), eur("1000.00")],
    ["never above 3,000.00", order("2479.35", "520.66"), authorised("9000", "REG1"), eur("3000.00")],
    [
      "declared without an active authorisation",
      order("826.45", "173.55"),
      { sales: { underAuthorisation: true } },
      eur("400.00"),
    ],
  ])("%s: held", (_, facts, situation, limit) => {
    const decision = decide(facts, situation);
    expect(outcomeOf(decision)).toBe("held recipient_incomplete");
    expect(decision.reasons[0]?.facts).toMatchObject({ limit });
  });

  test("the document names its basis, and the record names the agreement", () => {
    const { draft } = onlyIssue(decide(order("826.45", "173.55"), authorised("1000", "REG1")));
    expect(draft.document.request.attestation).toEqual({
      legalBasis: "tax_authority_authorisation",
      buyerRole: "consumer",
      authorisation: { number: "AUT-1", limit: "1000" },
      lineIds: ["1"],
    });
    expect(draft.agreementNumber).toBe("REG1");
  });

  test("before payments, and after what went back", () => {
    const paid = anOrder({
      breakdown: linesOf("330.59+69.42@21"),
      discounts: [aDiscount("300", { kind: "gift_card" })],
    });
    expect(outcomeOf(decide(paid))).toBe("held recipient_incomplete");
    const returned = { ...order("330.59", "69.42"), events: [refundOf("r", "1+0.21@21")] };
    expect(outcomeOf(decide(returned))).toBe("invoiced");
  });

  test("recargo de equivalencia needs an identifier at any amount", () => {
    const decision = decide(anOrder({ breakdown: linesOf("10+2.62@26.2") }));
    expect(outcomeOf(decision)).toBe("held recipient_incomplete");
  });
});

describe("sales that leave the territory", () => {
  const to = (country: string, breakdown: string, more: ClientFacts = {}) =>
    anOrder({ client: { ...NAMED, country, ...more }, breakdown: linesOf(breakdown) });
  const under = (foreignSales: ForeignSales): Situation => ({
    sales: { destinations: destinationsOf(foreignSales) },
  });

  test.each<[string, OrderFacts, Situation, string]>([
    ["domestic: tax as sent", to("FR", "100+21@21"), under("domestic"), "S1 01 21"],
    ["one-stop shop: the rate of the country", to("FR", "100+20@20"), under("oss"), "N2 17 20"],
    ["export", to("US", "100+0@0"), under("export"), "E2 02 0"],
    ["to Ceuta", to("ES", "100+0@0", { postcode: "51001" }), under("export"), "E2 02 0"],
    ["the reserved code of the Canaries", to("IC", "100+0@0"), under("export"), "E2 02 0"],
    [
      "intra-Community",
      to("BE", "100+0@0", { company: "BE SA", vatNumber: "BE0477472701", ...ADDRESS }),
      under("intra_community"),
      "E5 01 0",
    ],
    [
      "0 % at home under the ground declared",
      to("ES", "100+0@0"),
      { sales: { zeroRateBasis: "N1" } },
      "N1 01 0",
    ],
    ["donations at 0 % are taxed", to("ES", "100+0@0"), { sales: { zeroRateBasis: "S1" } }, "S1 01 0"],
    [
      "the issuer's regime is that of taxed sales",
      to("ES", "100+21@21"),
      { issuer: { defaultRegime: "07" } },
      "S1 07 21",
    ],
    [
      "and not of exempt ones",
      to("ES", "100+0@0"),
      { issuer: { defaultRegime: "07" }, sales: { zeroRateBasis: "E1" } },
      "E1 01 0",
    ],
    ["no country, and rates of the territory", anOrder({ client: {} }), {}, "S1 01 21"],
    [
      "the owner has named the country",
      anOrder({ client: {}, breakdown: linesOf("100+0@0") }),
      { answers: { country: "US" }, ...under("export") },
      "E2 02 0",
    ],
    [
      "where it is delivered counts",
      { ...to("FR", "100+21@21"), delivery: { country: "ES" } },
      {},
      "S1 01 21",
    ],
    [
      "a postcode of the client says nothing of another country",
      { ...to("FR", "100+21@21", { postcode: "35001" }), delivery: { country: "ES" } },
      {},
      "S1 01 21",
    ],
  ])("%s", (_, order, situation, expected) => {
    const [group] = onlyIssue(decide(order, situation)).draft.document.groups;
    expect([group?.qualification, group?.regime, group?.rate].join(" ")).toBe(expected);
  });

  test.each<[string, OrderFacts, Situation, string]>([
    ["an export within the EU", to("FR", "100+0@0"), under("export"), "foreign_customer"],
    ["an export with tax", to("US", "100+21@21"), under("export"), "destination_conflict"],
    ["one-stop shop outside the EU", to("US", "100+20@20"), under("oss"), "foreign_customer"],
    [
      "intra-Community to a Spanish NIF",
      to("FR", "10+0@0", { vatNumber: "ES12345678Z" }),
      under("intra_community"),
      "foreign_customer",
    ],
    [
      "from the Canaries to the mainland",
      to("ES", "100+7@7", { postcode: "28001" }),
      { issuer: { territory: "canarias" } },
      "territory_review",
    ],
    ["domestic at a rate that is not ours", to("FR", "100+20@20"), under("domestic"), "destination_conflict"],
  ])("%s: held", (_, order, situation, code) => {
    expect(outcomeOf(decide(order, situation))).toBe(`held ${code}`);
  });

  test("the invoice of the one-stop shop names who bought, and its record the base alone", () => {
    const effect = onlyIssue(decide(to("FR", "100+20@20"), under("oss")));
    expect(documentIn(effect)).toBe("F2 PED-1-2026");
    expect(effect.draft.document.request.recipient).toEqual({ company: "Ana Pérez" });
    const record = recordOf(effect.draft);
    expect([record.withoutRecipient, record.recipients, record.total]).toEqual([true, undefined, "100.00"]);
  });
});

describe("the document", () => {
  test("has the lines of the shop and its reference", () => {
    const [chair] = linesOf("29.75+6.25@21");
    if (!chair) throw new Error("no line");
    const lines = [
      { ...chair, name: "Silla\u0008plegable", quantity: decimal("3") },
      { ...chair, quantity: decimal("0") },
    ];
    const { document } = onlyIssue(decide(anOrder({ reference: "W-77", breakdown: lines }))).draft;
    expect(document.request.description).toBe("Pedido W-77");
    expect(
      document.request.lines.map(({ description, quantity, priceUnit }) => [
        description,
        quantity,
        priceUnit,
      ]),
    ).toEqual([
      ["Silla plegable", "3", "9.916667"],
      ["Artículo", "1", "29.75"],
    ]);
    expect(document.lineAmounts).toEqual(["29.75", "29.75"]);
  });

  test("a record can be made of it", () => {
    const record = recordOf(onlyIssue(decide(anOrder({ client: A_COMPANY }))).draft);
    expect(record).toMatchObject({
      invoiceType: "F1",
      description: "Pedido 5001",
      recipients: [{ name: "Cliente Ejemplo SL", nif: "B12345674" }],
      breakdown: [
        { tax: "01", regime: "01", qualification: "S1", rate: "21.00", base: "100.00", taxAmount: "21.00" },
      ],
      taxTotal: "21.00",
      total: "121.00",
    });
  });

  test("five thousand lines are one invoice", () => {
    const breakdown = linesOf(Array.from({ length: 5000 }, () => "0.8264+0.1736@21").join(" "));
    const { draft } = onlyIssue(decide(anOrder({ breakdown, client: A_COMPANY })));
    expect([draft.document.request.lines.length, draft.document.totals.total]).toEqual([5000, "5000"]);
  });
});

function recordOf(draft: ReturnType<typeof onlyIssue>["draft"]) {
  return registrationOf(
    draft,
    { fullNumber: "PED-1-2026-000001", issueDate: TODAY },
    {
      reference: "is1-1",
      chain: { first: true },
      system: {
        producerName: "Productor Ficticio SL",
        producerNif: "B12345674",
        name: "Cuadre",
        code: "CU",
        version: "1.0.0",
        installationNumber: "1",
        verifactuOnly: true,
        multipleIssuersPossible: true,
        multipleIssuers: false,
      },
      generatedAt: "2026-11-27T12:00:00+01:00",
    },
  );
}

test("an order that asks for a full invoice in its first payload gets one", () => {
  const first = { isCandidate: false, asksFullInvoice: true, client: A_COMPANY };
  const decision = decide(anOrder(first));
  expect([outcomeOf(decision), documentIn(onlyIssue(decision))]).toEqual(["invoiced", "F1 PED-1-2026"]);
});
