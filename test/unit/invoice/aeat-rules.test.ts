/**
 * What the AEAT would reject is refused before a number is spent. One row per error of the AEAT that a request can
 * cause; what the census, VIES and the AEAT's own registers know no request shows.
 */
import { describe, expect, test } from "vitest";
import type { InvoiceRequest, Recipient, RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  altaOf,
  issueAll,
  issued,
  outcomeOf,
  recordTotalsIn,
  viewOf,
} from "../../support/direct-invoicing.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  anUnnamed,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/requests.ts";
import { shapeProblems } from "../../support/sent-invoice.ts";

const TOWN_HALL = { ...A_RECIPIENT, vatNumber: "P2807900B" };
const LATER = { operationDate: civilDate("2027-03-01") };
const NAMED = { company: "Cliente", country: "US", vatNumber: "98-7654321" } as const;

describe("identification", () => {
  test.each<[number, string, Partial<Recipient>, string]>([
    [
      1100,
      "a name of which the record keeps nothing",
      { ...A_RECIPIENT, company: `<>"` },
      "recipient_required",
    ],
    [
      1103,
      "02 that has not the form of its country",
      { ...AN_EU_RECIPIENT, vatNumber: "BE1" },
      "tax_identifier_invalid",
    ],
    [
      1103,
      "an identifier of 21 characters",
      { ...NAMED, idType: "04", vatNumber: "1".repeat(21) },
      "tax_identifier_invalid",
    ],
    [1111, "04 without country", { company: "X", idType: "04", vatNumber: "1" }, "recipient_required"],
    [
      1122,
      "02 whose prefix is not its country",
      { ...AN_EU_RECIPIENT, country: "DE" },
      "tax_identifier_invalid",
    ],
    [1126, "04 of Spain", { ...NAMED, country: "ES", idType: "04" }, "tax_identifier_invalid"],
    [
      1126,
      "07 of another country",
      { ...NAMED, idType: "07", vatNumber: "12345678Z" },
      "tax_identifier_invalid",
    ],
    [1131, "07 of a company", { ...A_RECIPIENT, idType: "07" }, "tax_identifier_invalid"],
    [1189, "F1 to nobody", {}, "recipient_required"],
    [
      1287,
      "an identifier with characters that a record does not take",
      { ...NAMED, idType: "04", vatNumber: "<1>" },
      "tax_identifier_invalid",
    ],
    [
      1239,
      "a NIF with a wrong control character",
      { ...A_RECIPIENT, vatNumber: "B12345670" },
      "tax_identifier_invalid",
    ],
    [
      1239,
      "07 with a wrong control character",
      { ...A_RECIPIENT, vatNumber: "12345678A", idType: "07" },
      "tax_identifier_invalid",
    ],
    [1239, "an identifier of unknown kind", NAMED, "tax_identifier_type_required"],
  ])("%i %s", (_, __, recipient, expected) => {
    expect(outcomeOf(aRequest("e1", { recipient }))).toBe(expected);
  });

  test.each<[number, string, InvoiceRequest, string]>([
    [
      1156,
      "02 on F2",
      aTicket("e1", { recipient: { ...AN_EU_RECIPIENT, idType: "02" } }),
      "recipient_not_allowed",
    ],
    [1190, "a recipient on F2", aTicket("e1", { recipient: A_RECIPIENT }), "recipient_not_allowed"],
    [
      1190,
      "a recipient on R5",
      correcting(aTicket("e1", { recipient: A_RECIPIENT }), [], {
        rectifies: [elsewhere({ invoiceType: "F2" })],
      }),
      "recipient_not_allowed",
    ],
    [
      1205,
      "regime 10 to another than a NIF",
      aRequest("e1", {
        recipient: { ...NAMED, idType: "04" },
        lines: linesOf("1x1@0", { regime: "10", qualification: "N1" }),
      }),
      "recipient_type_not_allowed",
    ],
    [
      1149,
      "regime 14 to another than a public body",
      aRequest("e1", { ...LATER, lines: linesOf("1x1@21", { regime: "14" }) }),
      "recipient_type_not_allowed",
    ],
    [
      1289,
      "E5 to a NIF",
      aRequest("e1", { lines: linesOf("1x1@0", { qualification: "E5" }) }),
      "recipient_type_not_allowed",
    ],
    [
      1254,
      "XI before 2021",
      aRequest("e1", {
        recipient: { ...A_RECIPIENT, country: "GB", vatNumber: "XI123456789" },
        operationDate: civilDate("2020-12-31"),
      }),
      "recipient_type_not_allowed",
    ],
    [
      1255,
      "GB after January 2021",
      aRequest("e1", {
        recipient: { ...A_RECIPIENT, country: "GB", vatNumber: "GB123456789", idType: "02" },
      }),
      "recipient_type_not_allowed",
    ],
  ])("%i %s", (_, __, request, expected) => {
    expect(outcomeOf(request)).toBe(expected);
  });
});

