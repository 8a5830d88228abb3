import { type Instant, localTime } from "../domain/shared/instant.ts";
import type { DueLedger } from "../usecases/due-ports.ts";
import { guarded, type JobLog } from "./guarded.ts";

export interface SweepDeps extends JobLog {
  readonly ledgers: readonly DueLedger[];
  /** Makes a connection's object look at what is due; harmless where it does so already. */
  readonly wake: (connectionId: string) => Promise<void>;
  readonly now: () => Instant;
}

const OVERDUE_MS = 120_000;
/** Of one ledger, in one run. */
const CONNECTIONS = 200;

/**
 * Objects wake themselves; this finds those that were kept from it, and those whose work came from
 * elsewhere: a rate that arrived, a setting of the account. One that fails stops no other.
 */
export async function sweep(deps: SweepDeps): Promise<void> {
  for (const { ledger, connectionsWithDueWork } of deps.ledgers) {
    await guarded({ job: "sweep", ledger }, deps, async () => {
      const now = deps.now();
      const today = localTime(now, "Europe/Madrid").date;
      const due = await connectionsWithDueWork({ overdueSince: now - OVERDUE_MS, today, limit: CONNECTIONS });
      for (const connectionId of due) {
        await guarded({ job: "sweep", connection_id: connectionId }, deps, () => deps.wake(connectionId));
      }
    });
  }
}
