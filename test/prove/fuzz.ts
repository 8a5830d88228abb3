/**
 * `npm run prove:fuzz`: tens of thousands of requests made of the OpenAPI document, against the Worker in its
 * runtime (REQUESTS, SEED). The rounds are those of test/worker/fuzz.test.ts, each by a seed of its own: a
 * failure names the seed, and `REQUESTS=2000 SEED=<seed>` makes that round again.
 */
import { type Reporter, startVitest, type TestCase } from "vitest/node";
import type { Report } from "../support/fuzz/run.ts";
import LogScanReporter from "../support/log-scan/reporter.ts";

process.env.REQUESTS ||= "40000";

const reports: Report[] = [];
let failed = 0;

const collecting: Reporter = {
  onTestCaseResult(test: TestCase) {
    const { fuzz } = test.meta();
    if (fuzz) reports.push(fuzz);
    if (!test.ok()) failed += 1;
    console.log(`${test.name}: ${test.ok() ? "passed" : "FAILED"}`);
  },
};

const startedAt = Date.now();
const vitest = await startVitest("test", ["test/worker/fuzz.test.ts", "test/worker/console-fuzz.test.ts"], {
  config: "test/vitest.config.ts",
  watch: false,
  project: ["workers"],
  reporters: [collecting, new LogScanReporter()],
});
for (const test of vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()])) {
  for (const { message } of test.result().errors ?? []) console.error(`${test.name}: ${message}`);
}
await vitest.close();

const sums: Record<string, Record<string, number>> = {};
for (const { statuses } of reports) {
  for (const [route, counts] of Object.entries(statuses)) sums[route] = added(sums[route], counts);
}
console.log(
  JSON.stringify(
    {
      ...{ rounds: reports.length, failed, seconds: Math.round((Date.now() - startedAt) / 1_000) },
      ...reports.reduce((sum, { validities }) => added(sum, validities), {}),
      ...reports.reduce((sum, { booked }) => added(sum, { ...booked }), {}),
      replays: reports.reduce((sum, { replays = 0 }) => sum + replays, 0),
      problems: reports.flatMap(({ problems }) => problems).length,
      statuses: sums,
    },
    null,
    1,
  ),
);
for (const problem of reports.flatMap(({ problems }) => problems)) console.error(problem);
if (failed > 0 || reports.length === 0) process.exitCode = 1;

function added(
  sum: Readonly<Record<string, number>> = {},
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = new Set([...Object.keys(sum), ...Object.keys(more)]);
  return Object.fromEntries([...names].map((name) => [name, (sum[name] ?? 0) + (more[name] ?? 0)]));
}
