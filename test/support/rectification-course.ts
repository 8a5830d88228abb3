/** One invoice and what is done to it, beside a plain model that knows what must come of it. */
import fc from "fast-check";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { directOrigin } from "../../src/domain/invoice/origin.ts";
import type { SealedRecord } from "../../src/domain/verifactu/record.ts";
import { cancelling, codeOf, type Issuance, issueAll, remainingOf } from "./direct-invoicing.ts";
import { textOf, unitsOf } from "./exact.ts";
import { aRequest, correcting, linesOf } from "./requests.ts";

export const RATES = ["21", "10", "4"] as const;

/** Cents per rate. */
export type Bases = readonly bigint[];

export type Deed =
  | { readonly deed: "take"; readonly percents: Bases }
  | { readonly deed: "substitute"; readonly bases: Bases }
  | { readonly deed: "cancel"; readonly which: number };

const three = (most: bigint) => fc.array(fc.bigInt({ min: 0n, max: most }), { minLength: 3, maxLength: 3 });

export const anyDeeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    fc.record({ deed: fc.constant("take" as const), percents: three(110n) }),
    fc.record({ deed: fc.constant("substitute" as const), bases: three(50_000n) }),
    fc.record({ deed: fc.constant("cancel" as const), which: fc.nat(20) }),
  ),
  { maxLength: 16 },
);

/** An invoice that may be rectified, and the parts of it that are in force. */
interface Root {
  readonly id: string;
  readonly bases: Bases;
  readonly parts: Map<string, Bases>;
}

interface Told {
  readonly outcome: string;
  readonly expected: string;
}

export function courseOf(invoiced: Bases) {
  let issuance: Issuance = issueAll([aRequest("e0", { lines: linesWith(invoiced, "1") })]);
  const records: SealedRecord[] = [...issuance.records];
  /** The last one is open; those before it were substituted by the one behind them. */
  const roots: Root[] = [{ id: "e0", bases: invoiced, parts: new Map() }];
  const issuedIds: string[] = [];
  const cancelledIds = new Set<string>();

  function act(deed: Deed): Told {
    switch (deed.deed) {
      case "take":
        return take(openRoot(), deed.percents);
      case "substitute":
        return substitute(openRoot(), deed.bases);
      case "cancel":
        return cancel(deed.which);
    }
  }

  function take(root: Root, percents: Bases): Told {
    const left = leftOf(root);
    const part = left.map((amount, index) => (amount * (percents[index] ?? 0n)) / 100n);
    const isTooMuch = part.some((amount, index) => amount > (left[index] ?? 0n));
    const id = nextId();
    const request = correcting(aRequest(id, { lines: linesWith(part, "-1") }), [root.id]);
    const told = { outcome: run(request), expected: isTooMuch ? "rectification_exceeds" : "issued" };
    if (told.outcome === "issued") {
      root.parts.set(id, part);
      issuedIds.push(id);
    }
    return told;
  }

  function substitute(root: Root, bases: Bases): Told {
    const id = nextId();
    const request = aRequest(id, { lines: linesWith(bases, "1") });
    const cited = [root.id, ...root.parts.keys()];
    const outcome = run(correcting(request, cited, { rectificationMethod: "substitution" }));
    roots.push({ id, bases, parts: new Map() });
    issuedIds.push(id);
    return { outcome, expected: "issued" };
  }

  /** Only rectifications are cancelled: without its invoice the course would be over. */
  function cancel(which: number): Told {
    const id = issuedIds[which % Math.max(1, issuedIds.length)];
    if (id === undefined) return { outcome: "nothing", expected: "nothing" };
    const root = openRoot();
    const isOpen = root.parts.has(id) || (root.id === id && root.parts.size === 0);
    const expected = cancelledIds.has(id) ? "replayed" : isOpen ? "cancelled" : "cancellation_not_allowed";
    const outcome = run(cancelling(id));
    if (outcome !== "cancelled") return { outcome, expected };
    cancelledIds.add(id);
    if (root.id === id) roots.pop();
    else root.parts.delete(id);
    return { outcome, expected };
  }

  function run(step: Parameters<typeof issueAll>[0][number]): string {
    issuance = issueAll([step], { after: issuance });
    records.push(...issuance.records);
    return codeOf(issuance.outcomes[0]);
  }

  function openRoot(): Root {
    const last = roots.at(-1);
    if (!last) throw new Error("no invoice left");
    return last;
  }

  /** Summed over the documents in force, apart from what the product keeps of them. */
  function expectedRemaining(): string[] {
    const root = openRoot();
    const views = [root.id, ...root.parts.keys()].map((id) => viewIn(issuance, id));
    const left = leftOf(root);
    return RATES.flatMap((rate, index) => {
      const groups = views.flatMap((view) => view.document.groups).filter((group) => group.rate === rate);
      const tax = groups.reduce((sum, { amounts }) => sum + unitsOf(amounts.tax, 2), 0n);
      const base = left[index] ?? 0n;
      return base === 0n && tax === 0n ? [] : [`${rate}: ${textOf(base, 2)} / ${textOf(tax, 2)}`];
    });
  }

  return {
    act,
    expectedRemaining,
    remaining: () => remainingOf(issuance, openRoot().id),
    records: () => records,
  };

  function nextId(): string {
    return `e${records.length + issuedIds.length + 1}-${issuance.books.seq}`;
  }
}

function leftOf({ bases, parts }: Root): Bases {
  return bases.map((base, index) =>
    [...parts.values()].reduce((left, part) => left - (part[index] ?? 0n), base),
  );
}

function viewIn({ invoices }: Issuance, id: string): InvoiceView {
  const found = invoices.get(directOrigin(id));
  if (!found) throw new Error(`no invoice ${id}`);
  return found.view;
}

function linesWith(amounts: Bases, quantity: string) {
  return amounts.flatMap((amount, index) => linesOf(`${quantity}x${textOf(amount, 2)}@${RATES[index]}`));
}
