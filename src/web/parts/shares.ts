/**
 * Whole percentages of a sum that add up to 100: each share is rounded down, and the points that are left go
 * to the largest remainders.
 */
export function wholeShares(values: readonly number[]): readonly number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  if (sum === 0) return values.map(() => 0);
  const exact = values.map((value) => (100 * value) / sum);
  const left = 100 - exact.reduce((total, share) => total + Math.floor(share), 0);
  const order = exact.map((_, index) => index).toSorted((a, b) => remainder(exact[b]) - remainder(exact[a]));
  const raised = new Set(order.slice(0, left));
  return exact.map((share, index) => Math.floor(share) + (raised.has(index) ? 1 : 0));
}

function remainder(share = 0): number {
  return share - Math.floor(share);
}
