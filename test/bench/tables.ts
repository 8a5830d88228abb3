/** Figures as Markdown, and their places in the documents. */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { root } from "../../src/ops/setup.mjs";
import type { Report, Spread } from "./report.ts";

/** The load before the measurement: the figures name it if the machine is busy. */
const [loadBefore = 0] = loadavg();
const BUSY = 1;

export function machine(): string {
  const load =
    loadBefore > BUSY ? `, loaded with other work: load ${loadBefore.toFixed(1)} before the run` : "";
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day}, ${cpus().length} cores, Node ${process.version}${load}.`;
}

export function table(all: readonly Report[]): string {
  const rows = all.flatMap(({ name, spreads }) =>
    Object.entries(spreads).map(([figure, spread]) => row(name, figure, spread)),
  );
  return [
    machine(),
    "",
    "| Bench | Figure | Median | p05 | p95 | Samples |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function row(name: string, figure: string, { median, p05, p95, samples: count }: Spread): string {
  return `| ${name} | ${figure} | ${short(median)} | ${short(p05)} | ${short(p95)} | ${count} |`;
}

export function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

/** Prints it, and puts it between `<!-- name: written by ... -->` and `<!-- end of name -->`. */
export function writeBetween(path: string, name: string, text: string): void {
  console.log(text);
  const file = join(root, path);
  const page = readFileSync(file, "utf8");
  const begin = new RegExp(`<!-- ${name}: written by [^>]*-->`).exec(page);
  const end = page.indexOf(`<!-- end of ${name} -->`);
  if (!begin || end < begin.index) throw new Error(`${path} has no place for ${name}`);
  const before = page.slice(0, begin.index + begin[0].length);
  writeFileSync(file, `${before}\n\n${text}\n\n${page.slice(end)}`);
}
