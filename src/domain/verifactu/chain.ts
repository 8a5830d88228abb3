import { instantOf } from "../shared/instant.ts";
import { err, ok, type Result } from "../shared/result.ts";
import { type ChainHead, type ChainLink, linkTo, type SealedRecord } from "./record.ts";
import { recordHash } from "./record-hash.ts";

/** In the order of reporting. */
export const CHAIN_FAULTS = ["position", "first", "link", "hash", "time"] as const;
export type ChainFault = (typeof CHAIN_FAULTS)[number];

/** Position where the chain first breaks, counted from 1; of a gap, the first one missing. */
export interface BrokenChain {
  readonly position: number;
  readonly fault: ChainFault;
}

/**
 * Art. 7 Orden HAC/1177/2024, checked again over a whole chain from its first record. The AEAT accepts forks
 * and gaps, so no answer of the AEAT proves this.
 */
export function verifyChain(records: readonly SealedRecord[]): Result<{ checked: number }, BrokenChain> {
  let head: ChainHead | undefined;
  for (const record of records) {
    const [fault] = chainFaults(record, head);
    if (fault) return err({ position: nextPosition(head), fault });
    head = headOf(record);
  }
  return ok({ checked: records.length });
}

/** The link that the next record must carry. */
export function headOf({ content, position, hash }: SealedRecord): ChainHead {
  return { position, hash, key: content.key, generatedAt: content.generatedAt };
}

/** All faults of a record that follows `head`, most serious first. */
export function chainFaults(record: SealedRecord, head: ChainHead | undefined): readonly ChainFault[] {
  const { chain, generatedAt } = record.content;
  const isFirst = head === undefined;
  const faults: Readonly<Record<ChainFault, boolean>> = {
    position: record.position !== nextPosition(head),
    first: chain.first !== isFirst,
    link: chain.first === isFirst && !isSameLink(chain, linkTo(head)),
    hash: record.hash !== recordHash(record.content),
    time: head !== undefined && !isInOrder(head.generatedAt, generatedAt),
  };
  return CHAIN_FAULTS.filter((fault) => faults[fault]);
}

export function nextPosition(head: Pick<ChainHead, "position"> | undefined): number {
  return (head?.position ?? 0) + 1;
}

function isSameLink(a: ChainLink, b: ChainLink): boolean {
  if (a.first || b.first) return a.first === b.first;
  const sameKey = a.issuerNif === b.issuerNif && a.number === b.number && a.date === b.date;
  return sameKey && a.hash === b.hash;
}

/** Compared as instants: in October the local hour is repeated, but the instant increases. */
function isInOrder(earlier: string, later: string): boolean {
  return instantOf(earlier) <= instantOf(later);
}
