/** Which requests are one and the same, and which are not: what decides between replay and conflict. */
import { describe, expect, test } from "vitest";
import { canonicalRequest, fingerprintOf, prepareInvoice } from "../../../src/domain/invoice/prepare.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { issueAll, outcomeOf } from "../../support/builders/direct-invoicing.ts";
import { aRequest, linesOf } from "../../support/builders/requests.ts";
import { sentInvoice } from "../../support/builders/sent-bodies.ts";

const BODY = `{
  "external_id": "e1", "invoice_type": "F1", "description": "Reparación", "currency": "EUR",
  "recipient": { "company": "Cliente SL", "vat_number": "B12345674", "country": "ES",
    "address1": "Calle 1", "postcode": "28001", "city": "Madrid" },
  "lines": [
    { "line_id": "l1", "description": "Silla", "quantity": 2, "price_unit": 49.95, "tax_rate": 21 },
    { "line_id": "l2", "description": "Porte", "quantity": 1, "price_unit": 6.5, "tax_rate": 21 } ] }`;

const TICKET = `{ "external_id": "e1", "invoice_type": "F2", "description": "Venta", "currency": "EUR",
  "lines": [ { "line_id": "l1", "description": "Silla", "quantity": 1, "price_unit": 300, "tax_rate": 21 },
    { "line_id": "l2", "description": "Mesa", "quantity": 1, "price_unit": 300, "tax_rate": 21 } ],
  "simplified_attestation": { "legal_basis": "article_4_2", "buyer_role": "consumer", "line_ids": ["l1", "l2"] } }`;

const REFUND = `{ "external_id": "e1", "invoice_type": "R1", "description": "Devolución", "currency": "USD",
  "exchange_rate": 1.1, "exchange_rate_date": "2026-11-26", "rectification_method": "difference",
  "rectifies": [ { "external_id": "e7" }, { "external_id": "e8" } ],
  "recipient": { "company": "Acme", "vat_number": "98-7654321", "country": "US", "id_type": "04" },
  "lines": [ { "description": "Silla", "quantity": -1, "price_unit": 49.95, "tax_rate": 21 } ] }`;

describe("the same request in another spelling", () => {
  test.each<[string, string, (body: string) => string]>([
    ["white space", BODY, (body) => body.replace(/\s*\n\s*/g, "")],
    ["order of members", BODY, (body) => JSON.stringify(reversed(JSON.parse(body)))],
    ["49.95 as 49.950", BODY, replacing("49.95", "49.950")],
    ["49.95 as 4.995e1", BODY, replacing("49.95", "4.995e1")],
    ["2 as 2.0", BODY, replacing('"quantity": 2', '"quantity": 2.0')],
    ["21 as 21.00", BODY, replacing('"tax_rate": 21 }', '"tax_rate": 21.00 }')],
    ["spaces around a text", BODY, replacing('"Reparación"', '"  Reparación "')],
    ["an accent as two characters", BODY, replacing("Reparación", "Reparacio\\u0301n")],
    ["an escape instead of the character", BODY, replacing("Reparación", "Reparaci\\u00f3n")],
    ["null for absent", BODY, adding('"operation_date": null')],
    ["an empty set of flags", BODY, adding('"documentary_flags": []')],
    ["an empty list of references", BODY, adding('"rectifies": []')],
    ["the default regime of the type", BODY, adding('"documentary_regime": "art6_full"')],
    ["prices without tax, said", BODY, adding('"prices_include_tax": false')],
    ["S1, said", BODY, replacing('"tax_rate": 21 }', '"tax_rate": 21, "qualification": "S1" }')],
    ["a discount of 0", BODY, replacing('"tax_rate": 21 }', '"tax_rate": 21, "discount_rate": 0 }')],
    [
      "a surcharge of 0.00",
      BODY,
      replacing('"tax_rate": 21 }', '"tax_rate": 21, "equivalence_surcharge_rate": 0.00 }'),
    ],
    ["a withholding of 0", BODY, adding('"withholding": { "rate": 0 }')],
    ["an empty list of disbursements", BODY, adding('"disbursements": []')],
    ["a rate of 1 in euros", BODY, adding('"exchange_rate": 1, "exchange_rate_date": "2026-11-20"')],
    ["the NIF with prefix", BODY, replacing("B12345674", "ESB12345674")],
    ["the NIF with spaces, dots, hyphens, in lower case", BODY, replacing("B12345674", " es-b12.345.674 ")],
    ["an empty recipient for none", TICKET, adding('"recipient": {}')],
    ["a recipient of nulls for none", TICKET, adding('"recipient": { "company": null }')],
    ["line_ids in another order", TICKET, replacing('["l1", "l2"]', '["l2", "l1"]')],
    ["the default regime of F2", TICKET, adding('"documentary_regime": "art7_simplified"')],
    ["spaces around another identifier", REFUND, replacing("98-7654321", " 98-7654321 ")],
    ["a rate of 1.1 as 1.10", REFUND, replacing("1.1,", "1.10,")],
  ])("%s", (_, body, change) => {
    expect(change(body)).not.toBe(body);
    expect(fingerprint(change(body))).toBe(fingerprint(body));
  });

  test.each(["0477472701", " be 0477.472.701 ", "BE 0477 472 701"])("BE0477472701 as %s", (text) => {
    const belgian = (vatNumber: string) =>
      replacing('"B12345674", "country": "ES"', `"${vatNumber}", "country": "BE"`)(BODY);
    expect(fingerprint(belgian(text))).toBe(fingerprint(belgian("BE0477472701")));
    const typed = replacing('"country": "BE"', '"country": "BE", "id_type": "02"')(belgian(text));
    expect(fingerprint(typed)).toBe(fingerprint(belgian("BE0477472701")));
  });

  test("flags are a set", () => {
    const [qualified, unnamed] = ["qualified_simplified_art_7_2_3", "no_recipient_article_6_1_d"] as const;
    const one = fingerprintOf(aRequest("e1", { flags: [qualified, unnamed] }));
    expect(fingerprintOf(aRequest("e1", { flags: [unnamed, qualified, unnamed] }))).toBe(one);
  });
});

