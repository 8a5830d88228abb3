const SHOWN = 3;

/** An identifier as the audit log may have it: its last characters, where it has more than twice as many. */
export function masked(identifier: string): string {
  const characters = [...identifier];
  const isLong = characters.length > 2 * SHOWN;
  return characters
    .map((each, index) => (isLong && index >= characters.length - SHOWN ? each : "*"))
    .join("");
}
