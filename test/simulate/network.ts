/** The way between an instance and D1: each trip takes time, and may go wrong in every way that D1 has. */
import type { Sent, Travel } from "../support/worlds/sqlite-d1.ts";
import type { Chance } from "./chance.ts";
import type { Scheduler } from "./scheduler.ts";

export const TRIP_FAULTS = [
  /** Nothing arrives. */
  "down",
  /** D1 executes it, and its answer is lost. */
  "answer_lost",
  /** The caller gives up at once; D1 executes it later. */
  "late",
  /** The answer comes after the deadline. */
  "slow",
  /** No answer ever, and nothing is executed. */
  "hangs",
  /** No answer ever, and D1 executes it late. */
  "hangs_and_lands",
  /** D1 refuses a valid batch for a reason of its own. */
  "refused",
] as const;

export type TripFault = (typeof TRIP_FAULTS)[number];

/** The part of an instance's life that its trips need. */
export interface Lifetime {
  readonly isOver: boolean;
}

export interface Weather {
  /** From 0 to 1, for each trip. */
  tripFaults: number;
  /** Every trip fails until then. */
  outageUntil: number;
  /** Until then fenced batches take long to arrive. */
  congestedUntil: number;
  /** True for a batch that D1 refuses whenever it comes. */
  isPoisoned: (statements: readonly Sent[]) => boolean;
}

export interface Network {
  readonly weather: Weather;
  /** Trips and faults by name, for the figures. */
  readonly counts: Map<string, number>;
  travelOf(life: Lifetime): Travel;
}

const lost = () => new Error("D1_ERROR: Network connection lost.");
const DEADLINE_MS = 8_000;

export function networkOf(scheduler: Scheduler, chance: Chance): Network {
  const counts = new Map<string, number>();
  const weather: Weather = { tripFaults: 0, outageUntil: 0, congestedUntil: 0, isPoisoned: () => false };
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const latency = () => (chance.is(0.9) ? chance.between(1, 12) : chance.between(12, 400));
  const latencyOf = ([first]: readonly Sent[]) => {
    const isHeldUp =
      scheduler.now < weather.congestedUntil && first?.sql.startsWith('insert into "ledger_head"');
    return isHeldUp ? chance.between(50, 3_000) : latency();
  };
  const faultOf = (): TripFault | undefined => {
    if (scheduler.now < weather.outageUntil) return chance.pick(["down", "down", "hangs", "answer_lost"]);
    return chance.is(weather.tripFaults) ? chance.pick(TRIP_FAULTS) : undefined;
  };

  const travelOf = (life: Lifetime): Travel => {
    return <T>(run: () => T, statements: readonly Sent[]) => {
      count("trips");
      const name = nameOf(statements);
      const fault = faultOf();
      if (fault) count(fault);
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      /** An instance that has ended hears nothing. */
      const tell = (delayMs: number, settle: () => void, what: string) =>
        scheduler.after(delayMs, `${what} ${name}`, () => {
          if (!life.isOver) settle();
        });
      const arrive = (delayMs: number, answered: (settle: () => void) => void) =>
        scheduler.after(delayMs, `d1 ${name}`, () => {
          try {
            const answer = run();
            answered(() => resolve(answer));
          } catch (error) {
            scheduler.note(`refused ${error instanceof Error ? error.message : ""}`);
            answered(() => reject(error));
          }
        });
      const untold = () => {};
      if (weather.isPoisoned(statements)) {
        count("poisoned");
        tell(latency(), () => reject(new Error("D1_ERROR: internal error")), "poisoned");
        return promise;
      }
      switch (fault) {
        case undefined:
          arrive(latencyOf(statements), (settle) => tell(latency(), settle, "answer"));
          break;
        case "down":
          tell(latency(), () => reject(lost()), "down");
          break;
        case "answer_lost":
          arrive(latency(), () => tell(latency(), () => reject(lost()), "answer_lost"));
          break;
        case "late":
          tell(latency(), () => reject(lost()), "given_up");
          arrive(chance.is(0.5) ? chance.between(2, 60) : chance.between(60, 60_000), untold);
          break;
        case "slow":
          arrive(chance.is(0.5) ? latency() : chance.between(DEADLINE_MS, 3 * DEADLINE_MS), (settle) =>
            tell(chance.between(DEADLINE_MS, 2 * DEADLINE_MS), settle, "slow"),
          );
          break;
        case "hangs":
          break;
        case "hangs_and_lands":
          arrive(chance.between(1, 4 * DEADLINE_MS), untold);
          break;
        case "refused":
          tell(latency(), () => reject(new Error("D1_ERROR: D1 DB is overloaded.")), "refused");
          break;
      }
      return promise;
    };
  };
  return { weather, counts, travelOf };
}

/** Its first words, with the table. */
function nameOf(statements: readonly Sent[]): string {
  const [first] = statements;
  return `${statements.length} ${first?.sql.slice(0, 34)}`;
}

/** A batch with a row of that origin. */
export function writesOrigin(origin: string): Weather["isPoisoned"] {
  return (statements) =>
    statements.some(
      ({ sql, values }) =>
        sql.startsWith('insert into "record"') &&
        values.some((value) => typeof value === "string" && value.includes(`"${origin}"`)),
    );
}