describe("another request", () => {
  test.each<[string, string, (body: string) => string]>([
    ["another quantity", BODY, replacing('"quantity": 2', '"quantity": 3')],
    ["another price, by a millionth", BODY, replacing("49.95", "49.950001")],
    ["another rate", BODY, replacing('"tax_rate": 21 }', '"tax_rate": 10 }')],
    ["another description", BODY, replacing("Reparación", "Reparacion")],
    ["another case", BODY, replacing("Reparación", "reparación")],
    ["double spaces inside", BODY, replacing("Cliente SL", "Cliente  SL")],
    [
      "another order of lines",
      BODY,
      (body) => JSON.stringify({ ...JSON.parse(body), lines: JSON.parse(body).lines.reverse() }),
    ],
    ["another line_id", BODY, replacing('"l2"', '"l3"')],
    ["no line_id", BODY, replacing('"line_id": "l2", ', "")],
    [
      "type_tax said, although it is the default",
      BODY,
      replacing('"tax_rate": 21 }', '"tax_rate": 21, "type_tax": "01" }'),
    ],
    [
      "regime said, although it is the default",
      BODY,
      replacing('"tax_rate": 21 }', '"tax_rate": 21, "regime": "01" }'),
    ],
    ["a discount", BODY, replacing('"tax_rate": 21 }', '"tax_rate": 21, "discount_rate": 5 }')],
    ["prices with tax", BODY, adding('"prices_include_tax": true')],
    ["a withholding", BODY, adding('"withholding": { "rate": 15 }')],
    ["a margin", BODY, replacing('"tax_rate": 21 }', '"tax_rate": 21, "taxable_margin": 1 }')],
    ["a disbursement", BODY, adding('"disbursements": [{ "description": "Tasa", "amount": 10 }]')],
    ["an operation date", BODY, adding('"operation_date": "2026-11-20"')],
    ["another recipient", BODY, replacing("B12345674", "A58818501")],
    ["another address", BODY, replacing("Calle 1", "Calle 2")],
    ["another kind of identifier", REFUND, replacing('"04"', '"06"')],
    ["another type of invoice", REFUND, replacing('"R1"', '"R4"')],
    ["another method", REFUND, replacing('"difference"', '"substitution"')],
    ["other references", REFUND, replacing('"e8"', '"e9"')],
    [
      "another order of references",
      REFUND,
      replacing(
        '[ { "external_id": "e7" }, { "external_id": "e8" } ]',
        '[ { "external_id": "e8" }, { "external_id": "e7" } ]',
      ),
    ],
    ["another exchange rate", REFUND, replacing("1.1,", "1.11,")],
    ["a rate of another day", REFUND, replacing("2026-11-26", "2026-11-25")],
    ["another currency", REFUND, replacing("USD", "GBP")],
    ["another basis", TICKET, replacing('"article_4_2"', '"tax_authority_authorisation"')],
    ["another buyer", TICKET, replacing('"consumer"', '"professional"')],
    ["other lines attested", TICKET, replacing('["l1", "l2"]', '["l1"]')],
    ["a line attested twice", TICKET, replacing('["l1", "l2"]', '["l1", "l2", "l2"]')],
    ["an operation stated", TICKET, replacing('"consumer",', '"consumer", "operation": "parking",')],
  ])("%s", (_, body, change) => {
    expect(change(body)).not.toBe(body);
    expect(fingerprint(change(body))).not.toBe(fingerprint(body));
  });
});

