/**
 * The attackers run in a process of their own, so that their work is not in the time of an invoice. The
 * parent says which attack begins and ends. They report the first answered call, and at the end all
 * answers.
 */
import { setTimeout as delay } from "node:timers/promises";
import { ATTACKS, type Attack } from "./attack.ts";
import type { Facts } from "./scene.ts";

export type Order =
  | { readonly begin: string; readonly facts: Facts; readonly from: number }
  | { readonly end: true };

export interface Sent {
  readonly calls: number;
  readonly tookMs: number;
  /** How many calls each status answered. */
  readonly statuses: Readonly<Record<string, number>>;
}

export type Told = { readonly isGoing: true } | { readonly sent: Sent };

let isGoing = false;
let running: Promise<Sent> | undefined;

process.on("message", async (order: Order) => {
  if ("begin" in order) {
    const attack = ATTACKS.find(({ name }) => name === order.begin);
    if (!attack) throw new Error(`no attack is called ${order.begin}`);
    isGoing = true;
    running = send(attack, order.facts, order.from);
    return;
  }
  isGoing = false;
  if (running) tell({ sent: await running });
});

function tell(told: Told): void {
  process.send?.(told);
}

async function send(attack: Attack, facts: Facts, from: number): Promise<Sent> {
  const startedAt = performance.now();
  const statuses: Record<string, number> = {};
  let begun = 0;
  const caller = async () => {
    while (isGoing) {
      const mine = begun++;
      const dueInMs = startedAt + (mine * 1_000) / attack.perSecond - performance.now();
      if (dueInMs > 0) await delay(dueInMs);
      if (!isGoing) return;
      const status = await statusOf(attack.call(facts, from + mine), facts.url);
      if (Object.keys(statuses).length === 0) tell({ isGoing: true });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: attack.inFlight }, caller));
  const calls = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { calls, tookMs: performance.now() - startedAt, statuses };
}

async function statusOf({ path, ...asked }: ReturnType<Attack["call"]>, url: string): Promise<string> {
  try {
    const response = await fetch(url + path, { ...asked, redirect: "manual" });
    await response.arrayBuffer();
    return String(response.status);
  } catch {
    return "broken";
  }
}
