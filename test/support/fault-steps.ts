/** Faults that a course of chance can have in its way. */
import { failBefore, loseAnswer } from "./fault-kinds.ts";
import { faults, type SqlPredicate } from "./faults.ts";

export const FAULT_STEPS = ["loseAnswer", "failBefore", "failTwice", "poison"] as const;
export type FaultStep = (typeof FAULT_STEPS)[number];

/** `poison`: a batch of that kind that fails as often as it is sent before it is sent alone. */
export function strike(step: FaultStep, poisoned: SqlPredicate) {
  switch (step) {
    case "loseAnswer":
      return faults.next(loseAnswer());
    case "failBefore":
      return faults.next(failBefore());
    case "failTwice":
      return faults.next(failBefore(), { times: 2 });
    case "poison":
      return faults.when(poisoned, failBefore(), { times: 2 });
  }
}
