import type { InvoiceKey } from "../record.ts";
import type { AnswerLine, DuplicateOf } from "./answer.ts";
import { isTechnical } from "./fault-class.ts";
import type { MatchedLine, SentIdentity } from "./match.ts";

export interface SentRecord extends SentIdentity {
  /** It may have reached the authority before this attempt: an earlier one ended without an answer. */
  readonly wasLost: boolean;
  /** How often the authority could not decide on it. */
  readonly tries: number;
}

/**
 * Why a person, or a comparison of hashes, comes before any correction.
 * `foreign_duplicate`: somebody else's record has the key. `compare_hash`: it is ours or somebody else's.
 */
export type Hold = "foreign_duplicate" | "compare_hash";

/** What a line makes of a record. */
export type LineMeaning =
  | { readonly means: "accepted"; readonly adopted: boolean; readonly petition?: string }
  | ({ readonly means: "accepted_with_errors"; readonly adopted: boolean; readonly petition?: string } & Told)
  | ({ readonly means: "rejected"; readonly hold?: Hold } & Told)
  /** Not decided: the same record goes again. */
  | ({ readonly means: "again" } & Told);

export interface Told {
  readonly code?: number;
  readonly text?: string;
}

const DUPLICATE = 3000;

/** `message`: all records that travelled together, in the order of the chain. */
export function meaningOf<Sent extends SentRecord>(
  { record, line }: MatchedLine<Sent>,
  message: readonly SentRecord[],
): LineMeaning {
  if (line.state === "accepted") return { means: "accepted", adopted: false };
  if (line.state === "accepted_with_errors") {
    return { means: "accepted_with_errors", adopted: false, ...toldBy(line) };
  }
  if (line.code === DUPLICATE) return meaningOfDuplicate(record, line, message);
  return { means: isTechnical(line.code) ? "again" : "rejected", ...toldBy(line) };
}

/**
 * 3000 after an attempt without answer: the record itself is what the authority has, and what it says of that
 * one holds. Without such an attempt the key is another record's.
 */
function meaningOfDuplicate(
  record: SentRecord,
  line: AnswerLine,
  message: readonly SentRecord[],
): LineMeaning {
  const { duplicate } = line;
  const hold = (why: Hold): LineMeaning => ({ means: "rejected", hold: why, ...toldBy(line) });
  if (!record.wasLost || !duplicate) return hold("foreign_duplicate");
  const { operation } = record;
  if (operation.kind === "ANULACION") {
    return duplicate.state === "annulled" ? adopted(duplicate) : hold("foreign_duplicate");
  }
  // The invoice that the rejection left free may have been taken by somebody else meanwhile.
  if (operation.amends) return hold("compare_hash");
  if (duplicate.state !== "annulled") return adopted(duplicate);
  return isAnnulledLater(record, message) ? adopted(duplicate) : hold("foreign_duplicate");
}

/** What is told of an annulled invoice is told of its annulment: the record as such was accepted. */
function adopted(duplicate: DuplicateOf): LineMeaning {
  const { petition, state } = duplicate;
  if (state !== "accepted_with_errors") return { means: "accepted", adopted: true, petition };
  return { means: "accepted_with_errors", adopted: true, petition, ...toldBy(duplicate) };
}

/** The lost message held the annulment as well. */
function isAnnulledLater(record: SentRecord, message: readonly SentRecord[]): boolean {
  return message.some(
    ({ position, operation, key }) =>
      position > record.position && operation.kind === "ANULACION" && isSameInvoice(key, record.key),
  );
}

function isSameInvoice(one: InvoiceKey, other: InvoiceKey): boolean {
  return one.issuerNif === other.issuerNif && one.number === other.number && one.date === other.date;
}

function toldBy({ code, text }: Told): Told {
  return { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) };
}
