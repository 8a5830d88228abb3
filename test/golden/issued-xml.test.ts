/** Every kind of invoice that can be issued, from request to record: valid for the AEAT's XSD, hashed, chained. */
import { describe, expect, test } from "vitest";
import type { InvoiceRequest, RequestLine } from "../../src/domain/invoice/request.ts";
import type { IssuingSettings } from "../../src/domain/invoice/settings.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { EXEMPTIONS } from "../../src/domain/verifactu/aeat-lists.ts";
import { verifyChain } from "../../src/domain/verifactu/chain.ts";
import { recordHash } from "../../src/domain/verifactu/record-hash.ts";
import { submissionXml } from "../../src/domain/verifactu/xml/message-xml.ts";
import { recordXml } from "../../src/domain/verifactu/xml/record-xml.ts";
import type { Instruction } from "../../src/ledger/issue/instruction.ts";
import { aeatFolder } from "../support/authority/aeat-folder.ts";
import { wrapRecord, xsdErrors } from "../support/authority/xsd.ts";
import { cancelling, codeOf, issueAll, type State } from "../support/builders/direct-invoicing.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../support/builders/requests.ts";

type Kind = readonly [name: string, ...steps: (InvoiceRequest | Instruction)[]];

const SURCHARGED = { lines: linesOf("1x100@21 1x10@10", { surchargeRate: decimal("5.2") }).slice(0, 1) };
const DOLLARS = {
  currency: "USD",
  exchangeRate: decimal("1.0852"),
  exchangeRateDate: civilDate("2026-11-26"),
};
const ATTESTATION = { buyerRole: "consumer", lineIds: ["l1"] } as const;
const BACK = { lines: linesOf("-1x40@21") };
const TWELVE = Array.from({ length: 12 }, (_, rate) => `1x${rate + 1}.01@${rate}`).join(" ");