describe("the canonical form", () => {
  test.each([BODY, TICKET, REFUND, replacing("B12345674", "es b-12345674")(BODY)])(
    "is its own canonical form",
    (body) => {
      const once = canonicalRequest(sentInvoice(body));
      expect(canonicalRequest(once)).toEqual(once);
      expect(fingerprintOf(once)).toBe(fingerprint(body));
    },
  );

  test.each<[string, InvoiceRequest["recipient"]]>([
    ["a wrong NIF", { company: "X", vatNumber: "b-123", country: "ES" }],
    ["GB with type 02", { company: "X", vatNumber: "gb 123456789", country: "GB", idType: "02" }],
    ["XI", { company: "X", vatNumber: "xi 123456789", country: "GB" }],
    ["Greece", { company: "X", vatNumber: "gr123456789", country: "GR" }],
    ["07", { company: "X", vatNumber: "12345678-z", country: "ES", idType: "07" }],
  ])("also with %s", (_, recipient) => {
    const once = canonicalRequest({ ...aRequest("e1"), ...(recipient ? { recipient } : {}) });
    expect(canonicalRequest(once)).toEqual(once);
    expect(fingerprintOf(once)).toBe(fingerprintOf({ ...once, ...(recipient ? { recipient } : {}) }));
  });
});

describe("replay and conflict", () => {
  const after = issueAll([aRequest("e1")]);

  test.each<[string, InvoiceRequest, string]>([
    ["the same", aRequest("e1"), "replayed"],
    ["in another spelling", sentAgain(), "replayed"],
    ["another one under the same external_id", aRequest("e1", { lines: linesOf("2x100@21") }), "conflict"],
    ["a combination that the law would refuse", aRequest("e1", { lines: linesOf("1x100@5") }), "conflict"],
    ["the same under another external_id", aRequest("E1"), "issued"],
  ])("%s", (_, request, expected) => {
    expect(outcomeOf(request, { after })).toBe(expected);
  });

  test("in one group the first is issued and the others are its replays", () => {
    const { outcomes, records } = issueAll([
      aRequest("e1"),
      aRequest("e1"),
      aRequest("e1", { description: "X" }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["issued", "replayed", "conflict"]);
    expect(records).toHaveLength(1);
  });

  test("a fingerprint of an earlier release is compared again by today's rules", () => {
    const invoices = new Map(
      [...after.invoices].map(([externalId, { view, rectifiable }]) => {
        const document = { ...view.document, fingerprint: "of another release" };
        return [externalId, { rectifiable, view: { ...view, document } }];
      }),
    );
    expect(outcomeOf(aRequest("e1"), { after: { ...after, invoices } })).toBe("replayed");
    expect(outcomeOf(aRequest("e1", { description: "X" }), { after: { ...after, invoices } })).toBe(
      "conflict",
    );
  });

  test("a refused external_id is free", () => {
    expect(outcomeOf([aRequest("e1", { lines: linesOf("1x1@5") }), aRequest("e1")])).toBe("issued");
  });
});

function fingerprint(body: string): string {
  return prepareInvoice(sentInvoice(body)).fingerprint;
}

function replacing(text: string, by: string) {
  return (body: string) => body.replaceAll(text, by);
}

function adding(members: string) {
  return (body: string) => body.replace("{", `{ ${members},`);
}

/** The members of every object from last to first. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

function sentAgain(): InvoiceRequest {
  const recipient = { ...aRequest("e1").recipient, vatNumber: "es b-12345674" };
  return aRequest("e1", { recipient, lines: linesOf("1.0x1e2@21.00") });
}
