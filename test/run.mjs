/**
 * `npm test`: installs what is missing, then lint, type check and every suite. Arguments go to vitest, which then
 * runs alone: `npm test -- test/unit/chain.test.ts`. The last line is `N passed, N failed`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { installPackages, root, SetupError, toolEnvironment, toolNode } from "../src/ops/setup.mjs";
import { auditPackages } from "./audit.mjs";
import { findChromium } from "./support/chromium-path.mjs";

const CONFIG = ["--config", "test/vitest.config.ts"];

/** In CI nothing may be left out silently. */
const requireAll = process.env.REQUIRE_ALL === "1";
const args = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };

try {
  installPackages();
  runAll(toolEnvironment(toolNode()));
} catch (error) {
  total.failed += 1;
  console.error(error instanceof SetupError ? error.message : error);
}
process.exitCode = total.failed === 0 ? 0 : 1;
const { passed, failed, skipped } = total;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);

function runAll(env) {
  const notes = [];
  if (args.length === 0) {
    runTool("lint", env, "biome", ["check", "--error-on-warnings"]);
    runTool("type check", env, "tsc", ["--noEmit", "--project", "."]);
    runTool("type check of the console", env, "tsc", ["--noEmit", "--project", "src/web"]);
  }
  if (requireAll && args.length === 0) runAudit();
  chooseSchemas(env, notes);
  chooseBrowser(env, notes);
  runVitest(env);
  for (const note of notes) console.log(note);
  if (requireAll && args.length === 0 && total.skipped > 0) {
    console.error(`REQUIRE_ALL=1, and ${total.skipped} tests did not run: they count as failed.`);
    total.failed += total.skipped;
    total.skipped = 0;
  }
}

/** Lint and each type check count as one test. */
function runTool(name, env, command, commandArgs) {
  console.log(`\n${name}: ${command} ${commandArgs.join(" ")}`);
  const run = spawnSync(join(root, "node_modules/.bin", command), commandArgs, {
    cwd: root,
    env,
    stdio: "inherit",
  });
  total[run.status === 0 ? "passed" : "failed"] += 1;
}

/** Counts as one test where the registry answers it. */
function runAudit() {
  const { lines, fails } = auditPackages();
  console.log(`\n${lines.join("\n")}`);
  if (lines.length > 1) total[fails ? "failed" : "passed"] += 1;
}

/** The AEAT's schema files are not ours to distribute: a folder beside the checkout, or AEAT_SCHEMAS. */
function chooseSchemas(env, notes) {
  const folder = resolve(root, env.AEAT_SCHEMAS || "../shared/aeat");
  if (existsSync(join(folder, "SuministroLR.xsd"))) {
    env.AEAT_SCHEMAS = folder;
    return;
  }
  notes.push(`XSD tests skipped: no AEAT schemas in ${folder} (set AEAT_SCHEMAS).`);
}

function chooseBrowser(env, notes) {
  const suite = join(root, "test/browser");
  const files = existsSync(suite) ? readdirSync(suite).filter((name) => name.endsWith(".test.ts")) : [];
  const wanted = args.length === 0 || args.some((arg) => arg.includes("browser"));
  if (files.length === 0 || !wanted) return;
  const { path, missing } = findChromium();
  if (path) {
    env.CHROMIUM_PATH = path;
    return;
  }
  const tests = countTests(env);
  total.skipped += tests;
  notes.push(`${tests} browser tests in ${files.length} files skipped: ${missing}.`);
}

/** Vitest collects them and runs none; the path only switches the suite on. */
function countTests(env) {
  const listing = ["list", ...CONFIG, "--project", "browser", "--json"];
  const run = spawnSync(join(root, "node_modules/.bin/vitest"), listing, {
    cwd: root,
    env: { ...env, CHROMIUM_PATH: "none" },
    encoding: "utf8",
  });
  const start = run.stdout.indexOf("[\n");
  return start < 0 ? 1 : JSON.parse(run.stdout.slice(start)).length;
}

function runVitest(env) {
  const folder = mkdtempSync(join(tmpdir(), "cuadre-test-"));
  const report = join(folder, "report.json");
  const reporters = [
    ...["--reporter=default", "--reporter=./test/support/log-scan/reporter.ts"],
    ...["--reporter=json", `--outputFile.json=${report}`],
  ];
  const run = spawnSync(join(root, "node_modules/.bin/vitest"), ["run", ...CONFIG, ...reporters, ...args], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  const counted = existsSync(report) ? countReport(JSON.parse(readFileSync(report, "utf8"))) : 0;
  rmSync(folder, { recursive: true });
  // Unhandled errors, and a run that broke off, fail no single test.
  if (run.status !== 0 && counted === 0) total.failed += 1;
}

/** Adds to the total, names what was skipped, and returns the number of failures. */
function countReport(report) {
  // A file that cannot be loaded has no tests to fail.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((one) => one.status !== "failed"),
  );
  const failures = report.numFailedTests + broken.length;
  total.passed += report.numPassedTests;
  total.failed += failures;
  if (args.length === 0) nameSkipped(report);
  return failures;
}

function nameSkipped(report) {
  total.skipped += report.numPendingTests + report.numTodoTests;
  for (const file of report.testResults) {
    const left = file.assertionResults.filter(
      (one) => one.status !== "passed" && one.status !== "failed",
    ).length;
    if (left > 0) console.log(`${left} skipped in ${relative(root, file.name)}`);
  }
}
