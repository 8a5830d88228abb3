import { SIGN_IN_DELAY } from "../limits.ts";

/** How long the next try waits behind so many wrong ones of one sender: doubled each time. */
export function delayBehind(failures: number): number {
  const { free, firstMs, longestMs } = SIGN_IN_DELAY;
  return failures < free ? 0 : Math.min(longestMs, firstMs * 2 ** (failures - free));
}
