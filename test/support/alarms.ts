/** Alarms of objects ring when a test says so, never by the clock. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { ledgerStub, type Shop } from "./shop.ts";

/** Runs the alarm of the shop's object; false when none was set. */
export function ring(shop: Shop): Promise<boolean> {
  return runDurableObjectAlarm(ledgerStub(shop));
}

/** An alarm that rings waits in the queue: it knows whose object it is, because storage answers in turn. */
export async function alarmHasAsked(shop: Shop): Promise<void> {
  await runInDurableObject(ledgerStub(shop), (_, { storage }) => storage.list());
}
