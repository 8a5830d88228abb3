import type { DueLedger } from "../db/due/due-store.ts";
import { CRON } from "../domain/limits.ts";
import { type Instant, localTime } from "../domain/shared/instant.ts";
import { type Budget, guarded, type JobLog, rotated } from "./budget.ts";

export interface SweepDeps extends JobLog {
  readonly ledgers: readonly DueLedger[];
  /** Makes a connection's object check for due work; harmless if it is at it already. */
  readonly wake: (connectionId: string) => Promise<void>;
  readonly now: () => Instant;
  readonly budget: Budget;
}

const OVERDUE_MS = 120_000;

/**
 * Objects wake themselves. The sweep finds those whose alarm failed, and work from elsewhere: a new rate, a
 * changed setting. A failure stops no other object. Answers the number that remain.
 */
export async function sweep(deps: SweepDeps): Promise<number> {
  const { ledgers, budget } = deps;
  let left = 0;
  for (const { ledger, connectionsWithDueWork } of rotated(ledgers, deps.now())) {
    if (budget.isOver()) return left + 1;
    await guarded({ job: "sweep", ledger }, deps, async () => {
      const now = deps.now();
      const today = localTime(now, "Europe/Madrid").date;
      const limit = CRON.items + 1;
      const due = await connectionsWithDueWork({ overdueSince: now - OVERDUE_MS, today, limit });
      left += due.length;
      for (const connectionId of due) {
        if (!budget.take()) return;
        left -= 1;
        await guarded({ job: "sweep", connection_id: connectionId }, deps, () => deps.wake(connectionId));
      }
    });
  }
  return left;
}

export interface WatchLedgersDeps extends JobLog {
  readonly ledgers: readonly { readonly ledger: string; readonly sizeBytes: () => Promise<number> }[];
}

/** D1 is limited to 10 GB, and at the limit issuing stops: an operator must make room before. */
const ALARM_BYTES = 8_000_000_000;

/** The limit for new companies is far lower. A ledger that cannot be read hides no other. */
export async function watchLedgers({ ledgers, ...log }: WatchLedgersDeps): Promise<number> {
  let left = ledgers.length;
  for (const { ledger, sizeBytes } of ledgers) {
    await guarded({ job: "watch_ledgers", ledger }, log, async () => {
      const bytes = await sizeBytes();
      left -= 1;
      if (bytes >= ALARM_BYTES) log.log({ level: "alarm", alarm: "ledger_filling", ledger, bytes });
    });
  }
  return left;
}
