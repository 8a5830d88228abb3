/**
 * Counts by the minute and by Cloudflare location; its figures stand in wrangler.toml and
 * `domain/limits.ts`.
 */
export interface Brake {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The binding does not say when its minute ends. */
export const BRAKE_SECONDS = 60;

/**
 * Whether one more is one too many. While a brake is out of order, what it stands in front of still
 * checks.
 */
export async function isBraked(brake: Brake, key: string): Promise<boolean> {
  const { success } = await brake.limit({ key }).catch(() => ({ success: true }));
  return !success;
}
