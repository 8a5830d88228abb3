/** Messages that hold no values but those that they quote; any other may tell what somebody sent. */
const KNOWN = /^(D1_\w+: |invariant broken: )/;
const QUOTE = /["'`]/;
const LONGEST = 200;

/** What may be told of a fault: of the database's up to what they quote, of any other the name alone. */
export function withoutValues(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { message, name } = error.cause instanceof Error ? error.cause : error;
  if (!KNOWN.test(message)) return name;
  const [told = "", ...quoted] = message.slice(0, LONGEST).split(QUOTE);
  return quoted.length > 0 ? `${told}…` : told;
}
