/**
 * `npm run prove:fuzz`: tens of thousands of requests against the Worker in its runtime (REQUESTS, SEED),
 * made from the OpenAPI document for the public API and from its contracts for the owner's. The rounds are
 * those of test/worker/fuzz.test.ts and test/worker/console-fuzz.test.ts, each by its own seed. A failure
 * names the seed, and `REQUESTS=2000 SEED=<seed>` makes that round again. The properties of test/property run at
 * their full length.
 */
import { type Reporter, startVitest, type TestCase } from "vitest/node";
import type { Counts, Report } from "../support/fuzz/run.ts";
import LogScanReporter from "../support/log-scan/reporter.ts";
import { begin, goOn, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";

const FILES = ["test/worker/fuzz.test.ts", "test/worker/console-fuzz.test.ts", "test/property"];

/** Some properties make thousands of cases without a line. */
const PATIENCE_OF_A_TEST_MS = 600_000;

process.env.REQUESTS ||= "40000";
process.env.FULL_LENGTH = "1";
const only = process.argv.slice(2);

const reports: Report[] = [];
const failures: string[] = [];

let finished = 0;
const collecting: Reporter = {
  // The Worker logs a line for each request.
  onUserConsoleLog: () => goOn(),
  onTestCaseReady(test: TestCase) {
    begin(`${test.name}, after ${finished} others`, { patienceMs: PATIENCE_OF_A_TEST_MS });
  },
  onTestCaseResult(test: TestCase) {
    finished += 1;
    const { fuzz } = test.meta();
    if (fuzz) reports.push(fuzz);
    const errors = test.result().errors ?? [];
    failures.push(...errors.map(({ message }) => `${test.name}: ${message}`));
    console.log(`${test.name}: ${errors.length === 0 ? "passed" : "FAILED"}`);
  },
  // A file that cannot be read has no tests that fail.
  onTestRunEnd(modules, unhandled) {
    const errors = [...modules.flatMap((module) => module.errors()), ...unhandled];
    failures.push(...errors.map(({ message }) => message));
  },
};

const startedAt = Date.now();
begin("open the suites", { patienceMs: PATIENCE_OF_A_START_MS });
const vitest = await startVitest("test", only.length > 0 ? only : FILES, {
  config: "test/vitest.config.ts",
  watch: false,
  project: ["workers", "ledger", "node"],
  reporters: [collecting, new LogScanReporter()],
});
await vitest.close();

const problems = reports.flatMap((report) => report.problems);
const told = {
  seconds: Math.round((Date.now() - startedAt) / 1_000),
  public: figuresOf("public"),
  owner: figuresOf("owner"),
  ...{ problems: problems.length, failures: failures.length },
  statuses: statusesOf(reports),
};
console.log(JSON.stringify(told, null, 1));
for (const each of [...failures, ...problems]) console.error(each);
if (failures.length > 0 || problems.length > 0 || reports.length === 0) process.exitCode = 1;

/** Requests by validity, and the content of the books; of the public API also the repeats. */
function figuresOf(api: Report["of"]) {
  const rounds = reports.filter((report) => report.of === api);
  const validities = summed(rounds.map((round) => round.validities));
  return {
    rounds: rounds.length,
    requests: Object.values(validities).reduce((sum, count) => sum + count, 0),
    ...validities,
    ...summed(rounds.map(({ replays }) => (replays === undefined ? {} : { replays }))),
    ...summed(rounds.map(({ booked }) => ({ ...booked }))),
    problems: rounds.flatMap((round) => round.problems).length,
  };
}

/** By route, of all rounds. */
function statusesOf(all: readonly Report[]): Readonly<Record<string, Counts>> {
  const routes = new Set(all.flatMap(({ statuses }) => Object.keys(statuses)));
  return Object.fromEntries(
    [...routes].map((route) => [route, summed(all.map(({ statuses }) => statuses[route] ?? {}))]),
  );
}

function summed(all: readonly Counts[]): Counts {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
