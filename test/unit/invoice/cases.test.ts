/** Faults that were reported of other programs; each name begins with the id of its case. */
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { InvoiceRequest, RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { verifyChain } from "../../../src/domain/verifactu/chain.ts";
import { qrUrl } from "../../../src/domain/verifactu/record.ts";
import {
  altaOf,
  groupsIn,
  issueAll,
  issued,
  outcomeOf,
  recordTotalsIn,
  refusalOf,
  totalsIn,
  viewOf,
} from "../../support/builders/direct-invoicing.ts";
import { all, anyPercent, percent } from "../../support/builders/facts.ts";
import { A_RECIPIENT, aRequest, aTicket, correcting, linesOf } from "../../support/builders/requests.ts";
import { sentInvoice } from "../../support/builders/sent-bodies.ts";

test.each([
  ["after an hour", "2026-11-27T13:00:00+01:00"],
  ["after 40 days, in another year", "2027-01-06T12:00:00+01:00"],
])("P03 the answer was lost and the request is sent again %s: same number, date and QR", (_, now) => {
  const first = issueAll([aRequest("e1")]);
  const second = issueAll([aRequest("e1")], { after: first, now });
  expect(second.outcomes).toEqual([{ outcome: "replayed", invoice: first.outcomes.map(viewOf)[0] }]);
  expect(second.records).toEqual([]);
});

describe("P05 the library sends the key again with other formatting", () => {
  const line = `{ "description": "Silla", "quantity": 1, "price_unit": 100, "tax_rate": 21 }`;
  const desk = `{ "description": "Mesa", "quantity": 1, "price_unit": 200, "tax_rate": 21 }`;
  const body = (lines: string) =>
    `{ "external_id": "e1", "invoice_type": "F2", "description": "Venta", "currency": "EUR", "lines": [${lines}] }`;

  test.each([
    [
      "keys in another order",
      `{ "tax_rate": 21, "price_unit": 100, "quantity": 1, "description": "Silla" }, ${desk}`,
      "replayed",
    ],
    ["100.00 for 100", `${line.replace("100", "100.00")}, ${desk}`, "replayed"],
    ["quantity 2 for 1", `${line.replace('"quantity": 1', '"quantity": 2')}, ${desk}`, "conflict"],
    ["lines in another order", `${desk}, ${line}`, "conflict"],
  ])("%s: %s", (_, lines, expected) => {
    const after = issueAll([sentInvoice(body(`${line}, ${desk}`))]);
    expect(outcomeOf(sentInvoice(body(lines)), { after })).toBe(expected);
  });
});

test("P09 three in one second, then three more: each is chained to the one before it", () => {
  const first = issueAll([aRequest("e1"), aTicket("e2"), aRequest("e3")]);
  const second = issueAll([aRequest("e4"), aTicket("e5"), aRequest("e6")], { after: first });
  const records = [...first.records, ...second.records];
  expect(new Set(records.map(({ content }) => content.generatedAt)).size).toBe(1);
  expect(records.map(({ content }) => (content.chain.first ? undefined : content.chain.hash))).toEqual([
    undefined,
    ...records.slice(0, -1).map(({ hash }) => hash),
  ]);
  expect(verifyChain(records)).toEqual({ ok: true, value: { checked: 6 } });
});

test.each<[string, string, string, string]>([
  [
    "P13 1757.50 at 21 %: 369.075 is 369.08",
    "1x1757.50@21",
    "1757.50 / 369.08 / 2126.58",
    "369.08 / 2126.58",
  ],
  [
    "P17 the price is not rounded before it is multiplied",
    "6x4.6546@21",
    "27.93 / 5.87 / 33.80",
    "5.87 / 33.80",
  ],
  ["P21 8500 - 7500 and its tax", "1x8500@21 1x-7500@21", "1000.00 / 210.00 / 1210.00", "210.00 / 1210.00"],
  [
    "P23 a) 13 lines of one rate are one group",
    Array(13).fill("1x10@21").join(" "),
    "130.00 / 27.30 / 157.30",
    "27.30 / 157.30",
  ],
])("%s", (_, text, totals, record) => {
  const view = issued(aRequest("e1", { lines: linesOf(text) }));
  expect([totalsIn(view), recordTotalsIn(view)]).toEqual([totals, record]);
  const [nif, number, total] = ["B58378431", "API-1-2026-000001", record.split(" / ")[1]];
  expect(qrOf(view)).toContain(`ValidarQR?nif=${nif}&numserie=${number}&fecha=27-11-2026&importe=${total}`);
});

test("P15 a gift of another rate stays with its rate", () => {
  const view = issued(aRequest("e1", { lines: linesOf("1x31.50@4 1x4.13@21 1x-4.13@21 1x4.00@21") }));
  expect(groupsIn(view)).toEqual(["4: 31.50 / 1.26", "21: 4.00 / 0.84"]);
  expect(totalsIn(view)).toBe("35.50 / 2.10 / 37.60");
});

test("P23 b) 13 different groups are refused before a number is spent", () => {
  const lines = [
    ...linesOf("1x1@0 1x1@4 1x1@10 1x1@21"),
    ...linesOf("1x1@4 1x1@10 1x1@21", { regime: "18" }),
    ...linesOf("1x1@0", { qualification: "E1" }),
    ...linesOf("1x1@0", { qualification: "N1" }),
    ...linesOf("1x1@0", { qualification: "N2" }),
    ...linesOf("1x1@0", { qualification: "S2" }),
    ...linesOf("1x1@21", { surchargeRate: decimal("5.2") }),
  ];
  const [thirteenth] = linesOf("1x1@10", { surchargeRate: decimal("1.4") });
  expect(outcomeOf(aRequest("e1", { lines }))).toBe("issued");
  const many = aRequest("e1", { lines: [...lines, ...(thirteenth ? [thirteenth] : [])] });
  expect(refusalOf(many)).toEqual({ code: "too_many_tax_groups", facts: { count: "13" } });
  expect(issued([aRequest("e0")], { after: issueAll([many]) }).number).toBe(1);
});

test("P47 an F1 returned in full is rectified by R1, although -500 is below 400", () => {
  const back = { lines: linesOf("-1x500@21") };
  const after = issueAll([aRequest("e1", { lines: linesOf("1x500@21") })]);
  expect(outcomeOf(correcting(aTicket("e2", back), ["e1"]), { after })).toBe(
    "rectified_invoice_type_mismatch",
  );
  const view = issued(correcting(aRequest("e2", back), ["e1"]), { after });
  expect([view.series, totalsIn(view)]).toEqual(["API-1R-2026", "-500.00 / -105.00 / -605.00"]);
});

test.each([
  ["P53 a) 400.00 with tax is simplified", "1x330.58@21", "330.58 / 69.42 / 400.00"],
  ["P53 b) 400.01 is not", "1x330.59@21", "simplified_limit_exceeded"],
])("%s", (_, text, expected) => {
  const request = aTicket("e1", { lines: linesOf(text) });
  const outcome = outcomeOf(request);
  expect(outcome === "issued" ? totalsIn(issued(request)) : outcome).toBe(expected);
});

test.each<[string, readonly string[], object]>([
  ["lists L1 only", ["L1"], { phrase: "lines_missing", lines: all("L2") }],
  ["lists L1, L2 and L3", ["L1", "L2", "L3"], { phrase: "lines_unknown", lines: all("L3") }],
  ["lists L1 twice", ["L1", "L1", "L2"], { phrase: "lines_repeated", lines: all("L1") }],
])("P55 an attestation of two lines, 484.00 in all, that %s", (_, lineIds, finding) => {
  const lines = [...linesOf("1x200@21", { lineId: "L1" }), ...linesOf("1x200@21", { lineId: "L2" })];
  const attestation = { legalBasis: "article_4_2", buyerRole: "consumer", lineIds } as const;
  expect(refusalOf(aTicket("e1", { lines, attestation }))).toMatchObject({
    code: "attestation_lines_mismatch",
    facts: { detail: { each: [finding] } },
  });
});

test.each<[string, InvoiceRequest["recipient"], string, string | undefined]>([
  [
    "an Italian with a passport",
    { company: "Anna", vatNumber: "YA1234567", country: "IT" },
    "tax_identifier_type_required",
    undefined,
  ],
  [
    "the same with its type",
    { company: "Anna", vatNumber: "YA1234567", country: "IT", idType: "03" },
    "issued",
    undefined,
  ],
  [
    "a British company without identifier",
    { company: "Acme Ltd", country: "GB" },
    "recipient_required",
    "vat_number id_type",
  ],
])("P59 %s", (_, recipient, expected, missing) => {
  const request = { ...aRequest("e1", { lines: linesOf("1x50@21") }), ...(recipient ? { recipient } : {}) };
  expect(outcomeOf(request)).toBe(expected);
  if (missing !== undefined) expect(refusalOf(request).facts).toEqual({ missing: all(missing) });
});

describe("P61 goods and their transport exported under regime 02", () => {
  const to = { company: "Acme Inc", vatNumber: "98-7654321", country: "US", idType: "04" } as const;

  test.each<[string, RequestLine["qualification"], string]>([
    ["both exempt", "E2", "issued"],
    ["the transport not subject, in the same regime", "N2", "regime_not_allowed"],
  ])("%s", (_, qualification, expected) => {
    const lines = [
      ...linesOf("1x60@0", { qualification: "E2", regime: "02" }),
      ...linesOf("1x20@0", { qualification, regime: "02" }),
    ];
    const request = aRequest("e1", { recipient: to, lines });
    expect(outcomeOf(request)).toBe(expected);
    if (expected === "issued") expect(recordTotalsIn(issued(request))).toBe("0.00 / 80.00");
  });
});

test.each(["5", "7.5", "2"])("P63 %s %% is no rate of 2026", (rate) => {
  expect(refusalOf(aRequest("e1", { lines: linesOf(`1x100@${rate}`, { tax: "01" }) }))).toMatchObject({
    code: "tax_rate_not_allowed",
    facts: {
      rate: percent(rate),
      date: { date: "2026-11-27" },
      fix: { phrase: "use_rate", rates: anyPercent("0 4 10 21") },
    },
  });
});

test("P67 the surcharge is in CuotaTotal and in the total, in the regime of the issuer", () => {
  const view = issued(aRequest("e1", { lines: linesOf("1x100@21", { surchargeRate: decimal("5.2") }) }));
  expect([totalsIn(view), recordTotalsIn(view)]).toEqual([
    "100.00 / 21.00 + 5.20 / 126.20",
    "26.20 / 126.20",
  ]);
  expect(altaOf(view).breakdown).toMatchObject([
    { regime: "01", taxAmount: "21.00", surchargeRate: "5.20", surchargeAmount: "5.20" },
  ]);
});

test.each([
  ["21", "5.2", "issued"],
  ["21", "1.75", "issued"],
  ["10", "1.4", "issued"],
  ["4", "0.5", "issued"],
  ["21", "1.4", "surcharge_not_allowed"],
  ["10", "5.2", "surcharge_not_allowed"],
  ["4", "1.4", "surcharge_not_allowed"],
  ["0", "0.5", "surcharge_not_allowed"],
])("P67 %s %% with a surcharge of %s %%: %s", (rate, surcharge, expected) => {
  const lines = linesOf(`1x100@${rate}`, { surchargeRate: decimal(surcharge) });
  expect(outcomeOf(aRequest("e1", { lines }))).toBe(expected);
});

test("P69 withholding is printed and returned, and in neither record nor QR", () => {
  const view = issued(aRequest("e1", { lines: linesOf("1x1393.50@21"), withholdingRate: decimal("15") }));
  expect(totalsIn(view)).toBe("1393.50 / 292.64 / 1686.14");
  expect(view.document.withholding).toBe("209.03");
  expect(recordTotalsIn(view)).toBe("292.64 / 1686.14");
  expect(qrOf(view)).toContain("importe=1686.14");
});

describe("P71 long names and bad characters", () => {
  const named = (company: string) => aRequest("e1", { recipient: { ...A_RECIPIENT, company } });

  test("a name of 130 with an emoji at 120 is cut before the emoji in the record and kept whole in print", () => {
    const company = `${"a".repeat(119)}😀${"b".repeat(9)}`;
    const view = issued(named(company));
    expect(altaOf(view).recipients).toEqual([{ name: "a".repeat(119), nif: "B12345674" }]);
    expect(view.document.request.recipient?.company).toBe(company);
  });

  test("a description of 600 is cut at 500 in the record", () => {
    const view = issued(aRequest("e1", { description: "d".repeat(600) }));
    expect(altaOf(view).description).toBe("d".repeat(500));
    expect(view.document.request.description).toBe("d".repeat(600));
  });

  test.each([
    ["become spaces, and runs of spaces one", `Zapatos "El <Rey>" = 'S.L.'`, "Zapatos El Rey S.L."],
    ["leave & alone", "Pérez & Hijos", "Pérez & Hijos"],
  ])("characters that the AEAT refuses %s", (_, company, name) => {
    const view = issued(named(company));
    expect(altaOf(view).recipients).toEqual([{ name, nif: "B12345674" }]);
    expect(view.document.request.recipient?.company).toBe(company);
  });

  test("control characters are no text", () => {
    const body = `{ "external_id": "e1", "invoice_type": "F2", "description": "a\\u0008b", "currency": "EUR",
      "lines": [ { "description": "x", "quantity": 1, "price_unit": 1, "tax_rate": 21 } ] }`;
    expect(() => sentInvoice(body)).toThrow();
    expect(sentInvoice(body.replace("\\u0008", "")).description).toBe("ab");
  });
});

test("P73 half past midnight in Madrid is the new year in record, QR and series alike", () => {
  const view = issued(aRequest("e1"), { now: "2026-12-31T23:30:00Z" });
  expect([view.issueDate, view.fullNumber]).toEqual(["2027-01-01", "API-1-2027-000001"]);
  expect(view.alta.record.content).toMatchObject({
    key: { number: "API-1-2027-000001", date: "01-01-2027" },
    generatedAt: "2027-01-01T00:30:00+01:00",
  });
  expect(qrOf(view)).toContain("numserie=API-1-2027-000001&fecha=01-01-2027");
});

test("P73 rates are those of that day too", () => {
  const request = aRequest("e1", { lines: linesOf("1x100@2") });
  expect(outcomeOf(request, { now: "2024-12-31T22:30:00Z" })).toBe("issued");
  expect(outcomeOf(request, { now: "2024-12-31T23:30:00Z" })).toBe("tax_rate_not_allowed");
  const dated = { ...request, operationDate: civilDate("2024-12-31") };
  expect(outcomeOf(dated, { now: "2024-12-31T23:30:00Z" })).toBe("issued");
});

function qrOf(view: InvoiceView): string {
  const { key, total } = altaOf(view);
  return qrUrl({ environment: view.environment, key, total });
}
