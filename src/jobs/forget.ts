import { DAYS_WITHOUT_NEED } from "../domain/retention/keeping.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { AgedStore } from "../usecases/retention-ports.ts";
import { type Budget, inTurn } from "./budget.ts";
import { guarded, type JobLog } from "./guarded.ts";

export interface ForgetDeps extends JobLog {
  readonly ledgers: readonly ({ readonly ledger: string } & AgedStore)[];
  /** Sessions, links and counters of the directory that are past their time. */
  readonly forgetExpired: (now: Instant) => Promise<void>;
  readonly now: () => Instant;
  readonly budget: Budget;
}

/** In UTC, as `wrangler.toml` has it too: every hour. */
export const HOURLY_CRON = "23 * * * *";

const DAY_MS = 86_400_000;
/** One item of the budget. */
const PAGE = 200;
const QUERIES_OF_PAGE = 4;

/**
 * Forgets what nobody needs: some of it every hour, so that none of it is missed for long. Answers how many
 * kinds of rows have some left.
 */
export async function forget(deps: ForgetDeps): Promise<number> {
  const { ledgers, now, forgetExpired, budget } = deps;
  const startedAt = now();
  const aged = { before: startedAt - DAYS_WITHOUT_NEED * DAY_MS, at: startedAt, limit: PAGE };
  let left = 0;
  await guarded({ job: "forget", database: "directory" }, deps, () => forgetExpired(startedAt));
  for (const { ledger, ...store } of inTurn(ledgers, startedAt)) {
    for (const some of [store.forgetOrders, store.forgetClients]) {
      left += 1;
      await guarded({ job: "forget", ledger }, deps, async () => {
        while (budget.take(QUERIES_OF_PAGE)) {
          if ((await some(aged)) === PAGE) continue;
          left -= 1;
          return;
        }
      });
    }
  }
  return left;
}