const MAINLAND: readonly Kind[] = [
  ["F1 to a NIF", aRequest("f1")],
  [
    "F1 to a person",
    aRequest("f1p", { recipient: { company: "María Pérez", vatNumber: "12345678Z", country: "ES" } }),
  ],
  ["F1 to an EU VAT number", aRequest("f1eu", { recipient: AN_EU_RECIPIENT })],
  [
    "F1 to Greece",
    aRequest("f1gr", { recipient: { ...AN_EU_RECIPIENT, vatNumber: "123456789", country: "GR" } }),
  ],
  ...(["03", "04", "05", "06"] as const).map(
    (idType): Kind => [
      `F1 to an identifier of type ${idType}`,
      aRequest(`f1-${idType}`, {
        recipient: { company: "Acme & Co", vatNumber: "98-7654321", country: "US", idType },
      }),
    ],
  ),
  [
    "F1 to a person not in the census",
    aRequest("f1-07", { recipient: { company: "Ana", vatNumber: "X1234567L", country: "ES", idType: "07" } }),
  ],
  ["F1 with operation date", aRequest("f1d", { operationDate: civilDate("2026-10-31") })],
  ["F1 with a surcharge", aRequest("f1s", SURCHARGED)],
  ["F1 in dollars", aRequest("f1usd", DOLLARS)],
  ["F1 in yen", aRequest("f1jpy", { ...DOLLARS, currency: "JPY", exchangeRate: decimal("162.45") })],
  ["F1 with 12 groups", aRequest("f1twelve", { lines: linesOf(TWELVE, { tax: "05" }) })],
  ["F1 with withholding", aRequest("f1irpf", { withholdingRate: decimal("15") })],
  ["F1 with prices that include tax", aRequest("f1g", { pricesIncludeTax: true })],
  ["F1 that is macrodata", aRequest("f1m", { lines: linesOf("1x150000000@21") })],
  ["F1 of 12 digits", aRequest("f1max", { lines: linesOf("1x999999999999.99@0") })],
  [
    "F1 with a name cut at an emoji",
    aRequest("f1name", { recipient: { ...A_RECIPIENT, company: `${"ñ".repeat(119)}😀 & Cía` } }),
  ],
  [
    "F1 with characters that are refused",
    aRequest("f1chars", { description: `<b>"Ñandú" & 'Cía' = 1 €</b>` }),
  ],
  ["F1 with the longest description", aRequest("f1long", { description: "&".repeat(1000) })],
  ["F1 in regime 07, 15 and 18", aRequest("f1reg", { lines: inRegimes("07 15 18") })],
  [
    "F1 in regime 03 and 05, taxed by the margin, next to 01",
    aRequest("f1margin", {
      pricesIncludeTax: true,
      lines: [
        ...inRegimes("03 05").map((line) => ({ ...line, taxableMargin: decimal("12.1") })),
        ...linesOf("1x100@21"),
      ],
      disbursements: [{ description: "Tasa", amount: decimal("100") }],
    }),
  ],
  [
    "F1 of a public work",
    aRequest("f1work", {
      lines: inRegimes("14"),
      recipient: { ...A_RECIPIENT, vatNumber: "P2807900B" },
      operationDate: civilDate("2027-03-01"),
    }),
  ],
  ["F1 of business premises", aRequest("f1rent", { lines: inRegimes("11") })],
  ["F1 of fees", aRequest("f1fee", { lines: linesOf("1x100@0", { regime: "10", qualification: "N1" }) })],
  [
    "F1 subject to another tax",
    aRequest("f1n208", { lines: linesOf("1x100@0", { regime: "08", qualification: "N2" }) }),
  ],
  [
    "F1 exempt E1, E4, E5 and E6",
    aRequest("f1e", { lines: exempt("E1 E4 E5 E6"), recipient: AN_EU_RECIPIENT }),
  ],
  ["F1 exported, E2 and E3", aRequest("f1x", { lines: exempt("E2 E3", { regime: "02" }) })],
  ["F1 with reverse charge", aRequest("f1s2", { lines: linesOf("1x100@0", { qualification: "S2" }) })],
  ["F1 not subject, N1 and N2", aRequest("f1n", { lines: [...notSubject("N1"), ...notSubject("N2")] })],
  [
    "F1 of the one-stop shop",
    aRequest("f1oss", { lines: linesOf("1x100@20", { regime: "17", qualification: "N2" }) }),
  ],
  [
    "F1 with another tax next to IVA",
    aRequest("f105", { lines: [...linesOf("1x100@21"), ...linesOf("1x5@4.5", { tax: "05" })] }),
  ],
  ["qualified F1", aQualified("f1q")],
  ["F2", aTicket("f2")],
  [
    "F2 under article 4.2",
    aTicket("f242", {
      lines: linesOf("1x2000@21", { lineId: "l1" }),
      attestation: { ...ATTESTATION, legalBasis: "article_4_2" },
    }),
  ],
  [
    "F2 under authorisation",
    aTicket("f2aut", {
      lines: linesOf("1x8000@21", { lineId: "l1" }),
      attestation: {
        ...ATTESTATION,
        legalBasis: "tax_authority_authorisation",
        authorisation: { number: "A-1", limit: decimal("10000") },
      },
    }),
  ],
  ["F2 without recipient", anUnnamed("f2d")],
  [
    "F3",
    aTicket("t1"),
    aTicket("t2"),
    aRequest("f3", {
      invoiceType: "F3",
      lines: linesOf("2x100@21"),
      rectifies: [{ externalId: "t1" }, { externalId: "t2" }],
    }),
  ],
  [
    "F3 of one issued elsewhere",
    aRequest("f3x", { invoiceType: "F3", rectifies: [elsewhere({ invoiceType: "F2" })] }),
  ],
  ...(["R1", "R2", "R3", "R4"] as const).flatMap((invoiceType): Kind[] => [
    [
      `${invoiceType} by difference`,
      aRequest(`d${invoiceType}`),
      correcting(aRequest(`${invoiceType}I`, BACK), [`d${invoiceType}`], { invoiceType }),
    ],
    [
      `${invoiceType} by substitution`,
      aRequest(`s${invoiceType}`, SURCHARGED),
      correcting(aRequest(`${invoiceType}S`), [`s${invoiceType}`], {
        invoiceType,
        rectificationMethod: "substitution",
      }),
    ],
  ]),
  [
    "R1 by substitution, with a surcharge",
    correcting(aRequest("r1s", SURCHARGED), ["f1s"], { rectificationMethod: "substitution" }),
  ],
  [
    "R1 by nothing",
    correcting(aRequest("r1zero", { lines: linesOf("1x0@21") }), ["f1"], {
      rectificationMethod: "substitution",
    }),
  ],
  ["R1 in dollars", correcting(aRequest("r1usd", { ...DOLLARS, ...BACK }), ["f1usd"])],
  ["R1 of one issued elsewhere", correcting(aRequest("r1x", BACK), [], { rectifies: [elsewhere()] })],
  ["qualified R1", correcting(aQualified("r1q", BACK), ["f1q"])],
  ["R5", correcting(aTicket("r5", BACK), ["f2"])],
  ["R5 by substitution", correcting(aTicket("r5s"), ["f242"], { rectificationMethod: "substitution" })],
  ["R5 without recipient", correcting(anUnnamed("r5d", BACK), ["f2d"])],
  ["a cancellation", cancelling("f1eu")],
  ["a cancellation of a rectification", cancelling("r5")],
  ["the next after it", aRequest("next")],
];

