export interface WatchLedgersDeps {
  readonly ledgers: readonly { readonly ledger: string; readonly sizeBytes: () => Promise<number> }[];
  readonly tell: (line: object) => void;
  readonly causeOf: (error: unknown) => string;
}

/** D1 ends at 10 GB, and issuing with it: from here on somebody has to make room. */
const ALARM_BYTES = 8_000_000_000;

/** New companies stop long before; those that are there go on. One that cannot be read hides no other. */
export async function watchLedgers({ ledgers, tell, causeOf }: WatchLedgersDeps): Promise<void> {
  for (const { ledger, sizeBytes } of ledgers) {
    try {
      const bytes = await sizeBytes();
      if (bytes >= ALARM_BYTES) tell({ level: "alarm", alarm: "ledger_filling", ledger, bytes });
    } catch (error) {
      tell({ level: "alarm", alarm: "job_failed", job: "watch_ledgers", ledger, cause: causeOf(error) });
    }
  }
}
