/** Counts per minute and per Cloudflare location; its limits are in wrangler.toml and `domain/limits.ts`. */
export interface Brake {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The binding does not say when its minute ends. */
export const BRAKE_SECONDS = 60;

/** True if the call exceeds the limit. If the brake fails, calls pass: later checks still apply. */
export async function isBraked(brake: Brake, key: string): Promise<boolean> {
  const { success } = await brake.limit({ key }).catch(() => ({ success: true }));
  return !success;
}
