/** Records and messages of every kind, from request to XML, are free of what the AEAT would reject them for. */
import { describe, expect, test } from "vitest";
import type { SealedRecord } from "../../../src/domain/verifactu/record.ts";
import { queryXml, submissionXml } from "../../../src/domain/verifactu/xml/message-xml.ts";
import * as make from "../../support/authority/messages.ts";
import { issueAll } from "../../support/builders/direct-invoicing.ts";
import { EVERY_CORRECTION, EVERY_KIND, ISSUER } from "../../support/builders/every-kind.ts";
import { PARTIES } from "../authority/rows/parties.ts";
import { TAXES } from "../authority/rows/taxes.ts";
import { TYPES } from "../authority/rows/types.ts";
import { DATES, VALUES } from "../authority/rows/values.ts";
import { IN_CHAINS, IN_MESSAGES, IN_QUERIES } from "./rows/messages.ts";
import { STRUCTURE, type Written } from "./rows/structure.ts";
import { element, inner } from "./rows/xml.ts";

const CORRECTED = { issuerName: "EMPRESA DE PRUEBA SL", issuerNif: "89890001K" };
const CHAINS = [
  ...EVERY_KIND.map(([, settings, steps]) => messageOf(ISSUER, issueAll(steps, { settings }).records)),
  messageOf(CORRECTED, EVERY_CORRECTION),
];
const WRITTEN = CHAINS.flatMap(recordsIn);

describe("every record", () => {
  test.each(STRUCTURE)("%j %s", (_, __, holds) => {
    expect(WRITTEN.length).toBeGreaterThan(70);
    expect(WRITTEN.filter((written) => !holds(written))).toEqual([]);
  });
});

/** Records that earn a code in the sandbox authority, as far as the record alone earns it. */
const EARNING = [...VALUES, ...DATES, ...PARTIES, ...TYPES, ...TAXES].filter(([, , , control]) => !control);
const ALSO_EARNED = STRUCTURE.flatMap(([codes, what, holds]) => {
  const earning = EARNING.filter(([code]) => codes.includes(code));
  return earning.length > 0 ? [[codes, what, holds, earning] as const] : [];
});

test.each(ALSO_EARNED)("%j is seen where it is earned: not %s", (_, __, holds, earning) => {
  const header = make.element("sfLR:Cabecera", make.HEADER);
  const unseen = earning.filter(([, , { kind, fields }]) =>
    holds({ record: make.element(`sf:${kind}`, fields), header }),
  );
  expect(unseen.map(([code, why]) => `${code} ${why}`)).toEqual([]);
});

describe("every chain", () => {
  test.each(IN_CHAINS)("%j %s", (_, __, holds) => {
    expect(CHAINS.map(recordsIn).filter((records) => !holds(records))).toEqual([]);
  });
});

describe("every message", () => {
  test.each(IN_MESSAGES)("%j %s", (_, __, holds) => {
    expect(CHAINS.filter((message) => !holds(message))).toEqual([]);
  });
});

test("a message of more records than the AEAT takes is not written", () => {
  const [first] = EVERY_CORRECTION;
  const records = Array.from({ length: 1001 }, () => first).flatMap((record) => record ?? []);
  expect(() => messageOf(CORRECTED, records)).toThrow("1 to 1000");
});

describe("every query", () => {
  const key = { issuerNif: ISSUER.issuerNif, number: "API-1-2026-000001", date: "27-11-2026" };
  const asked = Array.from({ length: 12 }, (_, month) =>
    queryXml({ ...ISSUER, key, period: { year: "2026", month: String(month + 1).padStart(2, "0") } }),
  );
  test.each(IN_QUERIES)("%j %s", (_, __, holds) => {
    expect(asked.filter((query) => !holds(query))).toEqual([]);
  });
});

function messageOf(issuer: typeof ISSUER, records: readonly SealedRecord[]): string {
  return submissionXml({ ...issuer, incident: false, records });
}

function recordsIn(message: string): Written[] {
  const header = element(message, "Cabecera") ?? "";
  return inner(message, "RegistroFactura").map((record) => ({ record, header }));
}
