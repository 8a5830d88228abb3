import type { Instant } from "../domain/shared/instant.ts";
import type { RetentionStore } from "../usecases/retention-ports.ts";
import { type RetireDeps, retireYear } from "../usecases/retire-year.ts";
import { guarded, type JobLog } from "./guarded.ts";

export interface RetireJobDeps extends JobLog, Pick<RetireDeps, "evidence"> {
  readonly ledgers: readonly { readonly ledger: string; readonly store: RetentionStore }[];
  readonly now: () => Instant;
}

/** Of one run of cron: the rest is the next one's. */
const BUDGET_MS = 15_000;

/** Works off the years that operators have let go; one that breaks off stops no other. */
export async function retire(deps: RetireJobDeps): Promise<void> {
  const { ledgers, now, evidence, tell } = deps;
  const startedAt = now();
  const isOver = () => now() - startedAt >= BUDGET_MS;
  for (const { ledger, store } of ledgers) {
    const at = { job: "retire", ledger };
    await guarded(at, deps, async () => {
      for (const run of await store.readOpen()) {
        if (isOver()) return;
        await guarded(at, deps, async () => {
          const isDone = await retireYear(run, { store, evidence, now, isOver });
          if (isDone) tell({ level: "info", event: "year_left", account_id: run.accountId, year: run.year });
        });
      }
    });
  }
}
