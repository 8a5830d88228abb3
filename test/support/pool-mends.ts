/** What the runtime of the suite does otherwise than production, set right before any object is opened. */

const MENDED = Symbol.for("cuadre.pool.mended");

/** Deadlines of the product are longer, its pauses between two tries are shorter. */
const SHORTEST_DEADLINE_MS = 1_000;

/** Once for the isolate, whose globals outlive the modules of a test file. */
export function mendPool(): void {
  if (Reflect.has(globalThis, MENDED)) return;
  Reflect.set(globalThis, MENDED, true);
  globalThis.Proxy = withOnePrototypeTrap(globalThis.Proxy);
  globalThis.setTimeout = withoutDeadlines(globalThis.setTimeout);
}

/**
 * With every instance the pool puts one more proxy around the prototype that all instances of its class share
 * (cloudflare/workers-sdk#15092): each look-up then takes as many steps as objects were opened before it.
 * The first does all that the others do.
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

/**
 * No test is about time: a deadline that ran out because the machine is busy would be a fault that nobody asked
 * for. Those that are about deadlines bring timers of their own.
 */
function withoutDeadlines(real: typeof setTimeout): typeof setTimeout {
  return new Proxy(real, {
    apply(target, self, [callback, delayMs = 0, ...given]: Parameters<typeof setTimeout>) {
      const isDeadline = delayMs >= SHORTEST_DEADLINE_MS;
      return Reflect.apply(target, self, isDeadline ? [() => {}, 0] : [callback, delayMs, ...given]);
    },
  });
}
