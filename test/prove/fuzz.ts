/**
 * `npm run prove:fuzz`: tens of thousands of requests against the Worker in its runtime (REQUESTS, SEED), made of the
 * OpenAPI document for the public API and of its contracts for the owner's. The rounds are those of
 * test/worker/fuzz.test.ts and test/worker/console-fuzz.test.ts, each by a seed of its own: a failure names the
 * seed, and `REQUESTS=2000 SEED=<seed>` makes that round again.
 */
import { type Reporter, startVitest, type TestCase } from "vitest/node";
import type { Counts, Report } from "../support/fuzz/run.ts";
import LogScanReporter from "../support/log-scan/reporter.ts";

const FILES = ["test/worker/fuzz.test.ts", "test/worker/console-fuzz.test.ts"];

process.env.REQUESTS ||= "40000";
const only = process.argv.slice(2);

const reports: Report[] = [];
const failures: string[] = [];

const collecting: Reporter = {
  onTestCaseResult(test: TestCase) {
    const { fuzz } = test.meta();
    if (fuzz) reports.push(fuzz);
    const errors = test.result().errors ?? [];
    failures.push(...errors.map(({ message }) => `${test.name}: ${message}`));
    console.log(`${test.name}: ${errors.length === 0 ? "passed" : "FAILED"}`);
  },
};

const startedAt = Date.now();
const vitest = await startVitest("test", only.length > 0 ? only : FILES, {
  config: "test/vitest.config.ts",
  watch: false,
  project: ["workers"],
  reporters: [collecting, new LogScanReporter()],
});
await vitest.close();

const problems = reports.flatMap((report) => report.problems);
console.log(
  JSON.stringify(
    {
      ...{ rounds: reports.length, seconds: Math.round((Date.now() - startedAt) / 1_000) },
      ...summed(reports.map(({ validities }) => validities ?? {})),
      ...summed(reports.map(({ booked }) => ({ ...booked }))),
      ...summed(reports.map(({ replays }) => ({ replays: replays ?? 0 }))),
      ...{ problems: problems.length, failures: failures.length },
      statuses: statusesOf(reports),
    },
    null,
    1,
  ),
);
for (const told of [...failures, ...problems]) console.error(told);
if (failures.length > 0 || reports.length === 0) process.exitCode = 1;

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
