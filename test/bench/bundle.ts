/** Size of each Worker's deployment and time of its start, beside the floor and the API Worker without the PDF. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, toolEnvironment } from "../../src/ops/setup.mjs";
import { advance, begin, ownFolder, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";
import { type Report, spreadOf } from "./report.ts";

interface Deployed {
  readonly config: string;
  readonly options?: readonly string[];
}

const WORKERS: Readonly<Record<string, Deployed>> = {
  api: { config: "wrangler.toml" },
  apiWithoutPdf: {
    config: "wrangler.toml",
    options: ["--alias", "./pdf/invoice-pdf.ts:./test/bench/without-pdf.ts"],
  },
  owner: { config: "src/console/wrangler.toml" },
  floor: { config: "test/bench/floor/wrangler.toml" },
};
const STARTS = 5;

export function bundleReports(): Report[] {
  const folder = ownFolder(mkdtempSync(join(tmpdir(), "cuadre-bundles-")));
  const names = Object.keys(WORKERS);
  begin("bundles", { total: names.length, patienceMs: PATIENCE_OF_A_START_MS });
  const kib = names.map((name) => {
    const size = gzipKib(WORKERS[name] ?? neverNamed(name), join(folder, name));
    advance();
    return [name, spreadOf([size])] as const;
  });
  begin("starts, in turns", { total: STARTS * names.length, patienceMs: PATIENCE_OF_A_START_MS });
  const taken = new Map(names.map((name) => [name, [] as number[]]));
  for (let start = 0; start < STARTS; start++) {
    for (const [name, values] of taken) {
      values.push(startupMs(WORKERS[name] ?? neverNamed(name), join(folder, "startup.cpuprofile")));
      advance();
    }
  }
  const ms = [...taken].map(([name, values]) => [name, spreadOf(values)] as const);
  return [
    { name: "bundle, minified, gzipped, KiB", spreads: Object.fromEntries(kib) },
    { name: "`wrangler check startup`, active ms", spreads: Object.fromEntries(ms) },
  ];
}

function neverNamed(name: string): never {
  throw new Error(`no Worker is called ${name}`);
}

function gzipKib({ config, options = [] }: Deployed, outdir: string): number {
  const args = ["deploy", "--config", config, "--env", "", "--dry-run", "--minify", "--outdir", outdir];
  return figureIn(wrangler([...args, ...options]), /gzip: ([\d.]+) KiB/);
}

function startupMs({ config, options = [] }: Deployed, outfile: string): number {
  const args = options.length > 0 ? [`--args=${options.join(" ")}`] : [];
  const said = wrangler(["check", "startup", "--config", config, "--outfile", outfile, ...args]);
  return figureIn(said, /Active: ([\d.]+) ms/);
}

function figureIn(said: string, pattern: RegExp): number {
  const [, figure] = pattern.exec(said) ?? [];
  if (figure === undefined) throw new Error(`no figure in:\n${said}`);
  return Number(figure);
}

function wrangler(args: readonly string[]): string {
  const script = join(root, "node_modules/wrangler/bin/wrangler.js");
  const env = toolEnvironment(process.execPath);
  return execFileSync(process.execPath, [script, ...args], { cwd: root, env, encoding: "utf8" });
}
