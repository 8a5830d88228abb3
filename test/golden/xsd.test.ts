import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RecordContent, RecordRecipient } from "../../src/domain/verifactu/record.ts";
import { seal } from "../../src/domain/verifactu/record-hash.ts";
import { queryXml, submissionXml } from "../../src/domain/verifactu/xml/message-xml.ts";
import { recordXml } from "../../src/domain/verifactu/xml/record-xml.ts";
import { aeatFolder } from "../support/authority/aeat-folder.ts";
import { wrapRecord, xsdErrors } from "../support/authority/xsd.ts";
import {
  aCancellation,
  aChain,
  anAnonymousRegistration,
  aRegistration,
} from "../support/builders/records.ts";

const ISSUER = { issuerName: "EMPRESA DE PRUEBA SL", issuerNif: "89890001K" };
const OTHER_KEY = { issuerNif: "89890001K", number: "T-2026/0001", date: "20-11-2026" };
const FOREIGN: RecordRecipient = { name: "BUYER INC", idType: "04", country: "US", id: "98-7654321" };
const LINE = { tax: "01", regime: "01", base: "100.00" };
const TAXED = { ...LINE, qualification: "S1", rate: "21.00", taxAmount: "21.00" };
const SURCHARGED = { ...TAXED, surchargeRate: "5.20", surchargeAmount: "5.20" };
const RATES = [
  "0.00",
  "1.00",
  "3.00",
  "4.00",
  "5.00",
  "7.00",
  "9.50",
  "10.00",
  "13.50",
  "15.00",
  "20.00",
  "21.00",
];

const REGISTRATIONS: readonly [string, RecordContent][] = [
  ["F1 to a Spanish NIF", aRegistration()],
  ["F1 to a foreign id", aRegistration({ recipients: [FOREIGN] })],
  [
    "F1 to a NIF-IVA without country",
    aRegistration({ recipients: [{ name: "CLIENTE UE GMBH", idType: "02", id: "DE123456789" }] }),
  ],
  ["F1 to two recipients", aRegistration({ recipients: [FOREIGN, { name: "OTRO", nif: "89890002E" }] })],
  ["F2", anAnonymousRegistration({ invoiceType: "F2" })],
  [
    "F3 with the invoices it replaces",
    aRegistration({ invoiceType: "F3", replaced: [OTHER_KEY, OTHER_KEY] }),
  ],
  [
    "R1 by substitution",
    aRegistration({
      invoiceType: "R1",
      rectificationMethod: "S",
      rectified: [OTHER_KEY],
      rectifiedAmounts: { base: "200.00", tax: "42.00" },
    }),
  ],
  [
    "R1 by substitution of a surcharge",
    aRegistration({
      invoiceType: "R1",
      rectificationMethod: "S",
      rectifiedAmounts: { base: "200.00", tax: "42.00", surcharge: "10.40" },
    }),
  ],
  [
    "R1 by differences",
    aRegistration({
      invoiceType: "R1",
      rectificationMethod: "I",
      rectified: [OTHER_KEY],
      breakdown: [{ ...TAXED, base: "-100.00", taxAmount: "-21.00" }],
      taxTotal: "-21.00",
      total: "-121.00",
    }),
  ],
  ["R5", anAnonymousRegistration({ invoiceType: "R5", rectificationMethod: "I", rectified: [OTHER_KEY] })],
  ["a qualified simplified invoice", aRegistration({ qualifiedSimplified: true })],
  [
    "a complete invoice without recipient",
    anAnonymousRegistration({ invoiceType: "F2", withoutRecipient: true }),
  ],
  ["macrodata", aRegistration({ macrodata: true, total: "999999999999.99" })],
  ["12 groups", aRegistration({ breakdown: RATES.map((rate) => ({ ...TAXED, rate })) })],
  ["surcharge", aRegistration({ breakdown: [SURCHARGED] })],
  [
    "reverse charge",
    aRegistration({ breakdown: [{ ...TAXED, qualification: "S2", rate: "0.00", taxAmount: "0.00" }] }),
  ],
  ["exempt", aRegistration({ breakdown: [{ ...LINE, regime: "02", exemption: "E2" }] })],
  ["not subject by place of supply", aRegistration({ breakdown: [{ ...LINE, qualification: "N2" }] })],
  ["IPSI", aRegistration({ breakdown: [{ ...TAXED, tax: "02" }] })],
  ["IGIC exempt", aRegistration({ breakdown: [{ ...LINE, tax: "03", exemption: "E8" }] })],
  [
    "another tax, without regime",
    aRegistration({
      breakdown: [{ tax: "05", qualification: "S1", rate: "4.00", base: "1.00", taxAmount: "0.04" }],
    }),
  ],
  ["amendment", aRegistration({ amendment: { previousRejection: "N" } })],
  ["amendment after a rejected amendment", aRegistration({ amendment: { previousRejection: "S" } })],
  ["amendment of an invoice never accepted", aRegistration({ amendment: { previousRejection: "X" } })],
  ["agreement number", aRegistration({ agreementNumber: "ACUERDO-0000001" })],
  ["operation date", aRegistration({ operationDate: "20-11-2026" })],
  ["longest texts", aRegistration({ issuerName: "Ñ".repeat(120), description: "&".repeat(500) })],
];

