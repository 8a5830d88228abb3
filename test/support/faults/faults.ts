/** Faults of the next D1 round trips. Objects and tests share one isolate, and so this registry. */

/** One round trip: a `batch()`, an `exec()`, or a statement sent alone. */
export interface Trip {
  readonly binding: string;
  readonly kind: "batch" | "exec" | "run" | "all" | "first" | "raw";
  readonly sql: readonly string[];
  /** Name of the fault it met. */
  readonly fault: string | undefined;
  /** The real call was made, by this trip or by a later `release()`. */
  sent: boolean;
  /**
   * Sums over the answered statements. D1 says nothing of it for `first` and `raw` alone: those have none, unless
   * all rows are counted.
   */
  rowsRead: number;
  rowsWritten: number;
}

export interface Fault {
  readonly name: string;
  /** Resolves when a trip has met it. */
  reached(): Promise<void>;
  /** Called between the caller and the real call. */
  around<T>(call: () => Promise<T>): Promise<T>;
  /** Ends every waiting call, so that a failed test delays no other. */
  cancel(): void;
}

/** Predicate over the SQL texts of a trip. */
export type SqlPredicate = (sql: readonly string[], binding: string) => boolean;

interface Rule {
  readonly matches: SqlPredicate;
  readonly fault: Fault;
  left: number;
}

let script: Rule[] = [];
let recorded: Trip[] = [];
let used: Fault[] = [];
let latencyMs = 0;
let isCountingAll = false;
let tests = 0;

/**
 * Whether the running test is still the one of now. `faults.reset()` wakes the trips that a test left waiting; they
 * are tried again, and within the next test they would meet the fault of another call.
 */
export function ownTest(): () => boolean {
  const own = tests;
  return () => own === tests;
}

export const faults = {
  /** Databases of objects and ledgers of the test before answer no more. */
  beginTest(): void {
    tests += 1;
    faults.reset();
  },

  /** Forgets script, trips and delay, and ends every trip that still waits. */
  reset(): void {
    for (const fault of [...script.map((rule) => rule.fault), ...used]) fault.cancel();
    script = [];
    recorded = [];
    used = [];
    latencyMs = 0;
    isCountingAll = false;
  },

  /** The next trip (of that binding) that no earlier entry takes. Faults wait in the order given. */
  next<F extends Fault>(fault: F, options: { binding?: string; times?: number } = {}): F {
    return faults.when((_, binding) => (options.binding ?? binding) === binding, fault, options);
  },

  /** The next trip with matching SQL. */
  when<F extends Fault>(matches: SqlPredicate, fault: F, options: { times?: number } = {}): F {
    script.push({ matches, fault, left: options.times ?? 1 });
    return fault;
  },

  /** Every round trip since the last `reset()` or `take()`. */
  trips(): readonly Trip[] {
    return recorded;
  },

  /** The same, and starts counting anew. */
  take(): readonly Trip[] {
    const taken = recorded;
    recorded = [];
    return taken;
  },

  /** Delay in front of every trip, for benches. */
  addLatency(milliseconds: number): void {
    latencyMs = milliseconds;
  },

  /** Reads that say nothing of their rows are made twice from here on. */
  countAll(isOn = true): void {
    isCountingAll = isOn;
  },

  countsAll: (): boolean => isCountingAll,

  /** Faults of the script that no trip has met yet. */
  pending(): readonly string[] {
    return script.map((rule) => rule.fault.name);
  },
};

/** For the wrapper: records the trip and lets the script act on it. */
export async function travel<T>(
  { isOwn, ...start }: Pick<Trip, "binding" | "kind" | "sql"> & { readonly isOwn: () => boolean },
  call: () => Promise<T>,
  metaOf: (answer: T) => readonly D1Meta[],
): Promise<T> {
  if (!isOwn()) throw new Error("the test of this database has ended");
  const fault = takeFault(start.sql, start.binding);
  const trip: Trip = { ...start, fault: fault?.name, sent: false, rowsRead: 0, rowsWritten: 0 };
  recorded.push(trip);
  const real = async (): Promise<T> => {
    trip.sent = true;
    const answer = await call();
    for (const meta of metaOf(answer)) {
      trip.rowsRead += meta.rows_read;
      trip.rowsWritten += meta.rows_written;
    }
    return answer;
  };
  if (latencyMs > 0) await new Promise((resume) => setTimeout(resume, latencyMs));
  return fault === undefined ? real() : fault.around(real);
}

function takeFault(sql: readonly string[], binding: string): Fault | undefined {
  const rule = script.find((candidate) => candidate.matches(sql, binding));
  if (rule === undefined) return undefined;
  rule.left -= 1;
  if (rule.left === 0) script.splice(script.indexOf(rule), 1);
  used.push(rule.fault);
  return rule.fault;
}
