/** How often a shop may be called: a bucket that fills again at a pace. */
export function bucketOf({
  size,
  perSecond,
  now,
}: {
  readonly size: number;
  readonly perSecond: number;
  readonly now: () => number;
}) {
  let [points, at] = [size, now()];
  const left = () => {
    const time = now();
    points = Math.min(size, points + (Math.max(0, time - at) / 1_000) * perSecond);
    at = time;
    return points;
  };
  return {
    left,
    take(cost: number) {
      points = left() - cost;
    },
  };
}
