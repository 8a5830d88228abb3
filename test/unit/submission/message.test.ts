import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { RecordContent, SealedRecord } from "../../../src/domain/verifactu/record.ts";
import { composeMessage } from "../../../src/domain/verifactu/submission/message.ts";
import { aeatFolder } from "../../support/authority/aeat-folder.ts";
import { AN_ISSUER } from "../../support/authority/submitter.ts";
import { xsdErrors } from "../../support/authority/xsd.ts";
import { aCancellation, aChain, aRegistration } from "../../support/builders/records.ts";

const RECORDS = aChain([
  aRegistration({ reference: "r1" }),
  aRegistration({ reference: "r2", amendment: { previousRejection: "N" } }),
  aRegistration({ reference: "r3", amendment: { previousRejection: "S" } }),
  aRegistration({ reference: "r4", amendment: { previousRejection: "X" } }),
  aCancellation({ reference: "r5" }),
  aCancellation({ reference: "r6", previousRejection: true }),
  aCancellation({ reference: "r7", withoutPreviousRecord: true }),
  aCancellation({ reference: "r8", withoutPreviousRecord: true, previousRejection: true }),
]);

function textOf({ bytes }: { readonly bytes: Uint8Array }): string {
  return new TextDecoder().decode(bytes);
}

/** The operation of each record before it joins the chain. */
function flagsIn(xml: string): string[] {
  return xml
    .split("<sfLR:RegistroFactura>")
    .slice(1)
    .map((record) =>
      [...record.matchAll(/<sf:(Subsanacion|RechazoPrevio|SinRegistroPrevio)>(.)</g)]
        .map(([, name, value]) => `${name}=${value}`)
        .join(" "),
    );
}

describe.skipIf(aeatFolder === undefined).each([false, true])(
  "against the schema, incident %s",
  (incident) => {
    test("registrations and annulments in one message, with every flag", () => {
      expect(xsdErrors(textOf(composeMessage(RECORDS, { issuer: AN_ISSUER, incident })))).toEqual([]);
    });
  },
);

test("flags are where they belong, and nowhere else", () => {
  expect(flagsIn(textOf(composeMessage(RECORDS, { issuer: AN_ISSUER, incident: false })))).toEqual([
    "",
    "Subsanacion=S RechazoPrevio=N",
    "Subsanacion=S RechazoPrevio=S",
    "Subsanacion=S RechazoPrevio=X",
    "",
    "RechazoPrevio=S",
    "SinRegistroPrevio=S",
    "SinRegistroPrevio=S RechazoPrevio=S",
  ]);
});

test("the header: RemisionVoluntaria only for an incident", () => {
  const punctual = textOf(composeMessage(RECORDS, { issuer: AN_ISSUER, incident: false }));
  expect(punctual).not.toContain("RemisionVoluntaria");
  const late = textOf(composeMessage(RECORDS, { issuer: AN_ISSUER, incident: true }));
  expect(late).toContain("<sf:RemisionVoluntaria><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria>");
});

test("the same records are the same bytes, and their hash is returned", () => {
  const one = composeMessage(RECORDS, { issuer: AN_ISSUER, incident: true });
  const other = composeMessage(structuredClone(RECORDS), { issuer: AN_ISSUER, incident: true });
  expect(other).toEqual(one);
  expect(one.sha256).toBe(createHash("sha256").update(one.bytes).digest("hex"));
});

describe("how much one message takes", () => {
  const many = (count: number): SealedRecord[] =>
    aChain(
      Array.from({ length: count }, (_, index): RecordContent => aRegistration({ reference: `r${index}` })),
    );
  const limited = (records: readonly SealedRecord[], limits: { records: number; bytes: number }) =>
    composeMessage(records, { issuer: AN_ISSUER, incident: false, limits });

  test("a thousand records, at any limit", () => {
    const { from, to, records } = limited(many(1_001), { records: 5_000, bytes: 1e9 });
    expect([from, to, records.length]).toEqual([1, 1_000, 1_000]);
  });

  test("bytes: what fits, to the last record", () => {
    const records = many(20);
    for (const bytes of [10_000, 12_345, 20_000, 30_000]) {
      const message = limited(records, { records: 1_000, bytes });
      expect(message.bytes.length).toBeLessThanOrEqual(bytes);
      const more = limited(records.slice(0, message.to + 1), { records: 1_000, bytes: 1e9 });
      expect(more.bytes.length).toBeGreaterThan(bytes - 2_048);
    }
  });

  test("the first record always, however long", () => {
    expect(limited(many(3), { records: 1_000, bytes: 10 })).toMatchObject({ from: 1, to: 1 });
  });

  test("bytes are counted, not characters", () => {
    const records = aChain(
      [0, 1].map((n) => aRegistration({ reference: `r${n}`, description: "ñ".repeat(500) })),
    );
    const both = limited(records, { records: 2, bytes: 1e9 });
    expect(limited(records, { records: 2, bytes: both.bytes.length - 1 })).toMatchObject({ to: 1 });
  });
});

test.each([
  ["no record", []],
  ["a gap", RECORDS.filter(({ position }) => position !== 2)],
  [
    "a record of another chain",
    [...RECORDS.slice(0, 1), ...aChain([aRegistration({ total: "1.00" }), aRegistration()]).slice(1)],
  ],
  [
    "another issuer's",
    aChain([aRegistration({ key: { issuerNif: "B12345674", number: "1", date: "27-11-2026" } })]),
  ],
])("%s is a bug, and no message", (_, records) => {
  expect(() => composeMessage(records, { issuer: AN_ISSUER, incident: false })).toThrow("invariant");
});