describe("types, blocks and dates", () => {
  test.each<[number, string, InvoiceRequest, string]>([
    [
      1100,
      "a description of which the record keeps nothing",
      aRequest("e1", { description: "<<>>" }),
      "description_without_text",
    ],
    [
      1112,
      "a rectified invoice of tomorrow",
      correcting(aRequest("e1", { operationDate: civilDate("2026-11-27") }), [], {
        rectifies: [elsewhere({ issueDate: civilDate("2026-11-28") })],
      }),
      "rectified_reference_invalid",
    ],
    [
      1125,
      "an operation after the next year",
      aRequest("e1", { operationDate: civilDate("2028-01-01"), lines: linesOf("1x1@21", { regime: "15" }) }),
      "operation_date_not_allowed",
    ],
    [
      1134,
      "an operation of more than 20 years ago",
      aRequest("e1", { operationDate: civilDate("2006-11-26") }),
      "operation_date_not_allowed",
    ],
    [
      1146,
      "an operation after the issue, outside regimes 14 and 15",
      aRequest("e1", { operationDate: civilDate("2026-11-28") }),
      "operation_date_not_allowed",
    ],
    [
      1173,
      "an operation in the future, with a line outside them",
      aRequest("e1", { ...LATER, lines: [...linesOf("1x1@21", { regime: "15" }), ...linesOf("1x1@21")] }),
      "operation_date_not_allowed",
    ],
    [
      1147,
      "regime 14 without a later operation",
      aRequest("e1", { recipient: TOWN_HALL, lines: linesOf("1x1@21", { regime: "14" }) }),
      "operation_date_not_allowed",
    ],
    [
      1148,
      "regime 14 on F2",
      aTicket("e1", { ...LATER, lines: linesOf("1x1@21", { regime: "14" }) }),
      "regime_not_allowed",
    ],
    [
      1150,
      "F2 above 3,000.00",
      aTicket("e1", {
        lines: linesOf("1x3000.01@0", { lineId: "l" }),
        attestation: { legalBasis: "article_4_2", buyerRole: "consumer", lineIds: ["l"] },
      }),
      "article_4_2_ceiling_exceeded",
    ],
    [
      1183,
      "the flag of qualified ones on F2",
      aTicket("e1", { flags: ["qualified_simplified_art_7_2_3"] }),
      "documentary_regime_mismatch",
    ],
    [
      1185,
      "the flag of 6.1.d on F1",
      aRequest("e1", { flags: ["no_recipient_article_6_1_d"] }),
      "documentary_regime_mismatch",
    ],
    [
      4113,
      "13 groups",
      aRequest("e1", {
        lines: linesOf(Array.from({ length: 13 }, (_, rate) => `1x1@${rate}`).join(" "), { tax: "05" }),
      }),
      "too_many_tax_groups",
    ],
    [
      1267,
      "a total of 13 digits",
      aRequest("e1", { lines: linesOf("1x999999999999@21") }),
      "total_out_of_range",
    ],
  ])("%i %s", (_, __, request, expected) => {
    expect(outcomeOf(request)).toBe(expected);
  });
});

