/**
 * The kind of the connection through which people of the company issue by hand in the console. The service
 * opens it, and it has no keys: no program issues through it.
 */
export const BY_HAND = "console";

/** True of kinds whose invoices are requested one by one, not made of orders. */
export function issuesDirectly(kind: string): boolean {
  return kind === "api" || kind === BY_HAND;
}
