import { Session } from "node:inspector/promises";

interface Counting {
  /**
   * How much code an act runs: the sum of the engine's counts of every block. Unlike time it is the same on a busy
   * machine. What the engine does inside of one call, such as a regular expression, is not in it. The least of three
   * times: what is left over from other files of the process only adds to one of them.
   */
  readonly of: (act: () => Promise<unknown>) => Promise<number>;
  /** Of acts one after the other: a count goes through all functions of the process, so fewer are quicker. */
  readonly each: (acts: readonly (() => Promise<unknown>)[]) => Promise<number[]>;
  readonly end: () => void;
}

/** Counts in code loaded from now on: earlier code has no counters in it. */
export async function countOperations(): Promise<Counting> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const taken = async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const blocks = result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
    return blocks.reduce((total, { count }) => total + count, 0);
  };
  const each: Counting["each"] = async (acts) => {
    await taken();
    const counts: number[] = [];
    for (const act of acts) {
      await act();
      counts.push(await taken());
    }
    return counts;
  };
  return {
    each,
    of: async (act) => Math.min(...(await each([act, act, act]))),
    end: () => session.disconnect(),
  };
}

/** The cost of an act to this process, which is the same on a busy machine: wall time is not. */
export async function cpuMsOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
