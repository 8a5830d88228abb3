import type { Fault } from "../platform/fault.ts";

export interface JobLog {
  readonly tell: (line: object) => void;
  readonly faultOf: (error: unknown) => Fault;
}

/** A failure of a cron job becomes a log line for the operator and stops no other job. */
export async function guarded(
  facts: Readonly<Record<string, string>>,
  { tell, faultOf }: JobLog,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    tell({ level: "alarm", alarm: "job_failed", ...facts, ...faultOf(error) });
  }
}
