/** The differences of the suites' runtimes from production, corrected before any object is opened. */

const MENDED = Symbol.for("cuadre.pool.mended");

/** Deadlines of the product are longer, its pauses between two tries are shorter. */
const SHORTEST_DEADLINE_MS = 1_000;

/** Once for the isolate: its globals outlive the modules of a test file. */
export function mendPool(): void {
  if (Reflect.has(globalThis, MENDED)) return;
  Reflect.set(globalThis, MENDED, true);
  globalThis.Proxy = withOnePrototypeTrap(globalThis.Proxy);
  dropDeadlines();
}

const DROPPED = Symbol.for("cuadre.pool.no-deadlines");

/**
 * No test is about time: a deadline that ran out on a busy machine would be an unwanted fault. Tests of
 * deadlines bring timers of their own.
 */
export function dropDeadlines(): void {
  if (Reflect.has(globalThis, DROPPED)) return;
  Reflect.set(globalThis, DROPPED, true);
  globalThis.setTimeout = withoutDeadlines(globalThis.setTimeout);
}

/**
 * With every instance the pool puts one more proxy around the prototype shared by all instances of its
 * class (cloudflare/workers-sdk#15092). Each look-up then takes as many steps as objects were opened before
 * it. The first proxy does all that the others do.
 */
function withOnePrototypeTrap(real: ProxyConstructor): ProxyConstructor {
  const trapped = new WeakSet<object>();
  return new real(real, {
    construct(target, [of, traps]: [object, ProxyHandler<object>], newTarget) {
      if (trapped.has(of)) return of;
      const made: object = Reflect.construct(target, [of, traps], newTarget);
      if (String(traps.get).includes("getUnknownPrototypeKey")) trapped.add(made);
      return made;
    },
  });
}

function withoutDeadlines(real: typeof setTimeout): typeof setTimeout {
  return new Proxy(real, {
    apply(target, self, [callback, delayMs = 0, ...given]: Parameters<typeof setTimeout>) {
      const isDeadline = delayMs >= SHORTEST_DEADLINE_MS;
      return Reflect.apply(target, self, isDeadline ? [() => {}, 0] : [callback, delayMs, ...given]);
    },
  });
}

/**
 * The clock of the workers suite: it runs at the real speed and begins on a Monday at noon. So no test
 * meets the end of a day, a month or a year, or a change of the hour, unless it asks for one.
 */
const BEGINS = Date.parse("2026-11-30T11:00:00Z");

const SHIFTED = Symbol.for("cuadre.pool.clock");

/** Again before each test: a test that ended fake timers may have left the real clock. */
export function shiftClock(): void {
  const known: unknown = Reflect.get(globalThis, SHIFTED);
  if (typeof known === "function") {
    globalThis.Date = known as DateConstructor;
    return;
  }
  globalThis.Date = from(globalThis.Date, BEGINS);
  Reflect.set(globalThis, SHIFTED, globalThis.Date);
}

/** Its dates are the real ones: only those of now are made otherwise. */
function from(real: DateConstructor, begins: number): DateConstructor {
  const lateMs = begins - real.now();
  const now = () => real.now() + lateMs;
  const shifted: DateConstructor = new Proxy(real, {
    construct: (target, given, newTarget) =>
      Reflect.construct(
        target,
        given.length > 0 ? given : [now()],
        newTarget === shifted ? target : newTarget,
      ),
    apply: () => new real(now()).toString(),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  return shifted;
}
