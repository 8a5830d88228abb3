/** Alarms of objects ring when a test says so, never by the clock. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { ledgerStub, type Shop } from "./shop.ts";

/** Runs the alarm of the shop's object; false when none was set. */
export function ring(shop: Shop): Promise<boolean> {
  return runDurableObjectAlarm(ledgerStub(shop));
}