const CANCELLATIONS: readonly [string, RecordContent][] = [
  ["cancellation", aCancellation()],
  ["cancellation without previous record", aCancellation({ withoutPreviousRecord: true })],
  ["cancellation after a rejected one", aCancellation({ previousRejection: true })],
  ["cancellation with both flags", aCancellation({ withoutPreviousRecord: true, previousRejection: true })],
];

const CONTENTS = [...REGISTRATIONS, ...CANCELLATIONS];

describe.skipIf(aeatFolder === undefined)("the AEAT's XSD", () => {
  test.each([
    "valid-alta-f1",
    "valid-anulacion",
    "valid-batch-mixed",
    "response-parcial",
    "xsdok-business-1189-f1-sin-destinatario",
    "xsdok-business-2000-huella-erronea",
  ])("accepts %s", (file) => {
    expect(xsdErrors(sample(file))).toEqual([]);
  });

  test.each([
    ["invalid-xsd-order", "TipoFactura': This element is not expected"],
    ["invalid-xsd-decimals", "121.005"],
    ["invalid-xsd-anulacion-rechazoprevio-x", "{'S', 'N'}"],
    ["invalid-xsd-namespace", "Cabecera': This element is not expected"],
  ])("refuses %s", (file, expected) => {
    expect(xsdErrors(sample(file)).join("\n")).toContain(expected);
  });

  test("refuses a record that is no XML", () => {
    expect(xsdErrors(wrapRecord("<sf:RegistroAlta>"))).not.toEqual([]);
  });

  test.each(CONTENTS)("accepts %s", (_, content) => {
    const [chained] = aChain([aCancellation(), content]).slice(1);
    expect(xsdErrors(wrapRecord(recordXml(seal(content, 1))))).toEqual([]);
    expect(
      xsdErrors(submissionXml({ ...ISSUER, incident: false, records: chained ? [chained] : [] })),
    ).toEqual([]);
  });

  test("refuses 13 groups", () => {
    const record = seal(aRegistration({ breakdown: Array.from({ length: 13 }, () => TAXED) }), 1);
    expect(xsdErrors(wrapRecord(recordXml(record)))).not.toEqual([]);
  });

  test("accepts a mixed message of 1000 records with an incident", () => {
    const contents = Array.from({ length: 1000 }, (_, index) => CONTENTS[index % CONTENTS.length]?.[1]);
    const records = aChain(contents.filter((content) => content !== undefined));
    expect(records).toHaveLength(1000);
    expect(xsdErrors(submissionXml({ ...ISSUER, incident: true, records }))).toEqual([]);
  });

  test.each(["A-2026/0001", "A&B <1> «ñ» ' \"", "X".repeat(60)])("accepts a query for %s", (number) => {
    const key = { issuerNif: ISSUER.issuerNif, number, date: "01-12-2026" };
    expect(xsdErrors(queryXml({ ...ISSUER, key, period: { year: "2026", month: "12" } }))).toEqual([]);
  });
});

function sample(file: string): string {
  return readFileSync(`${aeatFolder}/samples/${file}.soap.xml`, "utf8");
}
