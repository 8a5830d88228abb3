import { expect, test } from "vitest";
import { headOf, verifyChain } from "../../src/domain/verifactu/chain.ts";
import { type ChainLink, linkTo, type SealedRecord } from "../../src/domain/verifactu/record.ts";
import { seal } from "../../src/domain/verifactu/record-hash.ts";
import { aCancellation, aChain, aRegistration } from "../support/builders/records.ts";

const FOUR = aChain([
  numbered("A-1", "2026-11-27T10:00:00+01:00"),
  numbered("A-2", "2026-11-27T10:00:00+01:00"),
  aCancellation({ key: keyOf("A-1"), generatedAt: "2026-11-27T10:00:01+01:00" }),
  numbered("A-3", "2026-11-27T10:00:02+01:00"),
]);
const [FIRST, SECOND, THIRD, FOURTH] = tuple(FOUR);

test.each([
  ["no records", []],
  ["one record", [FIRST]],
  ["registrations and a cancellation, two of them in one second", FOUR],
  [
    "the October change: the local hour goes back, the time does not",
    aChain([numbered("A-1", "2026-10-25T02:59:59+02:00"), numbered("A-2", "2026-10-25T02:00:00+01:00")]),
  ],
])("holds: %s", (_, records) => {
  expect(verifyChain(records)).toEqual({ ok: true, value: { checked: records.length } });
});

test.each<[string, readonly SealedRecord[], { position: number; fault: string }]>([
  ["a total changed", [FIRST, changed(SECOND, { total: "1.00" })], { position: 2, fault: "hash" }],
  ["a hash replaced", [{ ...FIRST, hash: "0".repeat(64) }], { position: 1, fault: "hash" }],
  ["a lower-case hash", [{ ...FIRST, hash: FIRST.hash.toLowerCase() }], { position: 1, fault: "hash" }],
  [
    "a record replaced by another that hashes well",
    [FIRST, resealed(SECOND, { total: "1.00" }), THIRD],
    { position: 3, fault: "link" },
  ],
  [
    "a link to another hash",
    [FIRST, relinked(SECOND, { hash: "0".repeat(64) })],
    { position: 2, fault: "link" },
  ],
  ["a link to another number", [FIRST, relinked(SECOND, { number: "A-9" })], { position: 2, fault: "link" }],
  [
    "a link to another date",
    [FIRST, relinked(SECOND, { date: "26-11-2026" })],
    { position: 2, fault: "link" },
  ],
  [
    "a link to another issuer",
    [FIRST, relinked(SECOND, { issuerNif: "89890002E" })],
    { position: 2, fault: "link" },
  ],
  ["a record missing in the middle", [FIRST, SECOND, FOURTH], { position: 3, fault: "position" }],
  ["the first record missing", [SECOND, THIRD], { position: 1, fault: "position" }],
  ["a record twice", [FIRST, FIRST], { position: 2, fault: "position" }],
  ["two records exchanged", [FIRST, THIRD, SECOND], { position: 2, fault: "position" }],
  ["positions from 0", [seal(FIRST.content, 0)], { position: 1, fault: "position" }],
  ["a second first record", [FIRST, seal(FIRST.content, 2)], { position: 2, fault: "first" }],
  ["a first record that links", [seal(SECOND.content, 1)], { position: 1, fault: "first" }],
  [
    "a record generated one second before the one it follows",
    aChain([numbered("A-1", "2026-11-27T10:00:01+01:00"), numbered("A-2", "2026-11-27T10:00:00+01:00")]),
    { position: 2, fault: "time" },
  ],
  [
    "a later hour that is an earlier time",
    aChain([numbered("A-1", "2026-11-27T10:00:00+00:00"), numbered("A-2", "2026-11-27T10:30:00+01:00")]),
    { position: 2, fault: "time" },
  ],
])("breaks: %s", (_, records, expected) => {
  expect(verifyChain(records)).toEqual({ ok: false, error: expected });
});

test("the head of a cancellation is the invoice that it cancels", () => {
  expect(headOf(THIRD)).toEqual({
    position: 3,
    hash: THIRD.hash,
    key: keyOf("A-1"),
    generatedAt: "2026-11-27T10:00:01+01:00",
  });
});

function numbered(number: string, generatedAt: string) {
  return aRegistration({ key: keyOf(number), generatedAt });
}

function keyOf(number: string) {
  return { issuerNif: "89890001K", number, date: "27-11-2026" };
}

function changed(record: SealedRecord, change: { total: string }): SealedRecord {
  return { ...record, content: { ...record.content, ...change } };
}

function resealed(record: SealedRecord, change: { total: string }): SealedRecord {
  return seal({ ...record.content, ...change }, record.position);
}

/** The record with a forged link and a hash that agrees with it. */
function relinked(record: SealedRecord, change: Partial<Exclude<ChainLink, { first: true }>>): SealedRecord {
  const chain = linkTo(headOf(FIRST));
  if (chain.first) throw new Error("no link to forge");
  return seal({ ...record.content, chain: { ...chain, ...change } }, record.position);
}

function tuple(records: readonly SealedRecord[]): [SealedRecord, SealedRecord, SealedRecord, SealedRecord] {
  const [first, second, third, fourth] = records;
  if (!(first && second && third && fourth)) throw new Error("four records expected");
  return [first, second, third, fourth];
}
