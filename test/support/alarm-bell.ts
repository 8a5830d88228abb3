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
