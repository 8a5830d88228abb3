/**
 * `npm test`: installs missing packages, then runs lint, type checks and every suite, at the same time
 * where they do not disturb each other. Arguments go to vitest, which then runs alone: `npm test --
 * test/unit/chain.test.ts`. The durations are printed, slowest first. The last line is `N passed, N
 * failed`.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { getPriority, setPriority, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { installPackages, root, SetupError, toolEnvironment, toolNode } from "../src/ops/setup.mjs";
import { auditPackages } from "./audit.mjs";
import { findChromium } from "./support/browser/chromium-path.mjs";
import { findXmlsec } from "./support/einvoice/xmlsec-path.mjs";

const CONFIG = ["--config", "test/vitest.config.ts"];
/** Kept between two runs: what the type checks know, and how long everything took. */
const CACHE = join(root, "node_modules/.cache");
const SLOWEST_FILES = 20;
/** The niceness of all others: they take the time that the browser suite leaves. */
const BEHIND_THE_BROWSER = Math.min(19, getPriority() + 10);

/** In CI nothing may be left out silently. */
const requireAll = process.env.REQUIRE_ALL === "1";
const args = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
/** Seconds of each step, and of each file of its suite. */
const durations = { steps: [], files: [] };

try {
  installPackages();
  await runAll(toolEnvironment(toolNode()));
} catch (error) {
  total.failed += 1;
  console.error(error instanceof SetupError ? error.message : error);
}
process.exitCode = total.failed === 0 ? 0 : 1;
const { passed, failed, skipped } = total;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);

async function runAll(env) {
  const notes = [];
  chooseSchemas(env, notes);
  chooseShopOrders(env, notes);
  chooseInvoiceRules(env, notes);
  chooseXmlsec(env, notes);
  chooseBrowser(env, notes);
  if (args.length > 0) {
    await runSuite("tests", env, args);
  } else {
    mkdirSync(CACHE, { recursive: true });
    const audit = requireAll && auditPackages();
    // The longest course begins first, and it waits a good part of its time, which the others use.
    const browser = env.CHROMIUM_PATH && runSuite("browser", env, ["--project", "browser"]);
    const node = runSuite("node", env, ["--project", "node", "--project", "ledger"]);
    const workers = runTools(env).then(() => runSuite("workers", env, ["--project", "workers"]));
    await Promise.all([browser, node, workers]);
    if (requireAll && env.BENCH_GUARD === "1") await runGuard(env);
    if (audit) tellAudit(await audit);
    tellDurations();
  }
  for (const note of notes) console.log(note);
  if (requireAll && args.length === 0 && total.skipped > 0) {
    console.error(`REQUIRE_ALL=1, and ${total.skipped} tests did not run: they count as failed.`);
    total.failed += total.skipped;
    total.skipped = 0;
  }
}

/** Lint and each type check count as one test. */
async function runTools(env) {
  await runTool("lint", env, "biome", ["check", "--error-on-warnings"]);
  await runTool("types", env, "tsc", typeCheckOf(".", "types"));
  await runTool("types of the console", env, "tsc", typeCheckOf("src/web", "types-of-the-console"));
}

function typeCheckOf(project, name) {
  const kept = ["--incremental", "--tsBuildInfoFile", join(CACHE, `${name}.tsbuildinfo`)];
  return ["--noEmit", "--project", project, ...kept];
}

async function runTool(name, env, command, commandArgs) {
  const status = await run(name, env, command, commandArgs);
  total[status === 0 ? "passed" : "failed"] += 1;
}

/** The ratios of the benches count as one test. A machine that is busy with other work is not judged. */
async function runGuard(env) {
  const script = ["test/support/progress/watch.ts", "test/bench/run.ts", "guard"];
  await runTool("guard of the benches", { ...env, ONLY_IF_QUIET: "1" }, "node", script);
}

/** Counts as one test where the registry answers it. */
function tellAudit({ lines, fails }) {
  console.log(`\n${lines.join("\n")}`);
  if (lines.length > 1) total[fails ? "failed" : "passed"] += 1;
}

/** The AEAT's schema files are not ours to distribute: a folder next to the checkout, or AEAT_SCHEMAS. */
function chooseSchemas(env, notes) {
  const folder = resolve(root, env.AEAT_SCHEMAS || "../shared/aeat");
  if (existsSync(join(folder, "SuministroLR.xsd"))) {
    env.AEAT_SCHEMAS = folder;
    return;
  }
  notes.push(`XSD tests skipped: no AEAT schemas in ${folder} (set AEAT_SCHEMAS).`);
}

/** Documents of real shops are not ours to distribute either. */
function chooseShopOrders(env, notes) {
  const folder = resolve(root, env.SHOP_ORDERS || "../shared/orders");
  if (existsSync(folder)) env.SHOP_ORDERS = folder;
  else notes.push(`Tests of real shops' orders skipped: no documents in ${folder} (set SHOP_ORDERS).`);
}

