/** The bounds of `npm run bench -- guard`, wider than the aims: what breaks them is no chance. */
import type { Spread } from "../report.ts";

export interface Figures {
  /** 64 at once on one connection with 20 ms to the database: times the design without groups. */
  readonly groupsFarAway: number;
  /** 64 at once on eight connections: times the design without groups that does the same durable work. */
  readonly eightTenants: number;
  /** One invoice alone: times the floor of the runtime. */
  readonly aloneToFloor: number;
  /** A customer's page, and a PDF: times a constant. */
  readonly pageToConstant: number;
  readonly pdfToConstant: number;
  /** Rows that an invoice reads after some hundred others, beyond those that it read at first. */
  readonly rowsReadMore: number;
}

interface Bound {
  readonly least?: number;
  readonly most?: number;
  /** It depends on no clock, so a busy machine does not excuse it. */
  readonly always?: true;
}

export const BOUNDS: Readonly<Record<keyof Figures, Bound>> = {
  groupsFarAway: { least: 14 },
  eightTenants: { least: 1 },
  aloneToFloor: { most: 2 },
  pageToConstant: { most: 4 },
  pdfToConstant: { most: 4.5 },
  rowsReadMore: { most: 0, always: true },
};

/** On a quiet machine the slowest of a hundred equal calls takes some 1.4 times the median. */
const QUIET_SPREAD = 1.7;

/** The floor's own calls are always the same: only other work on the machine spreads them. */
export function isQuiet({ median, p95 }: Pick<Spread, "median" | "p95">): boolean {
  return p95 <= QUIET_SPREAD * median;
}

/** A sentence for each broken bound; on a busy machine only for those that no clock can break. */
export function brokenBounds(figures: Figures, quiet: boolean): readonly string[] {
  const names = Object.keys(BOUNDS) as (keyof Figures)[];
  return names.flatMap((name) => {
    const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, always } = BOUNDS[name];
    const figure = figures[name];
    // A figure that could not be measured is no good one.
    const isWithin = figure >= least && figure <= most;
    if (isWithin || !(quiet || always)) return [];
    const bound = figure < least ? `at least ${least}` : `at most ${most}`;
    return [`${name} is ${figure.toFixed(2)} and must be ${bound}`];
  });
}
