import type { RetentionStore } from "../../db/retention/retention-ports.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Budget, inTurn } from "../budget.ts";
import { guarded, type JobLog } from "../guarded.ts";
import { type RetireDeps, retireYear } from "./retire-year.ts";

export interface RetireJobDeps extends JobLog, Pick<RetireDeps, "evidence"> {
  readonly ledgers: readonly { readonly ledger: string; readonly store: RetentionStore }[];
  readonly now: () => Instant;
  readonly budget: Budget;
}

/**
 * Retires the years that operators released; a failure stops no other year. Answers the number that remain.
 */
export async function retire(deps: RetireJobDeps): Promise<number> {
  const { ledgers, now, evidence, tell, budget } = deps;
  const { isOver } = budget;
  let left = 0;
  for (const { ledger, store } of inTurn(ledgers, now())) {
    if (isOver()) return left + 1;
    const at = { job: "retire", ledger };
    await guarded(at, deps, async () => {
      const open = await store.readOpen();
      left += open.length;
      for (const run of open) {
        if (!budget.take()) return;
        await guarded(at, deps, async () => {
          const isDone = await retireYear(run, { store, evidence, now, isOver });
          if (!isDone) return;
          left -= 1;
          tell({ level: "info", event: "year_left", account_id: run.accountId, year: run.year });
        });
      }
    });
  }
  return left;
}