/** Verifies the signatures of electronic invoices with code that is not ours. */
function chooseXmlsec(env, notes) {
  const wanted = args.length === 0 || args.some((arg) => arg.includes("einvoice"));
  if (!wanted) return;
  const { path, missing } = findXmlsec();
  if (path) env.XMLSEC1_PATH = path;
  else notes.push(`Tests of signatures skipped: ${missing}.`);
}

/** Nor are the schemas and rules of electronic invoices, with their authors' examples. */
function chooseInvoiceRules(env, notes) {
  const folder = resolve(root, env.EINVOICE_RULES || "../shared/einvoice");
  if (existsSync(folder)) env.EINVOICE_RULES = folder;
  else notes.push(`Tests of electronic invoices' rules skipped: none in ${folder} (set EINVOICE_RULES).`);
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
  // A path that leads to no browser would run the suite.
  delete env.CHROMIUM_PATH;
  const tests = countTests(env);
  total.skipped += tests;
  notes.push(`${tests} browser tests in ${files.length} files skipped: ${missing}.`);
}

/** Vitest collects them and runs none; the path only switches the suite on. */
function countTests(env) {
  const listing = ["list", ...CONFIG, "--project", "browser", "--json"];
  const listed = spawnSync(join(root, "node_modules/.bin/vitest"), listing, {
    cwd: root,
    env: { ...env, CHROMIUM_PATH: "none" },
    encoding: "utf8",
  });
  const start = listed.stdout.indexOf("[\n");
  return start < 0 ? 1 : JSON.parse(listed.stdout.slice(start)).length;
}

async function runSuite(name, env, suiteArgs) {
  const folder = mkdtempSync(join(tmpdir(), "cuadre-test-"));
  const report = join(folder, "report.json");
  const reporters = [
    ...["--reporter=default", "--reporter=./test/support/log-scan/reporter.ts"],
    ...["--reporter=json", `--outputFile.json=${report}`],
  ];
  const status = await run(name, env, "vitest", ["run", ...CONFIG, ...reporters, ...suiteArgs]);
  const counted = existsSync(report) ? countReport(JSON.parse(readFileSync(report, "utf8"))) : 0;
  rmSync(folder, { recursive: true });
  // Unhandled errors, and a run that broke off, fail no single test.
  if (status !== 0 && counted === 0) total.failed += 1;
}

/** Adds to the total, names the skipped tests, and returns the number of failures. */
function countReport(report) {
  // A file that cannot be loaded has no tests to fail.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((one) => one.status !== "failed"),
  );
  const failures = report.numFailedTests + broken.length;
  total.passed += report.numPassedTests;
  total.failed += failures;
  for (const { name, startTime, endTime } of report.testResults) {
    durations.files.push({ name: relative(root, name), seconds: (endTime - startTime) / 1_000 });
  }
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

/** Each line with the name of its step, as several write at once; resolves to the exit status. */
function run(name, env, command, commandArgs) {
  const startedAt = Date.now();
  const isAlone = args.length > 0;
  const child = spawn(join(root, "node_modules/.bin", command), commandArgs, {
    cwd: root,
    env,
    stdio: isAlone ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  if (!isAlone && name !== "browser" && child.pid) setPriority(child.pid, BEHIND_THE_BROWSER);
  const flushes = isAlone
    ? []
    : [relay(child.stdout, name, process.stdout), relay(child.stderr, name, process.stderr)];
  return new Promise((ended) => {
    const end = (status) => {
      for (const flush of flushes) flush();
      durations.steps.push({ name, seconds: (Date.now() - startedAt) / 1_000 });
      ended(status);
    };
    child.once("error", (error) => {
      console.error(`${name} | ${error.message}`);
      end(1);
    });
    child.once("close", end);
  });
}

/** Returns a function that writes the rest without a line feed. */
function relay(from, name, to) {
  let rest = "";
  from.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) to.write(`${name} | ${line}\n`);
  });
  return () => {
    if (rest !== "") to.write(`${name} | ${rest}\n`);
    rest = "";
  };
}

function tellDurations() {
  const slowest = ({ seconds: one }, { seconds: other }) => other - one;
  const steps = durations.steps.toSorted(slowest);
  const files = durations.files.toSorted(slowest);
  writeFileSync(join(CACHE, "test-durations.json"), JSON.stringify({ steps, files }, null, 1));
  console.log(`\nSeconds of each step, and of the ${SLOWEST_FILES} slowest files:`);
  for (const { name, seconds } of [...steps, ...files.slice(0, SLOWEST_FILES)]) {
    console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`);
  }
}
