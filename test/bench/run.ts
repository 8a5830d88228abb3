/**
 * `npm run bench`: measures, prints, and writes the table of docs/performance.md. `npm run bench -- viewer cpu`
 * measures and prints these parts only. `attacks`, `scale`, `peers` and `shops` have tables of
 * their own, and write them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { root, toolEnvironment } from "../../src/ops/setup.mjs";
import { begin, PATIENCE_OF_A_START_MS, relay } from "../support/progress/progress.ts";
import { attackReports, attackTable, tooSlow } from "./attacks/run.ts";
import { bundleReports } from "./bundle.ts";
import { cpuReports } from "./cpu.ts";
import { guard } from "./guard/run.ts";
import { ownStorageReports } from "./own-storage/run.ts";
import { peerReports } from "./peers/run.ts";
import { profile } from "./profile/run.ts";
import { type Report, reportsIn } from "./report.ts";
import { scaleReport, scaleTables } from "./scale/run.ts";
import { short, table, writeBetween } from "./tables.ts";
import { viewerReports } from "./viewer.ts";

const samples = Number(process.env.BENCH_SAMPLES ?? "300");
const software = String(unstable_readConfig({ config: join(root, "wrangler.toml") }).vars.SOFTWARE);
const PARTS: Readonly<Record<string, () => Report[] | Promise<Report[]>>> = {
  cpu: () => cpuReports(samples, software),
  runtime: () => runtimeReports(["group-commit", "one-ledger", "release"]),
  viewer: () => viewerReports(samples),
  bundle: bundleReports,
};

/** Reports are distinguished by their name only. */
const OWN_TABLES: Readonly<Record<string, () => Promise<void>>> = {
  async attacks() {
    const measured = await attackReports();
    writeBetween("docs/performance.md", "attacks", attackTable(measured));
    const slow = tooSlow(measured);
    for (const one of slow) console.error(one);
    if (slow.length > 0) process.exitCode = 1;
  },
  async scale() {
    writeBetween("docs/capacity.md", "scale", scaleTables(await scaleReport(samples)));
  },
  async "own-storage"() {
    writeBetween("docs/capacity.md", "own-storage", table(await ownStorageReports(samples)));
  },
  profile,
  async guard() {
    if (!(await guard())) process.exitCode = 1;
  },
  async shops() {
    const all = await runtimeReports(["shops"]);
    writeBetween("docs/performance.md", "shops", table(all));
    for (const slow of tooSlowBeside(all)) {
      console.error(slow);
      process.exitCode = 1;
    }
  },
  async peers() {
    writeBetween("docs/performance.md", "peers", table(await peerReports(samples)));
  },
};

/** Direct invoices may take twice as long while a shop is worked through at its pace. */
const MOST_TIMES_CALM = 2;

function tooSlowBeside(all: readonly Report[]): readonly string[] {
  return all.flatMap(({ name, spreads: { p95Ratio: ratio } }) =>
    ratio && ratio.median > MOST_TIMES_CALM ? [`${name}: ${short(ratio.median)} times calm`] : [],
  );
}

const asked = process.argv.slice(2);
const reports: Report[] = [];
for (const part of asked.length > 0 ? asked : Object.keys(PARTS)) {
  const measure = PARTS[part];
  if (measure) reports.push(...(await measure()));
  else if (OWN_TABLES[part]) await OWN_TABLES[part]();
  else throw new Error(`no part is called ${part}: ${Object.keys({ ...PARTS, ...OWN_TABLES }).join(", ")}`);
}
if (reports.length > 0) console.log(table(reports));
if (asked.length === 0) writeBetween("docs/performance.md", "figures", table(reports));
// The proxies of local databases leave handles open.
process.exit();

/** These benches, which need the runtime, through vitest; what they report comes back on its output. */
async function runtimeReports(names: readonly string[]): Promise<Report[]> {
  const script = join(root, "node_modules/vitest/vitest.mjs");
  const files = names.map((name) => `test/bench/${name}.bench.ts`);
  const args = [script, "run", "--config", join(root, "test/bench/vitest.config.ts"), ...files];
  const env = { ...toolEnvironment(process.execPath), BENCH_SAMPLES: String(samples) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  begin("start the runtime", { patienceMs: PATIENCE_OF_A_START_MS });
  const pass = relay();
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    pass(text);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the benches failed:\n${output}`);
  return reportsIn(output);
}
