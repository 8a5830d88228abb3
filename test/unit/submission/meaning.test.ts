/** The effect of a line on a record: `verifactu.md` 9.3 and 9.6. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AnswerLine, Comparison, DuplicateOf } from "../../../src/domain/verifactu/submission/answer.ts";
import { PACE } from "../../../src/domain/verifactu/submission/chain.ts";
import {
  classOfFault,
  isToCompare,
  meaningOf,
  type SentRecord,
} from "../../../src/domain/verifactu/submission/meaning.ts";
import { changeOf } from "../../../src/domain/verifactu/submission/settle.ts";
import type { Operation } from "../../../src/domain/verifactu/submission/state.ts";
import { aeatFolder } from "../../support/authority/aeat-folder.ts";

const ALTA: Operation = { kind: "ALTA", amends: false, previousRejection: "N", withoutPreviousRecord: false };
const ALTA_X: Operation = { ...ALTA, amends: true, previousRejection: "X" };
const ANULACION: Operation = { ...ALTA, kind: "ANULACION", withoutPreviousRecord: true };
const KEY = { issuerNif: "89890001K", number: "A-1", date: "27-11-2026" };

function sent(operation: Operation, wasLost: boolean): SentRecord {
  return { position: 1, reference: "r1", key: KEY, operation, wasLost, tries: 0 };
}

function said(state: AnswerLine["state"], code?: number, duplicate?: DuplicateOf["state"]): AnswerLine {
  return {
    ...{ reference: "r1", key: KEY, operation: ALTA, state },
    ...(code === undefined ? {} : { code, text: "dicho" }),
    ...(duplicate && {
      duplicate: { petition: "20261127", state: duplicate, ...DUPLICATE_ERRORS[duplicate] },
    }),
  };
}

const DUPLICATE_ERRORS = { accepted: {}, accepted_with_errors: { code: 2005, text: "total" }, annulled: {} };

const LOST = true;
const FIRST = false;

test.each<[string, Operation, boolean, AnswerLine, unknown]>([
  ["accepted", ALTA, FIRST, said("accepted"), { means: "accepted", adopted: false }],
  [
    "accepted with errors",
    ALTA,
    FIRST,
    said("accepted_with_errors", 2004),
    { means: "accepted_with_errors", code: 2004 },
  ],
  ["rejected", ALTA, FIRST, said("rejected", 1239), { means: "rejected", code: 1239, text: "dicho" }],
  ["rejected after a lost attempt", ALTA, LOST, said("rejected", 1239), { means: "rejected", code: 1239 }],
  ...[1129, 1241, 1243, 1256, 1288].map((code): [string, Operation, boolean, AnswerLine, unknown] => [
    ...([`technical, ${code}`, ALTA, FIRST] as const),
    ...([said("rejected", code), { means: "again", code }] as const),
  ]),
  [
    "a lost, accepted record",
    ALTA,
    LOST,
    said("rejected", 3000, "accepted"),
    { means: "accepted", adopted: true, petition: "20261127" },
  ],
  [
    ...(["a lost record accepted with errors", ALTA, LOST] as const),
    ...([
      said("rejected", 3000, "accepted_with_errors"),
      { means: "accepted_with_errors", adopted: true, code: 2005, text: "total" },
    ] as const),
  ],
  [
    "a lost record with an annulled key: by whom?",
    ALTA,
    LOST,
    said("rejected", 3000, "annulled"),
    { means: "not_compared", code: 3000 },
  ],
  [
    "a lost one without a word on the duplicate",
    ALTA,
    LOST,
    said("rejected", 3000),
    { means: "rejected", hold: "foreign_duplicate" },
  ],
  [
    "a duplicate that was never lost",
    ALTA,
    FIRST,
    said("rejected", 3000, "accepted"),
    { means: "rejected", code: 3000, hold: "foreign_duplicate" },
  ],
  [
    "an amendment after a rejection, lost: unknown owner",
    ALTA_X,
    LOST,
    said("rejected", 3000, "accepted"),
    { means: "not_compared", code: 3000, text: "dicho" },
  ],
  [
    "the same, not lost",
    ALTA_X,
    FIRST,
    said("rejected", 3000, "accepted"),
    { means: "rejected", hold: "foreign_duplicate" },
  ],
  [
    "a lost annulment that was accepted",
    ANULACION,
    LOST,
    said("rejected", 3000, "annulled"),
    { means: "accepted", adopted: true },
  ],
  [
    "a lost annulment of a record in force",
    ANULACION,
    LOST,
    said("rejected", 3000, "accepted"),
    { means: "rejected", hold: "foreign_duplicate" },
  ],
  [
    "an annulment that was never lost",
    ANULACION,
    FIRST,
    said("rejected", 3000, "annulled"),
    { means: "rejected", hold: "foreign_duplicate" },
  ],
])("%s", (_, operation, wasLost, line, expected) => {
  const record = sent(operation, wasLost);
  expect(meaningOf({ record, line }, { sent: [record] })).toMatchObject(expected as object);
});

test.each([
  ["a record that may have arrived before stays so", LOST, "submitted"],
  ["a record that cannot have arrived waits as before", FIRST, "pending_submission"],
])("not decided on: %s", (_, wasLost, state) => {
  const record = sent(ALTA, wasLost);
  const meaning = meaningOf({ record, line: said("rejected", 1241) }, { sent: [record] });
  const when = { at: 1_000, chance: 0, pace: PACE };
  expect(changeOf(record, meaning, when)).toMatchObject({ state, code: 1241, tries: 1, notBefore: 61_000 });
});

describe("a lost registration of an annulled invoice, its annulment in another message", () => {
  const record = sent(ALTA, LOST);
  const line = said("rejected", 3000, "annulled");

  test.each<[Comparison, unknown]>([
    ["ours", { means: "accepted", adopted: true }],
    ["foreign", { means: "rejected", hold: "foreign_duplicate" }],
    ["unknown", { means: "not_compared", code: 3000 }],
  ])("%s", (whose, expected) => {
    expect(isToCompare({ record, line }, [record])).toBe(true);
    const facts = { sent: [record], compared: new Map([[1, whose]]) };
    expect(meaningOf({ record, line }, facts)).toMatchObject(expected as object);
  });

  test("with its annulment in the message no query is needed", () => {
    const annulment = { ...sent(ANULACION, LOST), position: 2 };
    expect(isToCompare({ record, line }, [record, annulment])).toBe(false);
    expect(meaningOf({ record, line }, { sent: [record, annulment] })).toMatchObject({ means: "accepted" });
  });
});

describe("an annulment with its undecided registration", () => {
  const record = sent(ALTA, FIRST);
  const annulment = { ...sent({ ...ANULACION, withoutPreviousRecord: false }, FIRST), position: 2 };
  const facts = { sent: [record, annulment], undecided: [record] };

  test("does not exist, says the authority: it goes again", () => {
    expect(meaningOf({ record: annulment, line: said("rejected", 3002) }, facts)).toMatchObject({
      means: "again",
      code: 3002,
    });
  });

  test.each([
    ["refused for another reason", 1100, facts],
    ["after a decided one", 3002, { ...facts, undecided: [] }],
    [
      "after one of another invoice",
      3002,
      { ...facts, undecided: [{ ...record, key: { ...KEY, number: "A-2" } }] },
    ],
  ])("%s: it is rejected", (_, code, known) => {
    expect(meaningOf({ record: annulment, line: said("rejected", code) }, known)).toMatchObject({
      means: "rejected",
    });
  });
});

describe("an amendment after a rejection, lost, with its key at the authority", () => {
  const record = sent(ALTA_X, LOST);
  const meaning = (whose: Comparison, duplicate: DuplicateOf["state"] = "accepted") =>
    meaningOf(
      { record, line: said("rejected", 3000, duplicate) },
      { sent: [record], compared: new Map([[1, whose]]) },
    );

  test("ours: adopted as the duplicate says", () => {
    expect(meaning("ours")).toEqual({ means: "accepted", adopted: true, petition: "20261127" });
    expect(meaning("ours", "accepted_with_errors")).toMatchObject({
      ...{ means: "accepted_with_errors", adopted: true, code: 2005 },
    });
    expect(meaning("ours", "annulled")).toMatchObject({ means: "accepted", adopted: true });
  });

  test("another's: held", () => {
    expect(meaning("foreign")).toMatchObject({ means: "rejected", code: 3000, hold: "foreign_duplicate" });
  });

  test("unknown: it stays lost, and goes again later", () => {
    expect(meaning("unknown")).toEqual({ means: "not_compared", code: 3000, text: "dicho" });
    const when = { at: 1_000, chance: 0, pace: PACE };
    expect(changeOf({ ...record, tries: 1 }, meaning("unknown"), when)).toEqual({
      ...{ position: 1, state: "submitted", code: 3000, text: "dicho", tries: 2, notBefore: 121_000 },
    });
  });

  test("a comparison changes nothing of other duplicates", () => {
    const others = { sent: [record], compared: new Map<number, Comparison>([[1, "foreign"]]) };
    const line = said("rejected", 3000, "accepted");
    expect(meaningOf({ record: sent(ALTA, LOST), line }, others)).toMatchObject({ means: "accepted" });
    const first = { record: sent(ALTA_X, FIRST), line };
    expect(meaningOf(first, { ...others, compared: new Map([[1, "ours"]]) })).toMatchObject({
      hold: "foreign_duplicate",
    });
  });
});

test("a record without a doubt has no hold", () => {
  const record = sent(ALTA, FIRST);
  const meaning = meaningOf({ record, line: said("rejected", 1239) }, { sent: [record] });
  expect(meaning).not.toHaveProperty("hold");
});

describe("whole messages refused", () => {
  test.each([
    ["retry", [102, 3500, 3501, 4103, 4108, 4110, 4111, 4118, 4128, 4134]],
    ["isolate", [4102, 4106, 4109, 4113, 4114, 4119, 4136, 4137]],
    ["operator", [4104, 4105, 4107, 4112, 4115, 4116, 4117, 4120, 4121, 4126, 4127, 4138, 4139, 4140, 4141]],
  ])("%s, for any culprit", (kind, codes) => {
    for (const code of codes) {
      for (const side of ["client", "server"] as const)
        expect(classOfFault({ code, side, text: "" })).toBe(kind);
    }
  });

  test("unknown faults: the server's is tried again, the client's is searched", () => {
    for (const fault of [{ text: "" }, { code: 4999, text: "" }]) {
      expect(classOfFault({ ...fault, side: "server" })).toBe("retry");
      expect(classOfFault({ ...fault, side: "client" })).toBe("isolate");
    }
  });

  test.skipIf(aeatFolder === undefined)("no code of the AEAT's table is left to chance", () => {
    const table = readFileSync(`${aeatFolder}/errores.properties`, "latin1");
    const codes = [...table.matchAll(/^(4\d{3}|35\d\d) = /gm)].map(([, code]) => Number(code));
    expect(codes.length).toBeGreaterThan(40);
    const isNamed = (code: number) =>
      classOfFault({ code, side: "client", text: "" }) === classOfFault({ code, side: "server", text: "" });
    expect(codes.filter((code) => !isNamed(code))).toEqual([]);
  });
});
