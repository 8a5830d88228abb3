/** What a deployment weighs, and what its start costs. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root, toolEnvironment } from "../../src/dev/setup.mjs";

export interface BundleFigures {
  readonly gzipKib: number;
  readonly startupMs: number;
}

export function bundleFigures(): BundleFigures {
  const dryRun = wrangler(["deploy", "--dry-run", "--minify", "--outdir", join(root, ".wrangler", "bundle")]);
  const gzipKib = Number(/gzip: ([\d.]+) KiB/.exec(dryRun)?.[1]);
  const startup = wrangler(["check", "startup", "--outfile", join(root, ".wrangler", "startup.cpuprofile")]);
  return { gzipKib, startupMs: Number(/Active: ([\d.]+) ms/.exec(startup)?.[1]) };
}

function wrangler(args: readonly string[]): string {
  const script = join(root, "node_modules/wrangler/bin/wrangler.js");
  const env = toolEnvironment(process.execPath);
  return execFileSync(process.execPath, [script, ...args], { cwd: root, env, encoding: "utf8" });
}
