/** Size of a deployment and time of its start, with all code loaded on first use and without the PDF. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root, toolEnvironment } from "../../src/ops/setup.mjs";
import { advance, begin, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";
import { type Report, spreadOf } from "./report.ts";

const WITHOUT_PDF = ["--alias", "./pdf/invoice-pdf.ts:./test/bench/without-pdf.ts"];
const STARTS = 5;

export function bundleReports(): Report[] {
  begin("bundles and their starts", { total: STARTS, patienceMs: PATIENCE_OF_A_START_MS });
  const starts = Array.from({ length: STARTS }, () => {
    const start = [startupMs([]), startupMs(WITHOUT_PDF)] as const;
    advance();
    return start;
  });
  return [
    {
      name: "bundle, minified, gzipped",
      spreads: { KiB: spreadOf([gzipKib([])]), KiBWithoutPdf: spreadOf([gzipKib(WITHOUT_PDF)]) },
    },
    {
      name: "`wrangler check startup`, active",
      spreads: {
        ms: spreadOf(starts.map(([whole]) => whole)),
        msWithoutPdf: spreadOf(starts.map(([, without]) => without)),
      },
    },
  ];
}

function gzipKib(options: readonly string[]): number {
  const outdir = join(root, ".wrangler", "bundle");
  const said = wrangler(["deploy", "--dry-run", "--minify", "--outdir", outdir, ...options]);
  return figureIn(said, /gzip: ([\d.]+) KiB/);
}

function startupMs(options: readonly string[]): number {
  const outfile = join(root, ".wrangler", "startup.cpuprofile");
  const args = options.length > 0 ? [`--args=${options.join(" ")}`] : [];
  return figureIn(wrangler(["check", "startup", "--outfile", outfile, ...args]), /Active: ([\d.]+) ms/);
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
