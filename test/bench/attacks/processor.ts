/** Processor time of a process group, from Linux; 0 elsewhere. */
import { readdirSync, readFileSync } from "node:fs";

const TICK_MS = 10;

export function processorMsOf(group: number): number {
  return pids().reduce((sum, pid) => sum + ticksOf(pid, group) * TICK_MS, 0);
}

function pids(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** The fields of `/proc/PID/stat` after the name: group, its own time, time in the kernel. */
const [GROUP, OWN, KERNEL] = [2, 11, 12] as const;

function ticksOf(pid: string, group: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[GROUP]) === group ? Number(fields[OWN]) + Number(fields[KERNEL]) : 0;
  } catch {
    // It has ended since.
    return 0;
  }
}
