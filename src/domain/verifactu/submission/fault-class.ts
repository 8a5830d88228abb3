import type { SubmissionFault } from "./answer.ts";

/**
 * `retry`: the service's own trouble. `operator`: certificate, header or configuration; nothing gets through
 * until a person acts. `isolate`: one record of the message is to blame, and which one is to be found.
 */
export type FaultClass = "retry" | "operator" | "isolate";

/** Not to be read off the first digit: the 3500s refuse whole messages, too. 102 is outside of the table. */
const RETRY = [102, 103, 3500, 3501, 4103, 4108, 4110, 4111, 4118, 4128, 4134];

/** Broken structure or values: the authority refuses the message because of one record. */
const ISOLATE = [4102, 4106, 4109, 4113, 4114, 4119, 4136, 4137];

const OPERATOR = [
  // The header: issuer, representative, period and requirement.
  ...[4104, 4105, 4107, 4115, 4116, 4117, 4120, 4121, 4122, 4123, 4124, 4125, 4126, 4127, 4129, 4130, 4131],
  // The certificate and its holder's permissions.
  ...[4112, 4132, 4140, 4141],
  // The call itself, and a service that is not open.
  ...[3502, 3503, 4133, 4135, 4138, 4139],
];

/** Access taken away: only asking the AEAT helps, and every call makes it worse. */
export const SUSPENDED = 4141;

/** An unknown client fault may come from one record; only a search finds it. */
export function classOfFault({ code, side }: SubmissionFault): FaultClass {
  if (code !== undefined) {
    if (RETRY.includes(code)) return "retry";
    if (OPERATOR.includes(code)) return "operator";
    if (ISOLATE.includes(code)) return "isolate";
  }
  return side === "client" ? "isolate" : "retry";
}

/** Errors of single records that are the service's own: nothing is wrong with the record. */
const TECHNICAL_RECORD_CODES = [1129, 1241, 1243, 1256, 1288];

export function isTechnical(code: number | undefined): boolean {
  return code !== undefined && TECHNICAL_RECORD_CODES.includes(code);
}

/** Faults of the software or the sender: every record will be rejected. */
const SYSTEM_CODES = [1108, 1110, 1176, 1177, 1179, 1220, 1242, 3003];

/** Stored, with an error that only we can have made: hashes, totals, the first record of a chain. */
const FLAW_CODES = [2000, 2002, 2003, 2005, 2006, 2007, 2008];

/** Faults that only the operators can correct; afterwards the record is sent again. */
export function ourFault(code: number | undefined): "system" | "unreadable" | "flaw" | undefined {
  if (code === undefined) return undefined;
  if (SYSTEM_CODES.includes(code)) return "system";
  if (ISOLATE.includes(code)) return "unreadable";
  return FLAW_CODES.includes(code) ? "flaw" : undefined;
}

export const OUR_CODES: readonly number[] = [...SYSTEM_CODES, ...ISOLATE, ...FLAW_CODES];
