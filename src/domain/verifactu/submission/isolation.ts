import type { Instant } from "../../shared/instant.ts";
import type { Told } from "./meaning.ts";

/** The search for the record that gets whole messages refused. */
export interface Isolation {
  /** The range that contains the broken record. */
  readonly from: number;
  readonly to: number;
  /** Only `from` is suspected. If the record after it is refused too, every message is. */
  readonly suspected: boolean;
  /** The time to retry the suspect if no record follows it. */
  readonly retryAt: Instant;
  readonly told: Told;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The half to try first. */
export function halfOf({ from, to }: Range): Range {
  return { from, to: from + Math.floor((to - from) / 2) };
}

/** A message in good form has been answered lately: it is not the form of all of them. */
const PROOF_MS = 60 * 60_000;

export type Narrowed =
  | { readonly next: "search"; readonly isolation: Isolation }
  | { readonly next: "blame"; readonly position: number }
  /** The authority refuses every message. */
  | { readonly next: "stop" };

export interface RefusedMessage {
  readonly range: Range;
  readonly told: Told;
  readonly at: Instant;
  readonly answeredAt: Instant | undefined;
  readonly retryMs: number;
}

export function narrow(isolation: Isolation | undefined, refused: RefusedMessage): Narrowed {
  const { range, told, at, answeredAt, retryMs } = refused;
  const isProbe = isolation?.suspected === true && isolation.from !== range.from;
  if (isProbe) return { next: "stop" };
  const isAlone = range.from === range.to;
  const isProven = answeredAt !== undefined && at - answeredAt <= PROOF_MS;
  if (isAlone && isProven) return { next: "blame", position: range.from };
  return {
    next: "search",
    isolation: { from: range.from, to: range.to, suspected: isAlone, retryAt: at + retryMs, told },
  };
}

export interface Cleared {
  readonly isolation?: Isolation;
  /** It is the suspect after all: another message has been answered. */
  readonly blamed?: { readonly position: number; readonly told: Told };
}

export function clearUpTo(isolation: Isolation | undefined, answered: Range): Cleared {
  if (!isolation) return {};
  const { from, to, suspected, told } = isolation;
  if (suspected) return answered.from === from ? {} : { blamed: { position: from, told } };
  const rest = Math.max(from, answered.to + 1);
  return rest > to ? {} : { isolation: { ...isolation, from: rest } };
}
