/** An expected outcome travels as a value; only bugs and outages are thrown. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/**
 * Ends every switch over a union: a new member fails to compile instead of falling through. The message
 * does not say which: it may be a whole order, and messages of errors end in logs.
 */
export function assertNever(value: never): never {
  throw new Error(`unreachable: a case of type ${typeof value}`);
}

/** A condition that must hold after the last check. A failure is a bug, never an answer to bad input. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${what}`);
}
