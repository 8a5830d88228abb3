import { Signal } from "../faults/signal.ts";

/** Calls that are within an object: objects and tests share one isolate, and so this count. */

interface Count {
  calls: number;
}

/** Of the newest instance of each object: callers of an older one learn its end elsewhere. */
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

/**
 * An alarm that went off by the clock would meet the faults of another call. So every alarm of the suite is set
 * a century late, of which its object knows nothing, and a test rings it.
 */
const LATE_MS = 100 * 365 * 86_400_000;

export function withFarAlarms<State extends Pick<DurableObjectState, "storage">>(ctx: State): State {
  const { storage } = ctx;
  const far: Partial<DurableObjectStorage> = {
    async getAlarm() {
      const at = await storage.getAlarm();
      return at === null ? null : at - LATE_MS;
    },
    setAlarm: (at) => storage.setAlarm(Number(at) + LATE_MS),
  };
  return over<State>(ctx, { storage: over(storage, far) } as Partial<State>);
}

/** The members given, and all others of the object itself. */
function over<T extends object>(base: T, members: Partial<T>): T {
  return new Proxy(base, {
    get(target, name) {
      const member: unknown = Reflect.get(name in members ? members : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
