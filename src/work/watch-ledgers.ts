import { guarded, type JobLog } from "./budget.ts";

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
      if (bytes >= ALARM_BYTES) log.tell({ level: "alarm", alarm: "ledger_filling", ledger, bytes });
    });
  }
  return left;
}
