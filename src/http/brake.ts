import type { Context } from "hono";
import { networkOf } from "./client-network.ts";
import type { AppEnv, Brake } from "./deps.ts";

/** The binding counts by the minute and does not say when the minute ends. */
export const BRAKE_SECONDS = 60;

/**
 * Whether one more is one too many. While a brake is out of order, what it stands in front of still
 * checks.
 */
export async function isBraked(brake: Brake, key: string): Promise<boolean> {
  const { success } = await brake.limit({ key }).catch(() => ({ success: true }));
  return !success;
}

export function networkIn(c: Context<AppEnv>): string {
  return networkOf(c.req.header("CF-Connecting-IP"));
}
