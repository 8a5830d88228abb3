/** Reads lines of logs as they come and keeps the forbidden ones. */
import { findingsIn, givenAway, type Known, masked } from "./findings.ts";

/** Leaks on purpose, by which a run proves that it would notice one. */
export const PLANTED = "planted-leak";

export interface LogScan {
  readonly lines: number;
  /** Planted lines in which a leak was found. */
  readonly planted: number;
  readonly leaks: readonly string[];
  /** Lines of the product's log: nothing else may come that way. */
  hear(text: string, where: string): void;
  /** Output of any other writer. */
  overhear(text: string, where: string): void;
}

const MOST_LEAKS = 50;

export function newLogScan(known: Known): LogScan {
  const leaks: string[] = [];
  let [lines, planted] = [0, 0];
  function keep(line: string, where: string, find: typeof findingsIn): void {
    lines += 1;
    const findings = find(line, known);
    if (findings.length === 0) return;
    if (line.includes(PLANTED)) planted += 1;
    else if (leaks.length < MOST_LEAKS)
      leaks.push(`${where}: ${findings.join("; ")} in ${masked(line, known)}`);
  }
  return {
    get lines() {
      return lines;
    },
    get planted() {
      return planted;
    },
    leaks,
    hear: (text, where) => text.split("\n").forEach((line) => void keep(line, where, findingsIn)),
    overhear: (text, where) => text.split("\n").forEach((line) => void keep(line, where, givenAway)),
  };
}
