import { SIGN_IN_DELAY } from "../limits.ts";

/** The delay of the next sign-in after failures of one sender; it doubles with each. */
export function delayBehind(failures: number): number {
  const { free, firstMs, longestMs } = SIGN_IN_DELAY;
  return failures < free ? 0 : Math.min(longestMs, firstMs * 2 ** (failures - free));
}
