/**
 * `npm run bench -- scale`: the books of a million invoices and a hundred thousand orders against those of
 * a thousand. INVOICES and ORDERS make them smaller; SCALE_DIR keeps the states and reuses kept ones; ONLY
 * is a pattern of the measured calls.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advance, begin, ownFolder } from "../../support/progress/progress.ts";
import { type ScaleState, scaleState } from "../books/state.ts";
import { benchPort, startWorker } from "../local-worker.ts";
import { machine } from "../tables.ts";
import type { Call } from "./call.ts";
import { INVOICE_CALLS, ORDER_CALLS, SHOP_CALLS } from "./calls-api.ts";
import { INVOICE_PAGES, ORDER_PAGES, SETTINGS_PAGES } from "./calls-console.ts";
import { type Measured, measure } from "./measure.ts";
import { openScene } from "./scene.ts";

const FEW = { invoices: 1_000, orders: 300, seed: 7 };
const MANY = {
  invoices: Number(process.env.INVOICES || 1_000_000),
  orders: Number(process.env.ORDERS || 100_000),
  seed: 7,
};
const only = new RegExp(process.env.ONLY || "");
const PORTS = { few: benchPort(0), many: benchPort(1), authority: benchPort(2) };

export const CALLS: Readonly<Record<string, readonly Call[]>> = {
  "Public API: invoices": INVOICE_CALLS,
  "Public API: orders and their customers": ORDER_CALLS,
  "Public API: the rest, and the alarm": SHOP_CALLS,
  "Console: invoices and submission": INVOICE_PAGES,
  "Console: orders": ORDER_PAGES,
  "Console: settings and activity": SETTINGS_PAGES,
};

export interface ScaleReport {
  readonly few: ScaleState;
  readonly many: ScaleState;
  readonly sizeBytes: { readonly few: number; readonly many: number };
  readonly measured: Readonly<Record<string, readonly Measured[]>>;
}

export async function scaleReport(samples: number): Promise<ScaleReport> {
  const kept = process.env.SCALE_DIR;
  const folder = kept || ownFolder(mkdtempSync(join(tmpdir(), "cuadre-scale-")));
  try {
    const few = await scaleState(join(folder, "few"), FEW);
    const many = await scaleState(join(folder, `many-${MANY.invoices}`), MANY);
    return await compare(few, many, samples, join(folder, "authority"));
  } finally {
    if (!kept) rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(
  few: ScaleState,
  many: ScaleState,
  samples: number,
  authorityState: string,
): Promise<ScaleReport> {
  const authority = await startWorker({
    ...{ config: "src/sandbox/wrangler.toml", port: PORTS.authority, state: authorityState },
    vars: { INITIAL_CONTROL: '{"wait_seconds":0}' },
  });
  const scenes = [
    await openScene(few, { port: PORTS.few, authorityUrl: authority.url }),
    await openScene(many, { port: PORTS.many, authorityUrl: authority.url }),
  ] as const;
  try {
    const measured: Record<string, Measured[]> = {};
    for (const [area, calls] of Object.entries(CALLS)) {
      measured[area] = [];
      begin(area, { total: calls.length });
      for (const call of calls.filter(({ name }) => only.test(name))) {
        const one = await measure(call, ...scenes, samples);
        measured[area].push(one);
        console.log(lineOf(one));
        advance();
      }
    }
    const [{ facts: small }, { facts: large }] = scenes;
    return { few, many, sizeBytes: { few: small.sizeBytes, many: large.sizeBytes }, measured };
  } finally {
    for (const { stop } of [...scenes, authority]) await stop();
  }
}

/**
 * A table for each area. A call that reads more rows with many invoices is marked, with its reason where it
 * has one.
 */
export function scaleTables({ few, many, sizeBytes, measured }: ScaleReport): string {
  const { invoices, orders } = many.plan;
  const states = [few, many].map(
    ({ plan, madeWithinSeconds }, index) =>
      `${count(plan.invoices)} invoices and ${count(plan.orders)} orders: ` +
      `${count(Math.round([sizeBytes.few, sizeBytes.many][index] ?? 0) / 1e6)} MB, made in ${madeWithinSeconds} s`,
  );
  const tables = Object.entries(measured).map(([area, all]) =>
    [`### ${area}`, "", HEAD, "|---|---|---|---|---|---|---|---|---|", ...all.map(lineOf)].join("\n"),
  );
  const perInvoice = (sizeBytes.many - sizeBytes.few) / (invoices - few.plan.invoices);
  return [
    `${machine()} ${states.join("; ")}.`,
    "",
    `${count(perInvoice)} bytes of database per invoice, with ${count(orders)} orders among ${count(invoices)} invoices; ` +
      `${count(many.messages.bytes / (invoices + orders))} bytes of messages to the authority per record.`,
    "",
    ...tables.flatMap((one) => [one, ""]),
    growthOf(measured),
  ].join("\n");
}

const HEAD =
  "| Call | D1 trips | rows read | rows written | median ms, few | many | p95 ms, few | many | samples |";
/** A step more in a few indexes is no growth. */
const STEPS = 60;

function growthOf(measured: ScaleReport["measured"]): string {
  const grown = Object.values(measured)
    .flat()
    .filter(({ few, many }) => many.spent.read > few.spent.read + STEPS);
  if (grown.length === 0) return `No call reads more than ${STEPS} rows more with many than with few.`;
  const lines = grown.map(
    ({ call, few, many }) =>
      `- ${call.name}: ${few.spent.read} → ${many.spent.read}${call.grows ? `, ${call.grows}` : ""}`,
  );
  return [`Calls that read more than ${STEPS} rows more with many:`, "", ...lines].join("\n");
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function lineOf({ call, few, many }: Measured): string {
  const cells = [
    call.name,
    pair(few.spent.trips, many.spent.trips),
    pair(few.spent.read, many.spent.read),
    pair(few.spent.written, many.spent.written),
    ms(few.tookMs.median),
    ms(many.tookMs.median),
    ms(few.tookMs.p95),
    ms(many.tookMs.p95),
    String(many.tookMs.samples),
  ];
  return `| ${cells.join(" | ")} |`;
}

function pair(few: number, many: number): string {
  return few === many ? String(few) : `${few} → ${many}`;
}

function ms(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
