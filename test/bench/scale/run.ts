/**
 * `npm run bench -- scale`: the books of a million invoices and a hundred thousand orders against those of a thousand.
 * INVOICES and ORDERS make them smaller; SCALE_DIR keeps the states, or takes those that were kept.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScaleState, scaleState } from "../books/state.ts";
import { startWorker } from "../local-worker.ts";
import type { Call } from "./call.ts";
import { INVOICE_CALLS, ORDER_CALLS, SHOP_CALLS } from "./calls-api.ts";
import { INVOICE_PAGES, ORDER_PAGES, SETTINGS_PAGES } from "./calls-console.ts";
import { type Measured, measure } from "./measure.ts";
import { openScene } from "./scene.ts";

const FEW = { invoices: 1_000, orders: 100, seed: 7 };
const MANY = {
  invoices: Number(process.env.INVOICES || 1_000_000),
  orders: Number(process.env.ORDERS || 100_000),
  seed: 7,
};
const FEW_PORT = 8796;
const MANY_PORT = 8795;
const AUTHORITY_PORT = 8794;

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
  const folder = kept || mkdtempSync(join(tmpdir(), "cuadre-scale-"));
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
  const authority = await startWorker(
    ["--config", "src/dev/authority/wrangler.toml", "--var", 'INITIAL_CONTROL:{"wait_seconds":0}'],
    AUTHORITY_PORT,
    authorityState,
  );
  const scenes = [
    await openScene(few, { port: FEW_PORT, authorityUrl: authority.url }),
    await openScene(many, { port: MANY_PORT, authorityUrl: authority.url }),
  ] as const;
  try {
    const measured: Record<string, Measured[]> = {};
    for (const [area, calls] of Object.entries(CALLS)) {
      measured[area] = [];
      for (const call of calls) {
        const one = await measure(call, ...scenes, samples);
        measured[area].push(one);
        console.log(lineOf(one));
      }
    }
    const [{ facts: small }, { facts: large }] = scenes;
    return { few, many, sizeBytes: { few: small.sizeBytes, many: large.sizeBytes }, measured };
  } finally {
    for (const { stop } of [...scenes, authority]) await stop();
  }
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
