/** Bands across the top of every page, until what they tell has ended. */
export function Notices() {
  return null;
}
