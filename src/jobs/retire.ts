import type { Instant } from "../domain/shared/instant.ts";
import type { RetentionStore } from "../usecases/retention-ports.ts";
import { type RetireDeps, retireYear } from "../usecases/retire-year.ts";

export interface RetireJobDeps extends Pick<RetireDeps, "evidence"> {
  readonly ledgers: readonly { readonly ledger: string; readonly store: RetentionStore }[];
  readonly now: () => Instant;
  readonly tell: (line: object) => void;
  readonly causeOf: (error: unknown) => string;
}

/** Of one run of cron: the rest is the next one's. */
const BUDGET_MS = 15_000;

/** Works off the years that operators have let go; one that breaks off stops no other. */
export async function retire(deps: RetireJobDeps): Promise<void> {
  const { ledgers, now, evidence, tell, causeOf } = deps;
  const startedAt = now();
  const isOver = () => now() - startedAt >= BUDGET_MS;
  const guarded = async (ledger: string, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      tell({ level: "alarm", alarm: "job_failed", job: "retire", ledger, cause: causeOf(error) });
    }
  };
  for (const { ledger, store } of ledgers) {
    await guarded(ledger, async () => {
      for (const run of await store.readOpen()) {
        if (isOver()) return;
        await guarded(ledger, async () => {
          const isDone = await retireYear(run, { store, evidence, now, isOver });
          if (isDone) tell({ level: "info", event: "year_left", account_id: run.accountId, year: run.year });
        });
      }
    });
  }
}
