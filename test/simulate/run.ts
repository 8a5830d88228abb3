/**
 * `npm run prove:simulate`: histories of one connection or several, each made from a seed, with every fault at any
 * step. `HISTORIES` says how many, `SEED` which is the first, `WORKERS` on how many cores. `-- mutations` breaks the
 * product on purpose and says after how many histories each break is found; `-- seed 17` prints one history.
 */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { advance, begin, goOn, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";
import { addTo, type Figures } from "./figures.ts";
import { MUTATIONS } from "./mutations.ts";
import type { Mutation } from "./patches.ts";
import type { Ended, Ran, Share } from "./worker.ts";

const HISTORIES = Number(process.env.HISTORIES || 3_000);
const SEED = Number(process.env.SEED || 1);
const WORKERS = Number(process.env.WORKERS || availableParallelism());
/** Of so many histories one is run again by another process. */
const AGAIN_OF = 25;
/** A break that is not found within these is not found. */
const MOST_FOR_MUTATION = Number(process.env.HISTORIES || 2_000);
const FAILURES_SHOWN = 10;

const children = new Set<ChildProcess>();

const [command = "all", ...given] = process.argv.slice(2);
if (command === "mutations") process.exitCode = (await checkMutations(given)) ? 0 : 1;
else if (command === "seed") process.exitCode = (await showHistory(Number(given[0]))) ? 0 : 1;
else process.exitCode = (await proveAll()) ? 0 : 1;

async function proveAll(): Promise<boolean> {
  const startedAt = Date.now();
  const figures: Figures = new Map();
  const traces = new Map<number, string>();
  const failures: Ran[] = [];
  const differing: number[] = [];
  let [done, again] = [0, 0];
  const repeats = Math.floor(HISTORIES / AGAIN_OF);
  begin("histories", { total: HISTORIES + repeats });
  const hear = (ran: Ran) => {
    advance();
    if (ran.isAgain) again += 1;
    else done += 1;
    const known = traces.get(ran.seed);
    if (isRepeated(ran.seed)) traces.set(ran.seed, ran.traceHash);
    if (known !== undefined && known !== ran.traceHash) differing.push(ran.seed);
    if (!ran.isAgain) addTo(figures, ran.figures);
    if (ran.problems.length > 0 && !ran.isAgain) {
      failures.push(ran);
      if (failures.length <= FAILURES_SHOWN)
        console.log(`seed ${ran.seed}: ${ran.problems.slice(0, 3).join("; ")}`);
    }
  };
  const shares = Array.from({ length: WORKERS }, (_, worker) => shareOf(worker));
  const areWhole = await Promise.all(shares.map((share) => runShare(share, hear)));
  const seconds = (Date.now() - startedAt) / 1_000;
  const isWhole = areWhole.every(Boolean) && done === HISTORIES;
  const isRight = isWhole && failures.length === 0 && differing.length === 0;
  const result = {
    histories: done,
    run_again: again,
    failing: failures.map(({ seed }) => seed).slice(0, 100),
    other_trace_when_run_again: differing,
    seconds: Math.round(seconds),
    a_second: Math.round((10 * (done + again)) / seconds) / 10,
    figures: Object.fromEntries([...figures].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
  console.log(JSON.stringify(result, null, 2));
  if (!isWhole) console.log("A worker ended too early.");
  console.log(isRight ? "All hold." : "NOT all hold. One again: npm run prove:simulate -- seed <seed>");
  return isRight;
}

function isRepeated(seed: number): boolean {
  return (seed - SEED) % AGAIN_OF === 0;
}

/** Each worker has its share of the seeds, and runs some of the next worker's again. */
function shareOf(worker: number): Share {
  const seeds = Array.from({ length: HISTORIES }, (_, index) => SEED + index);
  const count = Math.floor((HISTORIES - worker + WORKERS - 1) / WORKERS);
  const again = seeds.filter((seed) => isRepeated(seed) && (seed - SEED + 1) % WORKERS === worker % WORKERS);
  return { from: SEED + worker, step: WORKERS, count, again };
}

/** True if the worker came to its end. */
function runShare(share: Share, hear: (ran: Ran) => void): Promise<boolean> {
  const child = fork(join(import.meta.dirname, "worker.ts"), [JSON.stringify(share)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.add(child);
  let hasEnded = false;
  return new Promise((resolve) => {
    child.on("message", (message: Ran | Ended) => {
      if ("ended" in message) hasEnded = true;
      else hear(message);
    });
    child.once("exit", () => {
      children.delete(child);
      resolve(hasEnded);
    });
  });
}

interface Found {
  readonly mutation: Mutation;
  /** Undefined if no history found it. */
  readonly after: number | undefined;
  readonly by: string;
}

/** Every break must be found. They are tried on all cores, each in a process of its own. */
async function checkMutations(names: readonly string[]): Promise<boolean> {
  const chosen = MUTATIONS.filter(({ name }) => names.length === 0 || names.includes(name));
  const found: Found[] = [];
  const waiting = [...chosen];
  // Each break is in a process of its own, which loads the product before its first history.
  begin("breaks", { total: chosen.length, patienceMs: PATIENCE_OF_A_START_MS });
  const tryNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await findMutation(next);
      found.push(result);
      advance();
      const how = result.after === undefined ? "NOT FOUND" : `found after ${result.after}`;
      console.log(`${found.length} of ${chosen.length}: ${next.name}: ${how} ${result.by}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, tryNext));
  const rows = found.toSorted(({ mutation: one }, { mutation: other }) => (one.name < other.name ? -1 : 1));
  for (const { mutation, after, by } of rows) console.log(`| ${mutation.what} | ${after ?? "-"} | ${by} |`);
  const isRight = found.length === chosen.length && found.every(({ after }) => after !== undefined);
  console.log(isRight ? `All ${chosen.length} breaks were found.` : "NOT every break was found.");
  return isRight;
}

async function findMutation(mutation: Mutation): Promise<Found> {
  let done = 0;
  let found: Found | undefined;
  const share = { from: SEED, step: 1, count: MOST_FOR_MUTATION, again: [], mutation: mutation.name };
  const before = new Set(children);
  const running = runShare(share, ({ problems: [first] }) => {
    done += 1;
    goOn();
    if (first === undefined || found) return;
    found = { mutation, after: done, by: first.slice(0, 140) };
    own?.kill("SIGKILL");
  });
  const own = [...children].find((child) => !before.has(child));
  const hasEnded = await running;
  if (found) return found;
  return { mutation, after: undefined, by: hasEnded ? "" : "the process ended before its histories" };
}

async function showHistory(seed: number): Promise<boolean> {
  const { runHistory, describe } = await import("./history.ts");
  const first = await runHistory(seed, true);
  const second = await runHistory(seed);
  for (const line of first.lines) console.log(line);
  for (const each of first.problems) console.log(describe(each));
  console.log(`trace ${first.traceHash}, run again ${second.traceHash}`);
  return first.problems.length === 0 && first.traceHash === second.traceHash;
}
