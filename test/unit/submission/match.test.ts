import { expect, test } from "vitest";
import {
  type AnswerLine,
  matchAnswer,
  type SentIdentity,
} from "../../../src/domain/verifactu/submission/answer.ts";
import type { Operation } from "../../../src/domain/verifactu/submission/state.ts";

const ALTA: Operation = { kind: "ALTA", amends: false, previousRejection: "N", withoutPreviousRecord: false };
const AMENDMENT: Operation = { ...ALTA, amends: true };
const ANULACION: Operation = { ...ALTA, kind: "ANULACION" };
const key = (number: string) => ({ issuerNif: "89890001K", number, date: "27-11-2026" });

function sent(position: number, number: string, operation = ALTA): SentIdentity {
  return { position, reference: `r${position}`, key: key(number), operation };
}

function line(reference: string | undefined, number: string, operation = ALTA): AnswerLine {
  return {
    ...(reference === undefined ? {} : { reference }),
    key: key(number),
    operation,
    state: "accepted",
  };
}

const SENT = [sent(7, "A-1"), sent(8, "A-1", AMENDMENT), sent(9, "A-1", ANULACION), sent(10, "A-2")];
const LINES = [
  line("r7", "A-1"),
  line("r8", "A-1", AMENDMENT),
  line("r9", "A-1", ANULACION),
  line("r10", "A-2"),
];
const without = LINES.map(({ reference: _, ...others }) => others);

test.each<[string, readonly AnswerLine[], unknown]>([
  ["by reference", LINES, [7, 8, 9, 10]],
  ["in any order, reported in the chain's", LINES.toReversed(), [7, 8, 9, 10]],
  ["without references, by the invoice and the operation", without, [7, 8, 9, 10]],
  ["some with, some without", [...LINES.slice(0, 2), ...without.slice(2)], [7, 8, 9, 10]],
  ["spaces at the ends do not count", [...LINES.slice(0, 3), line("r10", " A-2 ")], [7, 8, 9, 10]],
  [
    "a reference decides, with any repeated flags",
    [line("r7", "A-1"), line("r8", "A-1"), line("r9", "A-1", ANULACION), line("r10", "A-2", AMENDMENT)],
    [7, 8, 9, 10],
  ],
  ["none at all", [], { problem: "missing_line", position: 7 }],
  ["one missing", LINES.slice(0, 3), { problem: "missing_line", position: 10 }],
  ["one twice", [...LINES, line("r10", "A-2")], { problem: "repeated_line", line: 4 }],
  [
    "one twice, instead of another",
    [...LINES.slice(1), line("r8", "A-1", AMENDMENT)],
    { problem: "repeated_line", line: 3 },
  ],
  ["an unknown reference", [...LINES.slice(0, 3), line("r11", "A-2")], { problem: "unknown_line", line: 3 }],
  [
    "a reference with another invoice",
    [...LINES.slice(0, 3), line("r10", "A-3")],
    { problem: "unknown_line", line: 3 },
  ],
  [
    "a reference with another operation",
    [...LINES.slice(0, 3), line("r10", "A-2", ANULACION)],
    { problem: "unknown_line", line: 3 },
  ],
  ["an unknown invoice", [...LINES, line(undefined, "A-3")], { problem: "unknown_line", line: 4 }],
])("%s", (_, lines, expected) => {
  const matched = matchAnswer(SENT, lines);
  expect(matched.ok ? matched.value.map(({ record }) => record.position) : matched.error).toEqual(expected);
});

test("each record has its own line", () => {
  const matched = matchAnswer(SENT, LINES.toReversed());
  for (const { record, line: own } of matched.ok ? matched.value : []) {
    expect(own.reference).toBe(record.reference);
  }
});

test("two records that look alike need their references", () => {
  const twins = [sent(1, "A-1", ANULACION), sent(2, "A-1", ANULACION)];
  const lines = [line("r1", "A-1", ANULACION), line("r2", "A-1", ANULACION)];
  expect(matchAnswer(twins, lines).ok).toBe(true);
  const bare = lines.map(({ reference: _, ...others }) => others);
  expect(matchAnswer(twins, bare)).toEqual({ ok: false, error: { problem: "ambiguous_line", line: 0 } });
});
