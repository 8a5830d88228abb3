/**
 * `npm run bench`: measures, prints, and writes the table of docs/performance.md. `npm run bench -- viewer cpu`
 * measures and prints these parts only.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { root, toolEnvironment } from "../../src/dev/setup.mjs";
import { bundleReports } from "./bundle.ts";
import { cpuReports } from "./cpu.ts";
import { httpReports } from "./http.ts";
import { type Report, reportsIn, type Spread } from "./report.ts";
import { viewerReports } from "./viewer.ts";

const samples = Number(process.env.BENCH_SAMPLES ?? "300");
const FILE = join(root, "docs/performance.md");
const BEGIN = "<!-- figures: written by npm run bench -->";
const END = "<!-- end of figures -->";

const software = String(unstable_readConfig({ config: join(root, "wrangler.toml") }).vars.SOFTWARE);
const PARTS: Readonly<Record<string, () => Report[] | Promise<Report[]>>> = {
  cpu: () => cpuReports(samples, software),
  runtime: runtimeReports,
  http: () => httpReports(samples),
  viewer: () => viewerReports(samples),
  bundle: bundleReports,
};

const asked = process.argv.slice(2);
const reports: Report[] = [];
for (const part of asked.length > 0 ? asked : Object.keys(PARTS)) {
  const measure = PARTS[part];
  if (!measure) throw new Error(`no part is called ${part}: ${Object.keys(PARTS).join(", ")}`);
  reports.push(...(await measure()));
}
const figures = table(reports);
console.log(figures);
if (asked.length === 0) writeFigures(figures);

/** The benches that need the runtime, through vitest; what they report comes back on its output. */
async function runtimeReports(): Promise<Report[]> {
  const script = join(root, "node_modules/vitest/vitest.mjs");
  const args = [script, "run", "--config", join(root, "test/bench/vitest.config.ts")];
  const env = { ...toolEnvironment(process.execPath), BENCH_SAMPLES: String(samples) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the benches failed:\n${output}`);
  return reportsIn(output);
}

function table(all: readonly Report[]): string {
  const rows = all.flatMap(({ name, spreads }) =>
    Object.entries(spreads).map(([figure, spread]) => row(name, figure, spread)),
  );
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node ${process.version}.`,
    "",
    "| Bench | Figure | Median | p05 | p95 | Samples |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function row(name: string, figure: string, { median, p05, p95, samples: count }: Spread): string {
  return `| ${name} | ${figure} | ${short(median)} | ${short(p05)} | ${short(p95)} | ${count} |`;
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

function writeFigures(text: string): void {
  const page = readFileSync(FILE, "utf8");
  const before = page.slice(0, page.indexOf(BEGIN) + BEGIN.length);
  writeFileSync(FILE, `${before}\n\n${text}\n\n${page.slice(page.indexOf(END))}`);
}
