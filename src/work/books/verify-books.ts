import type {
  BooksToWalk,
  ChainToWalk,
  ProofStore,
  SeriesToWalk,
  Stretch,
} from "../../db/books/proof-reads.ts";
import { NOTHING_CHECKED, type ProofPlace, type ProofTally, withChecked } from "../../domain/proof/checks.ts";
import {
  type InvoiceRow,
  type NumberedHead,
  nextNumber,
  type RecordRow,
  verifyInvoice,
  verifyRecord,
  type WalkedHead,
} from "../../domain/proof/verify.ts";
import { nextPosition } from "../../domain/verifactu/chain.ts";

/**
 * The progress of a verification: every chain from its first record, then every series from its first number.
 * A plain value, so that any object can continue after any page.
 */
export interface Verification {
  readonly chains: readonly ChainToWalk[];
  readonly series: readonly SeriesToWalk[];
  readonly at: VerificationPlace;
  readonly tally: ProofTally;
  /** The last retired year: the walk begins after it. */
  readonly leftUntil?: number;
}

type VerificationPlace =
  | { readonly walk: "chains"; readonly index: number; readonly head?: WalkedHead }
  | { readonly walk: "series"; readonly index: number; readonly head?: NumberedHead }
  | { readonly walk: "done" };

export function beginVerification({ chains, series, leftUntil }: BooksToWalk): Verification {
  const begun = { chains, series, at: { walk: "chains", index: 0 }, tally: NOTHING_CHECKED } as const;
  return leftUntil === undefined ? begun : { ...begun, leftUntil };
}

export function isDone({ at }: Verification): boolean {
  return at.walk === "done";
}

export async function verifyPage(
  verification: Verification,
  store: Pick<ProofStore, "readRecords" | "readInvoices">,
): Promise<Verification> {
  const { at } = verification;
  switch (at.walk) {
    case "chains": {
      const chain = verification.chains[at.index];
      if (!chain) return { ...verification, at: { walk: "series", index: 0 } };
      const stretch = stretchOf(headIn(chain, at)?.position, chain.last);
      return overRecords(
        verification,
        at,
        chain,
        await pageOf(stretch, () => store.readRecords(chain, stretch)),
      );
    }
    case "series": {
      const series = verification.series[at.index];
      if (!series) return { ...verification, at: { walk: "done" } };
      const stretch = stretchOf(at.head?.number, series.last);
      return overInvoices(
        verification,
        at,
        series,
        await pageOf(stretch, () => store.readInvoices(series, stretch)),
      );
    }
    case "done":
      return verification;
  }
}

/** A chain with retired years continues from their end. */
function headIn({ start }: ChainToWalk, { head }: At<"chains">): WalkedHead | undefined {
  return head ?? (start && { isRead: true, ...start });
}

function stretchOf(after: number | undefined, until: number): Stretch {
  return { after: after ?? 0, until };
}

/** No query after the end. */
async function pageOf<Row>(
  { after, until }: Stretch,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return after < until ? await read() : [];
}

type At<Walk extends VerificationPlace["walk"]> = Extract<VerificationPlace, { readonly walk: Walk }>;

function overRecords(
  verification: Verification,
  at: At<"chains">,
  chain: ChainToWalk,
  page: readonly RecordRow[],
): Verification {
  let head = headIn(chain, at);
  let { tally } = verification;
  const placeNext = (): ProofPlace => ({ chain: chain.installationNumber, position: nextPosition(head) });
  for (const row of page) {
    const verified = verifyRecord(row, head, chain);
    tally = withChecked(tally, verified, placeNext());
    head = verified.head;
  }
  if (page.length > 0) return { ...verification, tally, at: { ...at, ...(head ? { head } : {}) } };
  const next = { ...verification, at: { walk: "chains", index: at.index + 1 } } as const;
  // The last record existed when the walk began and is missing now.
  return (head?.position ?? 0) < chain.last
    ? { ...next, tally: withMissing(tally, "position", placeNext()) }
    : next;
}

function overInvoices(
  verification: Verification,
  at: At<"series">,
  series: SeriesToWalk,
  page: readonly InvoiceRow[],
): Verification {
  let { head } = at;
  let { tally } = verification;
  const placeNext = (): ProofPlace => ({ series: series.code, number: nextNumber(head) });
  for (const row of page) {
    const verified = verifyInvoice(row, head, series);
    tally = withChecked(tally, verified, placeNext());
    head = verified.head;
  }
  if (page.length > 0) return { ...verification, tally, at: { ...at, ...(head ? { head } : {}) } };
  const next = { ...verification, at: { walk: "series", index: at.index + 1 } } as const;
  return (head?.number ?? 0) < series.last
    ? { ...next, tally: withMissing(tally, "number", placeNext()) }
    : next;
}

function withMissing(tally: ProofTally, check: "position" | "number", place: ProofPlace): ProofTally {
  return withChecked(tally, { checked: [check], broken: [check] }, place);
}
