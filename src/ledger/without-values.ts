/** Drizzle puts the parameters of a query, people's data, into its message: only the cause is told. */
export function withoutValues(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const told = error.cause instanceof Error ? error.cause : error;
  return told.message.startsWith("Failed query") ? "failed query" : told.message.slice(0, 200);
}