describe("tax", () => {
  test.each<[number, string, string, Partial<RequestLine>, string]>([
    [1124, "a rate that IVA never had", "1x1@8", {}, "tax_rate_not_allowed"],
    [1194, "5 % after September 2024", "1x1@5", {}, "tax_rate_not_allowed"],
    [1235, "2 % after 2024", "1x1@2", {}, "tax_rate_not_allowed"],
    [1236, "7.5 % after 2024", "1x1@7.5", {}, "tax_rate_not_allowed"],
    [
      1127,
      "a surcharge that does not exist",
      "1x1@21",
      { surchargeRate: decimal("3") },
      "surcharge_not_allowed",
    ],
    [1160, "0.5 % with 5 % in 2026", "1x1@10", { surchargeRate: decimal("0.5") }, "surcharge_not_allowed"],
    [1162, "a wrong one with 21 %", "1x1@21", { surchargeRate: decimal("1.4") }, "surcharge_not_allowed"],
    [1163, "a wrong one with 10 %", "1x1@10", { surchargeRate: decimal("5.2") }, "surcharge_not_allowed"],
    [1164, "a wrong one with 4 %", "1x1@4", { surchargeRate: decimal("1.4") }, "surcharge_not_allowed"],
    [1165, "one with 0 %", "1x1@0", { surchargeRate: decimal("0.26") }, "surcharge_not_allowed"],
    [
      1281,
      "one with reverse charge",
      "1x1@0",
      { qualification: "S2", surchargeRate: decimal("5.2") },
      "surcharge_not_allowed",
    ],
    [1182, "E7 of IVA", "1x1@0", { qualification: "E7" }, "qualification_rate_mismatch"],
    [1198, "S2 with a rate", "1x1@21", { qualification: "S2" }, "qualification_rate_mismatch"],
    [1207, "tax with N1", "1x1@21", { qualification: "N1" }, "qualification_rate_mismatch"],
    [1237, "a rate with N2", "1x1@21", { qualification: "N2" }, "qualification_rate_mismatch"],
    [1238, "a rate with E1", "1x1@21", { qualification: "E1" }, "qualification_rate_mismatch"],
    [1199, "E2 in regime 01", "1x1@0", { qualification: "E2", regime: "01" }, "regime_not_allowed"],
    [
      1199,
      "E3 of IGIC in regime 01",
      "1x1@0",
      { tax: "03", qualification: "E3", regime: "01" },
      "regime_not_allowed",
    ],
    [1200, "S2 in regime 03", "1x1@0", { qualification: "S2", regime: "03" }, "regime_not_allowed"],
    [1201, "S1 in regime 04", "1x1@21", { regime: "04" }, "regime_not_allowed"],
    [1202, "regime 06, which needs a base at cost", "1x1@21", { regime: "06" }, "regime_not_allowed"],
    [1203, "N1 in regime 07", "1x1@0", { qualification: "N1", regime: "07" }, "regime_not_allowed"],
    [1203, "E5 in regime 07", "1x1@0", { qualification: "E5", regime: "07" }, "regime_not_allowed"],
    [1205, "S1 in regime 10", "1x1@21", { regime: "10" }, "regime_not_allowed"],
    [1206, "10 % in regime 11", "1x1@10", { regime: "11" }, "regime_not_allowed"],
    [1246, "a regime that does not exist", "1x1@21", { regime: "12" }, "regime_not_allowed"],
    [1246, "a regime of IGIC with IVA", "1x1@21", { regime: "21" }, "regime_not_allowed"],
    [1246, "a regime of IVA with IPSI", "1x1@1", { tax: "02", regime: "02" }, "regime_not_allowed"],
    [1252, "S1 in regime 08", "1x1@21", { regime: "08" }, "regime_not_allowed"],
    [1260, "a regime with tax 05", "1x1@5", { tax: "05", regime: "01" }, "regime_not_allowed"],
    [1286, "N2 in regime 02", "1x1@0", { qualification: "N2", regime: "02" }, "regime_not_allowed"],
    [1293, "S1 of IGIC in regime 20", "1x1@7", { tax: "03", regime: "20" }, "regime_not_allowed"],
  ])("%i %s", (_, __, text, change, expected) => {
    expect(outcomeOf(aRequest("e1", { lines: linesOf(text, change) }))).toBe(expected);
  });

  test("1197 reverse charge on F2", () => {
    const lines = linesOf("1x1@0", { qualification: "S2" });
    expect(outcomeOf(anUnnamed("e1", { lines }))).toBe("qualification_rate_mismatch");
    expect(outcomeOf(aTicket("e1", { lines }))).toBe("simplified_line_not_eligible");
  });
});

