/** A record by its row: what the databases of the other tests do not have, amendments above all. */
import { describe, expect, test } from "vitest";
import type { RecordCheck } from "../../../src/domain/proof/checks.ts";
import { type RecordRow, verifyRecord, type WalkedHead } from "../../../src/domain/proof/verify.ts";
import { headOf } from "../../../src/domain/verifactu/chain.ts";
import { linkTo, type RegistrationContent, type SealedRecord } from "../../../src/domain/verifactu/record.ts";
import { seal } from "../../../src/domain/verifactu/record-hash.ts";
import { A_SYSTEM, aCancellation, aRegistration } from "../../support/builders/records.ts";

const OWNER = {
  connectionId: "cn1",
  accountId: "ac1",
  installationId: "is1",
  installationNumber: A_SYSTEM.installationNumber,
};

const FIRST = seal(aRegistration({ reference: "is1-1" }), 1);
const LINKED = linkTo(headOf(FIRST));

function rowOf({ content, position, hash }: SealedRecord, change: Partial<RecordRow> = {}): RecordRow {
  return {
    position,
    kind: content.kind,
    origin: "direct:1",
    connectionId: OWNER.connectionId,
    accountId: OWNER.accountId,
    previousHash: content.chain.first ? "" : content.chain.hash,
    hash,
    content: JSON.stringify(content),
    invoiceId: "in1",
    invoice: {
      connectionId: OWNER.connectionId,
      origin: "direct:1",
      fullNumber: FIRST.content.key.number,
      issueDate: "2026-11-27",
    },
    ...change,
  };
}

function amendment(change: Partial<RegistrationContent> = {}): SealedRecord {
  const own = { reference: "is1-2", chain: LINKED, amendment: { previousRejection: "N" } } as const;
  return seal(aRegistration({ ...own, ...change }), 2);
}

const CORRECTS = { origin: "amend:in1:1", registration: JSON.stringify(FIRST.content) };
const BEHIND_FIRST: WalkedHead = { isRead: true, ...headOf(FIRST) };

function brokenIn(row: RecordRow, head: WalkedHead = BEHIND_FIRST): readonly RecordCheck[] {
  return verifyRecord(row, head, OWNER).broken;
}

const brokenFirst = (row: RecordRow) => verifyRecord(row, undefined, OWNER).broken;

test("a registration holds, and there is nothing that it corrects", () => {
  const { broken, checked } = verifyRecord(rowOf(FIRST), undefined, OWNER);
  expect(broken).toEqual([]);
  expect(checked).not.toContain("correction");
});

describe("an amendment", () => {
  test.each<[string, Partial<RegistrationContent>, readonly RecordCheck[]]>([
    ["of the recipient holds", { recipients: [{ name: "OTRO", nif: "89890001K" }] }, []],
    ["of a later day holds", { generatedAt: "2026-12-03T09:00:00+01:00" }, []],
    ["of the total does not", { total: "122.00" }, ["correction"]],
    ["of the tax does not", { taxTotal: "20.00" }, ["correction"]],
    ["of the type does not", { invoiceType: "F3" }, ["correction"]],
    ["of the breakdown does not", { breakdown: [] }, ["correction"]],
    [
      "under another number does not",
      { key: { ...FIRST.content.key, number: "A-2026/0002" } },
      ["invoice", "correction"],
    ],
    [
      "made before the day of issue does not",
      { generatedAt: "2026-11-26T09:00:00+01:00" },
      ["time", "issue_date"],
    ],
  ])("%s", (_, change, expected) => {
    expect(brokenIn(rowOf(amendment(change), CORRECTS))).toEqual(expected);
  });

  test("in the place of the registration is none", () => {
    expect(brokenIn(rowOf(amendment()))).toEqual(["invoice"]);
  });

  test("that is not marked as one is a second registration", () => {
    const { amendment: _, ...unmarked } = aRegistration({ reference: "is1-2", chain: LINKED });
    expect(brokenIn(rowOf(seal(unmarked, 2), CORRECTS))).toEqual(["invoice"]);
  });
});

