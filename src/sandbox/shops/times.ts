/** Times as each platform writes them. */

export const SHOP_ZONE = "Europe/Madrid";

/** `2026-11-20T12:00:00` */
export function utcOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19);
}

/** `2026-11-20T13:00:00` in the shop's zone. */
export function localOf(at: number): string {
  const parts = new Intl.DateTimeFormat("sv-SE", {
    ...{ timeZone: SHOP_ZONE, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  }).format(at);
  return parts.replace(" ", "T");
}

export function spaced(time: string): string {
  return time.replace("T", " ");
}

/** The later of the document's own time and that of its change; both in the same form. */
export function laterOf(own: unknown, changed: string): string {
  return typeof own === "string" && own.length >= changed.length && own > changed ? own : changed;
}
