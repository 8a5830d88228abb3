/** Keys made in this tab that are still to be saved: in memory alone, so that a reload forgets them. */
const shown = new Map<string, string>();

export function showKey(connection: string, key: string): void {
  shown.set(connection, key);
}

export function shownKey(connection: string): string | undefined {
  return shown.get(connection);
}

/** Once the person has saved it. */
export function forgetKey(connection: string): void {
  shown.delete(connection);
}
