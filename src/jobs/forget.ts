import { DAYS_WITHOUT_NEED } from "../domain/retention/keeping.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { AgedStore } from "../usecases/retention-ports.ts";
import { guarded, type JobLog } from "./guarded.ts";

export interface ForgetDeps extends JobLog {
  readonly ledgers: readonly ({ readonly ledger: string } & AgedStore)[];
  /** Sessions, links and counters of the directory that are past their time. */
  readonly forgetExpired: (now: Instant) => Promise<void>;
  readonly now: () => Instant;
}

/** In UTC, as `wrangler.toml` has it too: every hour. */
export const HOURLY_CRON = "23 * * * *";

const DAY_MS = 86_400_000;
const BUDGET_MS = 15_000;
const PAGE = 200;

/** Forgets what nobody needs: some of it every hour, so that none of it is missed for long. */
export async function forget(deps: ForgetDeps): Promise<void> {
  const { ledgers, now, forgetExpired } = deps;
  const startedAt = now();
  const aged = { before: startedAt - DAYS_WITHOUT_NEED * DAY_MS, at: startedAt, limit: PAGE };
  const isOver = () => now() - startedAt >= BUDGET_MS;
  await guarded({ job: "forget", database: "directory" }, deps, () => forgetExpired(startedAt));
  for (const { ledger, ...store } of ledgers) {
    await guarded({ job: "forget", ledger }, deps, async () => {
      for (const some of [store.forgetOrders, store.forgetClients]) {
        while ((await some(aged)) === PAGE && !isOver()) {
          // The next page.
        }
      }
    });
  }
}
