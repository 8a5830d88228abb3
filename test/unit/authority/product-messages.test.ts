/** The product's own messages, from request to XML, as the sandbox judges them: two readings of one law. */
import { describe, expect, test } from "vitest";
import type { SealedRecord } from "../../../src/domain/verifactu/record.ts";
import { submissionXml } from "../../../src/domain/verifactu/xml/message-xml.ts";
import { aSandbox } from "../../support/authority/authority.ts";
import { NOON } from "../../support/authority/messages.ts";
import { issueAll } from "../../support/builders/direct-invoicing.ts";
import { EVERY_CORRECTION, EVERY_KIND, ISSUER } from "../../support/builders/every-kind.ts";
import { aChain, aRegistration } from "../../support/builders/records.ts";
import { aRequest } from "../../support/builders/requests.ts";

describe.each(EVERY_KIND)("%s", (_, settings, steps) => {
  const { records } = issueAll(steps, { settings });

  test("everything that is issued is accepted, in one chain", async () => {
    expect(records).toHaveLength(steps.length);
    const sandbox = aSandbox();
    const answer = await sandbox.send(submissionXml({ ...ISSUER, incident: false, records }));
    const wrong = answer.lines.filter(({ state }) => state !== "Correcto");
    expect(answer.fault).toBeUndefined();
    expect(wrong).toEqual([]);
    const [chain] = await sandbox.chains();
    expect(chain?.broken_links).toBe(0);
    expect(chain?.records.map(({ hash }) => hash)).toEqual(records.map(({ hash }) => hash));
  });
});

test("a person who is not in the census is reported, and accepted", async () => {
  const ana = { company: "Ana", vatNumber: "X1234567L", country: "ES", idType: "07" } as const;
  const { records } = issueAll([aRequest("f107", { recipient: ana })], { settings: {} });
  const answer = await aSandbox().send(submissionXml({ ...ISSUER, incident: false, records }));
  expect(answer.lines).toMatchObject([{ state: "AceptadoConErrores", code: 2001 }]);
});

test("amendments and annulments with their flags", async () => {
  expect(await judged(EVERY_CORRECTION)).toEqual([...Array(5).fill("Correcto"), 3000, 3000]);
});

test("late records, sent as an incident", async () => {
  const records = aChain([aRegistration({ generatedAt: "2026-11-27T08:00:00+01:00" })]);
  expect(await judged(records)).toEqual([2004]);
  expect(await judged(records, true)).toEqual(["Correcto"]);
});

async function judged(records: readonly SealedRecord[], incident = false): Promise<(string | number)[]> {
  const sandbox = aSandbox();
  sandbox.setTime(incident ? NOON : Date.parse("2026-11-27T10:16:00+01:00"));
  const issuer = { issuerName: "EMPRESA DE PRUEBA SL", issuerNif: "89890001K" };
  const answer = await sandbox.send(submissionXml({ ...issuer, incident, records }));
  return answer.lines.map(({ code, state }) => code ?? state);
}