const CANARIES: readonly Kind[] = [
  [
    "IGIC at every rate",
    aRequest("c1", { lines: linesOf("1x100@0 1x100@3 1x100@5 1x100@7 1x100@9.5 1x100@15 1x100@20") }),
  ],
  [
    "IGIC exempt E1 to E8",
    aRequest("c2", { lines: [...exempt("E1 E4 E5 E6 E7 E8"), ...exempt("E2 E3", { regime: "02" })] }),
  ],
  [
    "IGIC of a retailer, and of a small entrepreneur",
    aRequest("c3", { lines: [...linesOf("1x1@7", { regime: "17" }), ...linesOf("1x1@0", { regime: "18" })] }),
  ],
  [
    "IGIC subject to IPSI",
    aRequest("c4", { lines: linesOf("1x100@0", { regime: "20", qualification: "N2" }) }),
  ],
  ["IGIC, simplified", aTicket("c5", { lines: linesOf("1x100@7") })],
];

const CEUTA: readonly Kind[] = [
  [
    "IPSI at every rate",
    aRequest("m1", { lines: linesOf("1x100@0.5 1x100@1 1x100@2 1x100@4 1x100@8 1x100@10") }),
  ],
  ["IPSI exempt E1 to E6", aRequest("m2", { lines: exempt("E1 E2 E3 E4 E5 E6") })],
  ["IPSI not subject", aRequest("m3", { lines: [...notSubject("N1"), ...notSubject("N2")] })],
];

const AUTHORISATION = { number: "A-1", limit: decimal("10000"), agreementNumber: "ACUERDO-0000001" };

describe.each<[string, Partial<IssuingSettings>, readonly Kind[]]>([
  ["mainland", { authorisation: AUTHORISATION }, MAINLAND],
  ["Canary Islands", { territory: "canarias", timeZone: "Atlantic/Canary" }, CANARIES],
  ["Ceuta", { territory: "ceuta_melilla", multipleIssuers: true }, CEUTA],
])("%s", (_, settings, kinds) => {
  const issuances = inTurn(kinds, settings);
  const records = issuances.flatMap((issuance) => issuance.records);

  test.each(issuances.map(({ name, ...issuance }) => [name, issuance] as const))("%s", (_, issuance) => {
    expect(issuance.codes).not.toContain("replayed");
    expect(issuance.records).toHaveLength(issuance.codes.length);
    for (const record of issuance.records) {
      expect(record.hash).toBe(recordHash(record.content));
      expect(record.hash).toMatch(/^[0-9A-F]{64}$/);
      if (aeatFolder !== undefined) expect(xsdErrors(wrapRecord(recordXml(record)))).toEqual([]);
    }
  });

  test("all of them are one chain", () => {
    expect(records.length).toBeGreaterThanOrEqual(kinds.length);
    expect(verifyChain(records)).toEqual({ ok: true, value: { checked: records.length } });
  });

  test.skipIf(aeatFolder === undefined)("and one valid message", () => {
    const issuer = { issuerName: "Comercial del Norte SL", issuerNif: "B58378431" };
    expect(xsdErrors(submissionXml({ ...issuer, incident: false, records }))).toEqual([]);
  });
});

/** Each kind in a group of its own, on the books that the one before it left. */
function inTurn(kinds: readonly Kind[], settings: Partial<IssuingSettings>) {
  let after: State | undefined;
  return kinds.map(([name, ...steps]) => {
    const issuance = issueAll(steps, after ? { after } : { settings });
    after = issuance;
    return { name, records: issuance.records, codes: issuance.outcomes.map(codeOf) };
  });
}

function inRegimes(regimes: string): RequestLine[] {
  return regimes.split(" ").flatMap((regime) => linesOf("1x100@21", { regime }));
}

function exempt(qualifications: string, change: Partial<RequestLine> = {}): RequestLine[] {
  return EXEMPTIONS.filter((qualification) => qualifications.split(" ").includes(qualification)).flatMap(
    (qualification) => linesOf("1x100@0", { ...change, qualification }),
  );
}

function notSubject(qualification: "N1" | "N2"): RequestLine[] {
  return linesOf("1x100@0", { qualification });
}
