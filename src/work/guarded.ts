export interface JobLog {
  readonly tell: (line: object) => void;
  /** The part of an error that may be logged. */
  readonly causeOf: (error: unknown) => string;
}

/** A failure of a cron job becomes a log line for the operator and stops no other job. */
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
