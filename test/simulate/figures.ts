/** What happened in histories: steps, faults, answers. */
export type Figures = Map<string, number>;

export function count(figures: Figures, what: string, times = 1): void {
  figures.set(what, (figures.get(what) ?? 0) + times);
}

export function addTo(figures: Figures, others: Iterable<readonly [string, number]>): void {
  for (const [what, times] of others) count(figures, what, times);
}
