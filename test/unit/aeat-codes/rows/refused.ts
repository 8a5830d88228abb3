/** Requests that would get a code of the AEAT, and the product's refusal of them before a number is given. */
import type { InvoiceRequest, Recipient, RequestLine } from "../../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../../src/domain/shared/decimal.ts";
import * as request from "../../../support/builders/requests.ts";

const { A_RECIPIENT, AN_EU_RECIPIENT, anUnnamed, aRequest, aTicket, correcting, elsewhere, linesOf } =
  request;

export type RefusedRow = readonly [code: number, why: string, request: InvoiceRequest, refusal: string];

const TOWN_HALL = { ...A_RECIPIENT, vatNumber: "P2807900B" };
const LATER = { operationDate: civilDate("2027-03-01") };
const REVERSE = linesOf("1x1@0", { qualification: "S2" });
const NAMED = { company: "Cliente", country: "US", vatNumber: "98-7654321" } as const;

const RECIPIENTS: readonly (readonly [number, string, Partial<Recipient>, string])[] = [
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
    "02 with the prefix of another country",
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
  [1189, "F1 without a recipient", {}, "recipient_required"],
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
    1290,
    "07 with a wrong control character",
    { ...A_RECIPIENT, vatNumber: "12345678A", idType: "07" },
    "tax_identifier_invalid",
  ],
  [1123, "a NIF of eight characters", { ...A_RECIPIENT, vatNumber: "B1234567" }, "tax_identifier_invalid"],
  [1222, "an identifier of nothing", { ...NAMED, idType: "04", vatNumber: " " }, "recipient_required"],
  [1283, "a person without a name", { vatNumber: "12345678Z", country: "ES" }, "recipient_required"],
  [1239, "an identifier of unknown kind", NAMED, "tax_identifier_type_required"],
];

const REQUESTS: readonly RefusedRow[] = [
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
];

const LINES: readonly (readonly [number, string, string, Partial<RequestLine>, string])[] = [
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
  [1162, "a wrong one with 21 %", "1x1@21", { surchargeRate: decimal("1.4") }, "surcharge_not_allowed"],
  [1163, "a wrong one with 10 %", "1x1@10", { surchargeRate: decimal("5.2") }, "surcharge_not_allowed"],
  [1164, "a wrong one with 4 %", "1x1@4", { surchargeRate: decimal("1.4") }, "surcharge_not_allowed"],
  [1165, "one with 0 %", "1x1@0", { surchargeRate: decimal("0.26") }, "surcharge_not_allowed"],
  ...(["02", "03"] as const).map(
    (tax) =>
      [
        1281,
        `one with tax ${tax} that is not subject`,
        "1x1@0",
        { tax, qualification: "N2", surchargeRate: decimal("5.2") },
        "surcharge_not_allowed",
      ] as const,
  ),
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
];

const DATED: readonly (readonly [
  code: number,
  why: string,
  day: string,
  line: string,
  surcharge: string | undefined,
  refusal: string,
])[] = [
  [1132, "18 %, which ended in 2012", "2013-01-02", "1x100@18", undefined, "tax_rate_not_allowed"],
  [1135, "4 %, the surcharge of 18 %", "2013-01-02", "1x100@21", "4", "surcharge_not_allowed"],
  [1160, "5 % with a surcharge of 1.4", "2023-02-01", "1x100@5", "1.4", "surcharge_not_allowed"],
  [1166, "2 % with a surcharge of 0.5", "2024-11-01", "1x100@2", "0.5", "surcharge_not_allowed"],
  [1167, "5 % with a surcharge of 0.5 in 2023", "2023-01-01", "1x100@5", "0.5", "surcharge_not_allowed"],
  [1168, "5 % with a surcharge of 0.62 in 2022", "2022-12-31", "1x100@5", "0.62", "surcharge_not_allowed"],
  [1169, "7.5 % with a surcharge of 1.4", "2024-11-01", "1x100@7.5", "1.4", "surcharge_not_allowed"],
  [1170, "0 % with a surcharge of 0.5 in 2025", "2025-01-02", "1x100@0", "0.5", "surcharge_not_allowed"],
  [1277, "0 % with a surcharge of 0.26 in 2025", "2025-01-02", "1x100@0", "0.26", "surcharge_not_allowed"],
];

export const REFUSED: readonly RefusedRow[] = [
  ...RECIPIENTS.map(
    ([code, why, recipient, refusal]): RefusedRow => [code, why, aRequest("e1", { recipient }), refusal],
  ),
  ...REQUESTS,
  ...LINES.map(
    ([code, why, text, change, refusal]): RefusedRow => [
      code,
      why,
      aRequest("e1", { lines: linesOf(text, change) }),
      refusal,
    ],
  ),
  ...DATED.map(([code, why, day, text, surcharge, refusal]): RefusedRow => {
    const change = surcharge === undefined ? {} : { surchargeRate: decimal(surcharge) };
    const lines = linesOf(text, change);
    return [code, why, aRequest("e1", { operationDate: civilDate(day), lines }), refusal];
  }),
  [1197, "reverse charge on F2", aTicket("e1", { lines: REVERSE }), "simplified_line_not_eligible"],
  [
    1197,
    "reverse charge without a recipient",
    anUnnamed("e1", { lines: REVERSE }),
    "qualification_rate_mismatch",
  ],
];