describe("met by the shape of the request", () => {
  test.each<[number, string, string, string, string]>([
    [1101, "a country that does not exist", `"XX"`, `"ES"`, "recipient.country"],
    [1101, "EL for Greece", `"EL"`, `"ES"`, "recipient.country"],
    [
      1102,
      "a type of identifier that does not exist",
      `"id_type": "01", "city"`,
      `"city"`,
      "recipient.id_type",
    ],
    [1106, "a type of invoice that does not exist", `"F4"`, `"R1"`, "invoice_type"],
    [1107, "a method that does not exist", `"both"`, `"difference"`, "rectification_method"],
    [1114, "R1 without method", `null`, `"difference"`, "rectification_method"],
    [1115, "F1 with a method", `"F1"`, `"R1"`, "rectifies"],
    [1117, "F1 that rectifies", `"F1"`, `"R1"`, "rectifies"],
    [1104, "a cited number of 61 characters", `"${"9".repeat(61)}"`, `"V/7"`, "rectifies.0"],
    [1130, "a cited number with ñ", `"AÑO/7"`, `"V/7"`, "rectifies.0"],
    [1130, "a cited number with a no-break space", `"A\u00A07"`, `"V/7"`, "rectifies.0"],
    [1287, "a cited number with <", `"A<7"`, `"V/7"`, "rectifies.0"],
    [1287, "a cited number with an apostrophe", `"A'7"`, `"V/7"`, "rectifies.0"],
    [1145, "a date that does not exist", `"2026-02-30"`, `"2026-02-03"`, "rectifies.0"],
    [1181, "a qualification that does not exist", `"E9"`, `"S1"`, "lines.0.qualification"],
    [1218, "a tax that does not exist", `"04"`, `"01"`, "lines.0.type_tax"],
    [1100, "a control character", `"a\\u0007"`, `"Devolución"`, "description"],
    [4102, "an amount of 13 digits", `1000000000000`, `-10`, "lines.0.quantity"],
  ])("%i %s", (_, __, bad, good, path) => {
    expect(shapeProblems(BODY)).toEqual([]);
    expect(BODY).toContain(good);
    const problems = shapeProblems(BODY.replace(good, bad));
    expect(problems.some((problem) => problem.startsWith(path))).toBe(true);
  });

  test("4102 more than 1,000 cited invoices", () => {
    const cited = Array.from({ length: 1001 }, (_, index) => ({ external_id: `e${index}` }));
    const body = { ...JSON.parse(BODY), rectifies: cited };
    expect(shapeProblems(JSON.stringify(body))).toEqual(["rectifies"]);
  });
});