describe("an annulment", () => {
  const annulment = seal(aCancellation({ reference: "is1-2", chain: LINKED }), 2);

  test("of its invoice holds", () => {
    expect(brokenIn(rowOf(annulment, { ...CORRECTS, origin: "cancel:in1:1" }))).toEqual([]);
  });

  test("of another invoice does not", () => {
    expect(brokenIn(rowOf(annulment, { ...CORRECTS, origin: "cancel:in2:1" }))).toEqual(["invoice"]);
  });
});

describe("the day of issue", () => {
  const onDay = (date: string, generatedAt: string) => {
    const record = seal(
      aRegistration({ reference: "is1-1", key: { ...FIRST.content.key, date }, generatedAt }),
      1,
    );
    const [day, month, year] = date.split("-");
    const invoice = { ...rowOf(FIRST).invoice, issueDate: `${year}-${month}-${day}` };
    return brokenFirst({ ...rowOf(record), invoice } as RecordRow);
  };

  test.each<[string, string, string, readonly RecordCheck[]]>([
    ["is that of the timestamp", "27-11-2026", "2026-11-27T23:59:59+01:00", []],
    [
      "may be Madrid's where the Canaries are one hour earlier",
      "28-11-2026",
      "2026-11-27T23:30:00+00:00",
      [],
    ],
    ["is not the day before", "26-11-2026", "2026-11-27T10:00:00+01:00", ["issue_date"]],
    ["is not the day after", "28-11-2026", "2026-11-27T10:00:00+01:00", ["issue_date"]],
    ["is not of a time that is none", "27-11-2026", "2026-11-27T99:00:00+01:00", ["issue_date"]],
  ])("%s", (_, date, generatedAt, expected) => {
    expect(onDay(date, generatedAt)).toEqual(expected);
  });
});

describe("after an unreadable record", () => {
  const LOST: WalkedHead = { isRead: false, position: 1, hash: FIRST.hash };

  test.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["a list", "[]"],
    ["a number for a text", JSON.stringify({ ...FIRST.content, total: 121 })],
    ["no key", JSON.stringify({ ...FIRST.content, key: undefined })],
    ["no chain", JSON.stringify({ ...FIRST.content, chain: { first: false } })],
    ["another kind", JSON.stringify({ ...FIRST.content, kind: "OTHER" })],
    ["no breakdown", JSON.stringify({ ...FIRST.content, breakdown: undefined })],
  ])("%s", (_, content) => {
    expect(verifyRecord(rowOf(FIRST, { content }), undefined, OWNER)).toEqual({
      head: LOST,
      checked: ["content"],
      broken: ["content"],
    });
  });

  test("the next one is held to place and hash", () => {
    expect(brokenIn(rowOf(amendment(), CORRECTS), LOST)).toEqual([]);
    expect(brokenIn(rowOf(amendment(), CORRECTS), { ...LOST, hash: "0".repeat(64) })).toEqual(["link"]);
    expect(brokenIn(rowOf(amendment(), CORRECTS), { ...LOST, position: 4 })).toEqual(["position"]);
  });
});

test.each<[string, Partial<RecordRow>]>([
  ["kind", { kind: "ANULACION" }],
  ["previous hash", { previousHash: "0".repeat(64) }],
  ["account", { accountId: "ac2" }],
])("a %s that differs from the literals is reported", (_, change) => {
  expect(brokenFirst(rowOf(FIRST, change))).toEqual(["row"]);
});

test("a record of another installation is reported", () => {
  const other = { ...OWNER, installationNumber: "another" };
  expect(verifyRecord(rowOf(FIRST), undefined, other).broken).toEqual(["row"]);
  expect(verifyRecord(rowOf(FIRST), undefined, { ...OWNER, installationId: "is2" }).broken).toEqual(["row"]);
});
