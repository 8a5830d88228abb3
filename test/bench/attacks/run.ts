/**
 * `npm run bench -- attacks`: the time of an invoice during an attack and in calm, in turns of one run.
 * Throws when an attack more than doubles it. ONLY is a pattern of the attacks.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { advance, begin, ownFolder, PATIENCE_OF_A_START_MS } from "../../support/progress/progress.ts";
import { type Spread, spreadOf } from "../report.ts";
import { machine, short } from "../tables.ts";
import { ATTACKS, type Attack } from "./attack.ts";
import type { Order, Sent, Told } from "./attackers.ts";
import { processorMsOf } from "./processor.ts";
import { openScene, type Scene } from "./scene.ts";

const only = new RegExp(process.env.ONLY || "");
const ROUNDS = 8;
const INVOICES = 15;
const WARM = 100;
const MOST_TIMES_CALM = 2;
const YIELDING = 5;

export interface AttackReport {
  readonly attack: Attack;
  readonly calm: Spread;
  readonly beside: Spread;
  readonly longestMs: number;
  readonly sent: Sent;
  /** Processor time of the product for one call of the attackers. */
  readonly processorMs: number;
}

export async function attackReports(): Promise<readonly AttackReport[]> {
  const folder = ownFolder(mkdtempSync(join(tmpdir(), "cuadre-attacks-")));
  let scene: Scene | undefined;
  const attackers = fork(join(import.meta.dirname, "attackers.ts"));
  // Their machines are not ours: where processors are few, theirs is what waits.
  if (attackers.pid !== undefined) setPriority(attackers.pid, Math.min(getPriority() + YIELDING, 19));
  try {
    begin("open the companies", { patienceMs: PATIENCE_OF_A_START_MS });
    scene = await openScene(join(folder, "product"));
    await issue(scene, WARM);
    const reports: AttackReport[] = [];
    for (const attack of ATTACKS.filter(({ name }) => only.test(name))) {
      const report = await measure(attack, scene, attackers);
      console.log(lineOf(report));
      reports.push(report);
    }
    return reports;
  } finally {
    attackers.kill("SIGKILL");
    await scene?.worker.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures between the beginning and the end of one attack. */
async function measure(attack: Attack, scene: Scene, attackers: ChildProcess): Promise<AttackReport> {
  const calm: number[] = [];
  const beside: number[] = [];
  const sent: Sent[] = [];
  let [calmProcessorMs, besideProcessorMs] = [0, 0];
  const processorMs = () => processorMsOf(scene.worker.group);
  begin(attack.name, { total: ROUNDS });
  for (let round = 0; round < ROUNDS; round++) {
    const before = processorMs();
    calm.push(...(await issue(scene, INVOICES)));
    const between = processorMs();
    const from = sent.reduce((sum, { calls }) => sum + calls, 0);
    await order(attackers, { begin: attack.name, facts: scene.facts, from });
    beside.push(...(await issue(scene, INVOICES)));
    sent.push(await ended(attackers));
    calmProcessorMs += between - before;
    besideProcessorMs += processorMs() - between;
    advance();
  }
  const all = summed(sent);
  return {
    ...{ attack, calm: spreadOf(calm), beside: spreadOf(beside), longestMs: Math.max(...beside), sent: all },
    processorMs: (besideProcessorMs - calmProcessorMs) / all.calls,
  };
}

async function order(attackers: ChildProcess, begin: Order): Promise<void> {
  attackers.send(begin);
  const [told]: [Told] = (await once(attackers, "message")) as [Told];
  if (!("isGoing" in told)) throw new Error("the attack ended before it began");
}

async function ended(attackers: ChildProcess): Promise<Sent> {
  attackers.send({ end: true } satisfies Order);
  const [told]: [Told] = (await once(attackers, "message")) as [Told];
  if (!("sent" in told)) throw new Error("the attack did not end");
  return told.sent;
}

function summed(parts: readonly Sent[]): Sent {
  const statuses: Record<string, number> = {};
  for (const part of parts) {
    for (const [status, count] of Object.entries(part.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
  }
  const sum = (of: "calls" | "tookMs") => parts.reduce((total, part) => total + part[of], 0);
  return { calls: sum("calls"), tookMs: sum("tookMs"), statuses };
}

/** One invoice after the other, by one connector with a known key; the milliseconds of each. */
async function issue(scene: Scene, count: number): Promise<readonly number[]> {
  await issueOne(scene, invoiceOf());
  const taken: number[] = [];
  for (let made = 0; made < count; made++) {
    const invoice = invoiceOf();
    const startedAt = performance.now();
    await issueOne(scene, invoice);
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

/** A connection that the runtime closed is tried again, as a connector does; it is in the time. */
async function issueOne({ facts, invoiceKey }: Scene, invoice: object): Promise<void> {
  const send = () =>
    fetch(`${facts.url}/api/v1/invoice`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-KEY": invoiceKey },
      body: JSON.stringify(invoice),
    });
  const response = await send().catch(send);
  const text = await response.text();
  if (!response.ok) throw new Error(`an invoice answered ${response.status}: ${text}`);
}

let invoices = 0;

function invoiceOf() {
  invoices += 1;
  const line = {
    line_id: "1",
    description: "Café en grano, 1 kg",
    quantity: 2,
    price_unit: 18.5,
    tax_rate: 10,
  };
  const head = { invoice_type: "F2", description: "Café para la oficina", currency: "EUR" };
  return { external_id: `invoice-${invoices}`, ...head, lines: [line] };
}

const HEAD =
  "| Attack | in flight, calls/s | answers | calm ms, p50 | p95 | attack ms, p50 | p95 | longest | ratio p50 | p95 | CPU ms per call | CPU, % of one |";

export function attackTable(reports: readonly AttackReport[]): string {
  const rows = reports.map(lineOf);
  return [machine(), "", HEAD, "|---|---|---|---|---|---|---|---|---|---|---|---|", ...rows].join("\n");
}

/** The attacks that slow down the median; one body of 900 KB may delay a single invoice. */
export function tooSlow(reports: readonly AttackReport[]): readonly string[] {
  return reports
    .filter(({ calm, beside }) => beside.median > MOST_TIMES_CALM * calm.median)
    .map(({ attack, calm, beside }) => `${attack.name}: ${short(beside.median / calm.median)} times calm`);
}

function lineOf({ attack, calm, beside, longestMs, sent, processorMs }: AttackReport): string {
  const rate = (sent.calls * 1_000) / sent.tookMs;
  const answers = Object.entries(sent.statuses).map(([status, count]) => `${count} × ${status}`);
  const cells = [
    ...[attack.name, `${attack.inFlight}, ${short(rate)}`, answers.join(", ")],
    ...[calm.median, calm.p95, beside.median, beside.p95, longestMs].map(short),
    ...[beside.median / calm.median, beside.p95 / calm.p95, processorMs].map(short),
    short((rate * processorMs) / 10),
  ];
  return `| ${cells.join(" | ")} |`;
}
