import type { PullCallback } from "../../src/domain/callback/pull-callback.ts";
import type { Setup } from "../../src/domain/connection/setup.ts";

export const NOON = Date.UTC(2026, 10, 28, 12);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Secrets of the right form that differ. */
export function aSecret(number: number): string {
  return `whsec_${btoa(String.fromCharCode(number).repeat(32))}`;
}

/** Random bytes for tests: 0, 1, 2, ... */
export function counting(sizeBytes: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, index) => index);
}

export const PENDING: Setup = { state: "pending_configuration", storeIds: null };

export function configured(storeIds: string | null): Setup {
  return { state: "configured", storeIds };
}

/** Registered, and never called. */
export function aCallback(change: Partial<PullCallback> = {}): PullCallback {
  return { url: "https://tienda.es/pull", secrets: { current: aSecret(1) }, delivery: undefined, ...change };
}
