export interface JobLog {
  readonly tell: (line: object) => void;
  /** What of an error may stand in the log. */
  readonly causeOf: (error: unknown) => string;
}

/** What cron starts has nobody to answer to: a failure is a line for the operator, and stops nothing else. */
export async function guarded(
  facts: Readonly<Record<string, string>>,
  { tell, causeOf }: JobLog,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    tell({ level: "alarm", alarm: "job_failed", ...facts, cause: causeOf(error) });
  }
}