describe("right in every record, whatever the request", () => {
  const substitution = { rectificationMethod: "substitution" } as const;
  const { records, outcomes } = issueAll([
    aRequest("e1", { lines: linesOf("1x100@21 1x10.55@10 1x-3.33@4") }),
    aRequest("e2", { lines: linesOf("1x100@21", { surchargeRate: decimal("5.2") }) }),
    correcting(aRequest("e3", { lines: linesOf("-1x10@21") }), ["e1"]),
    correcting(aRequest("e4", { lines: linesOf("1x10@21") }), ["e2"], substitution),
    aRequest("e5", { lines: linesOf("1x200000000@21") }),
    aTicket("e6"),
    aRequest("e7", { invoiceType: "F3", rectifies: [{ externalId: "e6" }] }),
    anUnnamed("e8"),
  ]);
  const contents = outcomes.map(viewOf).map(altaOf);
  const of = (type: string) => contents.filter((content) => content.invoiceType === type);

  test("1114, 1115 the method is there exactly with R1 to R5", () => {
    expect(contents.map((content) => [content.invoiceType, content.rectificationMethod])).toEqual([
      ["F1", undefined],
      ["F1", undefined],
      ["R1", "I"],
      ["R1", "S"],
      ["F1", undefined],
      ["F2", undefined],
      ["F3", undefined],
      ["F2", undefined],
    ]);
  });

  test("1116, 1117 rectified ones only with R*, replaced ones only with F3", () => {
    expect(contents.filter((content) => content.rectified)).toEqual(of("R1"));
    expect(contents.filter((content) => content.replaced)).toEqual(of("F3"));
  });

  test("1118, 1119 the amounts rectified exactly with substitution", () => {
    expect(
      contents.filter((content) => content.rectifiedAmounts).map((content) => content.rectificationMethod),
    ).toEqual(["S"]);
  });

  test("1138, 1139 macrodata exactly from 100,000,000 on", () => {
    expect(contents.filter((content) => content.macrodata).map((content) => content.total)).toEqual([
      "242000000.00",
    ]);
  });

  test("1152 the issue date is today's", () => {
    expect(new Set(records.map(({ content }) => content.key.date))).toEqual(new Set(["27-11-2026"]));
  });

  test("1208, 1284 S1 has rate and tax, a surcharge has both of its own", () => {
    const lines = contents.flatMap((content) => content.breakdown);
    expect(lines.every((line) => line.rate !== undefined && line.taxAmount !== undefined)).toBe(true);
    expect(
      lines.filter((line) => (line.surchargeRate === undefined) !== (line.surchargeAmount === undefined)),
    ).toEqual([]);
  });

  test("1195, 1196 exactly one of qualification and exemption", () => {
    const lines = [
      ...linesOf("1x1@0", { qualification: "E1" }),
      ...linesOf("1x1@0", { qualification: "N1" }),
    ];
    const { breakdown } = altaOf(issued(aRequest("e1", { lines })));
    expect(breakdown.map((line) => [line.qualification, line.exemption])).toEqual([
      [undefined, "E1"],
      ["N1", undefined],
    ]);
  });

  test("1245 IPSI has a regime too, which 2027 demands", () => {
    const view = issued(aRequest("e1", { lines: linesOf("1x100@10") }), {
      settings: { territory: "ceuta_melilla" },
    });
    expect(altaOf(view).breakdown).toMatchObject([{ tax: "02", regime: "01" }]);
  });

  test("2005, 2006 exempt and not subject bases are in ImporteTotal, all taxes in CuotaTotal", () => {
    const lines = [
      ...linesOf("1x100@21", { surchargeRate: decimal("5.2") }),
      ...linesOf("1x50@0", { qualification: "E1" }),
      ...linesOf("1x25@0", { qualification: "N2" }),
    ];
    expect(recordTotalsIn(issued(aRequest("e1", { lines })))).toBe("26.20 / 201.20");
  });
});

const BODY = `{ "external_id": "e1", "invoice_type": "R1", "description": "Devolución", "currency": "EUR",
  "rectification_method": "difference",
  "rectifies": [ { "number": "V/7", "issue_date": "2026-02-03", "invoice_type": "F1", "base": 100, "tax": 21 } ],
  "recipient": { "company": "Cliente SL", "vat_number": "B12345674", "country": "ES", "address1": "Calle 1",
    "postcode": "28001", "city": "Madrid" },
  "lines": [ { "description": "Silla", "quantity": -10, "price_unit": 1, "tax_rate": 21, "qualification": "S1",
    "type_tax": "01" } ] }`;
