/**
 * A reporter of vitest that reads every line that the product logs while it is tested, in all files of the run. A
 * line that gives something away fails the run. It writes no line of its own when nothing is found.
 */
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { knownToTests } from "./local.ts";
import { type LogScan, newLogScan } from "./scan.ts";

type Told = Parameters<NonNullable<Reporter["onUserConsoleLog"]>>[0];

/** Plants its leaks, so many of them. */
const PROOF = { file: "test/worker/log-scan.test.ts", leaks: 3 };
/** Projects in which the product logs. */
const PRODUCT = ["workers", "ledger"];
/** The runtime's own form of an uncaught error. */
const OF_RUNTIME = /uncaught exception|jsg\.|workerd\//;

export default class LogScanReporter implements Reporter {
  readonly #scan: LogScan = newLogScan(knownToTests());
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    for (const stream of [process.stdout, process.stderr]) overhear(stream, this.#scan);
  }

  onUserConsoleLog({ content, taskId }: Told): void {
    const task = taskId === undefined ? undefined : this.#vitest?.state.idMap.get(taskId);
    const where = task ? `${task.file.name} > ${task.name}` : "between two tests";
    const isProduct = PRODUCT.includes(task?.file.projectName ?? "workers");
    if (isProduct) this.#scan.hear(content, where);
    else this.#scan.overhear(content, where);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const proof = modules.find(({ relativeModuleId }) => relativeModuleId === PROOF.file);
    const { leaks, planted } = this.#scan;
    const isDeaf = proof?.state() === "passed" && planted < PROOF.leaks;
    const problems = isDeaf ? [...leaks, `of ${PROOF.leaks} planted leaks ${planted} were found`] : leaks;
    if (problems.length === 0) return;
    console.error(`The log gives away what it must not:\n${problems.join("\n")}`);
    process.exitCode = 1;
  }
}

/** The stream is written as before. */
function overhear(stream: NodeJS.WriteStream, scan: LogScan): void {
  const write = stream.write.bind(stream);
  Object.defineProperty(stream, "write", {
    value: (chunk: string | Uint8Array, ...others: never[]) => {
      const text = String(chunk);
      if (OF_RUNTIME.test(text)) scan.overhear(text, "the runtime");
      return write(chunk, ...others);
    },
  });
}
