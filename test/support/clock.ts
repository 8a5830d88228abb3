/**
 * The clock of the workers suite: it goes as fast as the real one and begins on a Monday at noon, so that no test
 * meets the end of a day, a month or a year, or a change of the hour, unless it asks for one.
 */
const BEGINS = Date.parse("2026-11-30T11:00:00Z");

const SHIFTED = Symbol.for("cuadre.pool.clock");

/** Again before each test: whoever gave up fake timers may have left the real clock behind. */
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
