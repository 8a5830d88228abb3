/** Calls that are within an object: objects and tests share one isolate, and so this count. */
import { Signal } from "./signal.ts";

interface Count {
  calls: number;
}

/** Of the newest instance of each object: whoever waited for an older one hears of its end elsewhere. */
const counts = new Map<string, Count>();
const watchers = new Set<() => void>();

/** For a new instance: every call that is passed to it is within until it is answered. */
export function countCalls(objectId: string): <T>(call: Promise<T>) => Promise<T> {
  const count = { calls: 0 };
  counts.set(objectId, count);
  return (call) => {
    count.calls += 1;
    for (const look of watchers) look();
    return call.finally(() => {
      count.calls -= 1;
    });
  };
}

/** So many calls are within the object: one is being served, and the others wait in its queue. */
export async function areWithin(objectId: string, calls: number): Promise<void> {
  const all = new Signal();
  const look = () => (counts.get(objectId)?.calls ?? 0) >= calls && all.set();
  watchers.add(look);
  look();
  await all.wait();
  watchers.delete(look);
}
