import * as z from "zod";
import type { UnknownLists } from "../rules/check.ts";
import type { RecordIdentity } from "../rules/record.ts";
import { isMessageCode, isRecordCode } from "../soap/error-texts.ts";
import { countOn, type Database, readSetting, writeSetting } from "../store/database.ts";

/** The control as set, and how far its queue, its chances and its rules have come. */

const CONTROL = "control";
const MESSAGES_SEEN = "messages_seen";
const MESSAGE_STREAM = 0;

/** As set last, else as the sandbox was started. */
export function readControl(database: Database, initial: Control): Control {
  const stored = controlSchema.safeParse(readSetting(database, CONTROL));
  return stored.success ? stored.data : initial;
}

/** Restarts chances and counts, so that the same control gives the same run. */
export function writeControl(database: Database, control: Control): void {
  database.transaction(() => {
    writeSetting(database, CONTROL, control);
    writeSetting(database, MESSAGES_SEEN, 0);
    for (const [index] of control.records.entries()) {
      writeSetting(database, seenBy(index), 0);
      writeSetting(database, hitBy(index), 0);
    }
  });
}

/** The misbehaviour for the message just received. */
export function nextMisbehaviour(database: Database, control: Control): Misbehaviour {
  return database.transaction(() => {
    const seen = countOn(database, MESSAGES_SEEN);
    const [next, ...queue] = control.queue;
    if (next !== undefined) {
      writeSetting(database, CONTROL, { ...control, queue });
      return next;
    }
    return control.always ?? drawn(control, seen) ?? { fault: "none" };
  });
}

function drawn({ seed, random }: Control, index: number): Misbehaviour | undefined {
  let left = draw(seed, MESSAGE_STREAM, index);
  for (const { share, ...misbehaviour } of random) {
    if (left < share) return misbehaviour;
    left -= share;
  }
  return undefined;
}

/** The code that a rule has for a record with which nothing is wrong. Inside a transaction. */
export function ruledCode(database: Database, control: Control, record: RecordIdentity): number | undefined {
  for (const [index, rule] of control.records.entries()) {
    if (!isAbout(rule, record)) continue;
    const seen = countOn(database, seenBy(index)) + 1;
    if (!isDue(rule, control.seed, index, seen)) continue;
    if (rule.times !== undefined && Number(readSetting(database, hitBy(index)) ?? 0) >= rule.times) continue;
    countOn(database, hitBy(index));
    return rule.code;
  }
  return undefined;
}

function isAbout({ number, operation }: RecordRule, record: RecordIdentity): boolean {
  const own = record.kind === "Anulacion" ? "anulacion" : record.isAmendment ? "subsanacion" : "alta";
  return (operation ?? own) === own && (number === undefined || isLike(record.key.number, number));
}

/** `*` matches any characters. */
function isLike(number: string, pattern: string): boolean {
  const [start = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return number === pattern;
  if (!number.startsWith(start)) return false;
  const end = parts.pop() ?? "";
  let rest = number.slice(start.length);
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at === -1) return false;
    rest = rest.slice(at + part.length);
  }
  return rest.endsWith(end);
}

function isDue({ every, share }: RecordRule, seed: number, index: number, seen: number): boolean {
  const isTurn = every === undefined || seen % every === 0;
  return isTurn && (share === undefined || draw(seed, index + 1, seen) < share);
}

function seenBy(rule: number): string {
  return `rule_${rule}_seen`;
}

function hitBy(rule: number): string {
  return `rule_${rule}_hits`;
}

export function listsOf(control: Control): UnknownLists {
  return {
    notInCensus: new Set(control.not_in_census),
    notInVies: new Set(control.not_in_vies),
    noAgreement: new Set(control.no_agreement),
  };
}

/** Chance that a long run can have twice: every draw follows from seed, stream and index alone. */

/** At least 0 and less than 1. */
function draw(seed: number, stream: number, index: number): number {
  return mixed(mixed(mixed(seed) ^ stream) ^ index) / 0x1_0000_0000;
}

/** The finaliser of MurmurHash3: one bit in changes half of the bits out. */
function mixed(value: number): number {
  let bits = (value + 0x9e37_79b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The settings of the sandbox, as JSON: its behaviour, and the lists it assumes. */

const FAULTS = [
  ...["none", "timeout", "slow", "http_error", "html", "redirect", "empty", "truncated", "closed"],
  "soap_fault",
] as const;

const misbehaviourFields = {
  fault: z.enum(FAULTS),
  when: z.enum(["before_storing", "after_storing"]).optional(),
  delay_ms: z.int().min(0).max(600_000).optional(),
  status: z.int().min(400).max(599).optional(),
  code: z.int().refine(isMessageCode, "no code that refuses a whole message").optional(),
};

const misbehaviour = z
  .strictObject(misbehaviourFields)
  .refine(({ fault, code }) => fault !== "soap_fault" || code !== undefined, "soap_fault needs a code")
  .refine(
    ({ fault, when }) => fault !== "truncated" || when !== "before_storing",
    "truncated answers are answers to what was stored",
  );

export type Misbehaviour = z.infer<typeof misbehaviour>;

const recordRule = z.strictObject({
  code: z.int().refine(isRecordCode, "no code of a record"),
  every: z.int().min(1).optional(),
  number: z.string().max(60).optional(),
  share: z.number().min(0).max(1).optional(),
  operation: z.enum(["alta", "subsanacion", "anulacion"]).optional(),
  times: z.int().min(1).optional(),
});

type RecordRule = z.infer<typeof recordRule>;

const names = z.array(z.string().max(20)).max(10_000).default([]);

export const controlSchema = z.strictObject({
  /** TiempoEsperaEnvio; null sends it empty. */
  wait_seconds: z.int().min(0).max(9_999).nullable().default(60),
  clock_offset_seconds: z.int().min(-4e9).max(4e9).default(0),
  /** HTTP status of SOAP faults: sources disagree about the real service. */
  fault_status: z.union([z.literal(200), z.literal(500)]).default(500),
  /**
   * If true, a broken chain is reported (2003); the real service checks only the form of the previous hash.
   */
  strict_chain: z.boolean().default(false),
  query_page_size: z.int().min(1).max(10_000).default(10_000),
  not_in_census: names,
  not_in_vies: names,
  no_agreement: names,
  /** One per following message; "none" means normal behaviour. */
  queue: z.array(misbehaviour).max(10_000).default([]),
  /** For every message, once the queue is empty. */
  always: misbehaviour.optional(),
  seed: z.int().min(0).max(0xffff_ffff).default(1),
  random: z
    .array(z.strictObject({ ...misbehaviourFields, share: z.number().min(0).max(1) }))
    .max(100)
    .refine((all) => all.reduce((sum, { share }) => sum + share, 0) <= 1, "the shares exceed 1")
    .default([]),
  records: z.array(recordRule).max(100).default([]),
});

export type Control = z.infer<typeof controlSchema>;
