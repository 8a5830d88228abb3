export interface Spread {
  readonly samples: number;
  readonly p05: number;
  readonly median: number;
  readonly p95: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { samples: sorted.length, p05: at(0.05), median: at(0.5), p95: at(0.95) };
}

const MARK = "BENCH ";

/** One line for the runner to read: benches inside the runtime cannot write a file. */
export function report(name: string, figures: Readonly<Record<string, readonly number[]>>): void {
  const spreads = Object.fromEntries(Object.entries(figures).map(([key, values]) => [key, spreadOf(values)]));
  console.log(MARK + JSON.stringify({ name, spreads }));
}

export interface Report {
  readonly name: string;
  readonly spreads: Readonly<Record<string, Spread>>;
}

export function reportsIn(output: string): Report[] {
  return output
    .split("\n")
    .filter((line) => line.includes(MARK))
    .map((line): Report => JSON.parse(line.slice(line.indexOf(MARK) + MARK.length)));
}
