import { TESTS } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";

type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

export interface TokenBucket {
  take(perMinute: number, now: Instant): Admission;
}

/** Cost of one request. A millisecond earns as much as the limit, so that all figures are whole numbers. */
const COST = 60_000;

/** As many requests as the limit allows in a minute, refilled evenly. An idle object starts full. */
export function tokenBucket(): TokenBucket {
  let credit = Number.POSITIVE_INFINITY;
  let filledAt: Instant = 0;
  return {
    take(perMinute, now) {
      if (perMinute === 0) return { admitted: true };
      // A clock that was set back removes no credit.
      const elapsedMs = Math.max(0, now - filledAt);
      credit = Math.min(perMinute * COST, credit + elapsedMs * perMinute);
      filledAt = now;
      if (credit >= COST) {
        credit -= COST;
        return { admitted: true };
      }
      return { admitted: false, retryAfterSeconds: Math.ceil((COST - credit) / perMinute / 1_000) };
    },
  };
}

/** Bytes of tests that a connection has sent and that still count, at a moment. */
export interface SentTestsNote {
  readonly bytes: number;
  readonly at: Instant;
}

/** The object keeps the note, so that a new instance does not start a new count. */
export interface SentTestsKeeper {
  read(): Promise<SentTestsNote | undefined>;
  write(note: SentTestsNote): void;
}

export interface SentTests {
  /** Undefined once the note was read. */
  reading(): Promise<void> | undefined;
  take(sizeBytes: number, now: Instant): Admission;
}

const DAY_MS = 86_400_000;

/**
 * Test invoices and orders are kept like all others, and an unverified company costs nothing to create. So
 * its connections may send only a limited amount, which is freed slowly.
 */
export function sentTests(keeper?: SentTestsKeeper): SentTests {
  let note: SentTestsNote = { bytes: 0, at: 0 };
  let reading = keeper
    ?.read()
    .catch(() => undefined)
    .then((kept) => {
      note = kept ?? note;
      reading = undefined;
    });
  return {
    reading: () => reading,
    take(sizeBytes, now) {
      const freed = (Math.max(0, now - note.at) / DAY_MS) * TESTS.bytesPerDay;
      const bytes = Math.max(0, note.bytes - freed);
      const tooMany = bytes + sizeBytes - TESTS.bytes;
      if (tooMany > 0) {
        const waitMs = (tooMany / TESTS.bytesPerDay) * DAY_MS;
        return { admitted: false, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
      }
      note = { bytes: bytes + sizeBytes, at: now };
      keeper?.write(note);
      return { admitted: true };
    },
  };
}
