/** A process that runs histories for `run.ts`: the seeds of its share, one after the other. */
import { MUTATIONS } from "./mutations.ts";
import { patchSources } from "./patches.ts";

/** What a worker is started with, as JSON. */
export interface Share {
  readonly from: number;
  readonly step: number;
  readonly count: number;
  /** Seeds of other workers, run again here: their traces must be equal. */
  readonly again: readonly number[];
  readonly mutation?: string;
}

/** What a worker sends of each history. */
export interface Ran {
  readonly seed: number;
  readonly traceHash: string;
  readonly isAgain: boolean;
  readonly problems: readonly string[];
  readonly figures: readonly (readonly [string, number])[];
}

/** What a worker ends with. */
export interface Ended {
  readonly ended: true;
}

const share = JSON.parse(process.argv[2] ?? "{}") as Share;
const mutation = MUTATIONS.find(({ name }) => name === share.mutation);
const checkPatches = patchSources(mutation?.patches ?? []);
const { prepareTemplate } = await import("./template.ts");
prepareTemplate(mutation?.sql ?? []);
const { describe, runHistory } = await import("./history.ts");
checkPatches();

process.on("disconnect", () => process.exit());
for (let done = 0; done < share.count; done += 1) await run(share.from + done * share.step, false);
for (const seed of share.again) await run(seed, true);
process.send?.({ ended: true } satisfies Ended);
process.disconnect?.();

async function run(seed: number, isAgain: boolean): Promise<void> {
  const { traceHash, problems, figures } = await runHistory(seed);
  process.send?.({
    ...{ seed, traceHash, isAgain },
    problems: problems.map(describe),
    figures: [...figures],
  } satisfies Ran);
}
