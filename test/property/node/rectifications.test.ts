import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import { directOrigin } from "../../../src/domain/invoice/origin.ts";
import type { RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { verifyChain } from "../../../src/domain/verifactu/chain.ts";
import type { SealedRecord } from "../../../src/domain/verifactu/record.ts";
import {
  cancelling,
  codeOf,
  type Issuance,
  issueAll,
  remainingOf,
  viewOf,
} from "../../support/builders/direct-invoicing.ts";
import { textOf, unitsOf } from "../../support/builders/facts.ts";
import { aRequest, correcting, linesOf } from "../../support/builders/requests.ts";
import { often } from "../../support/rules/often.ts";

/**
 * After any sequence on an invoice: no group below zero, the amounts in force add up, a full return is
 * exact.
 */

describe("a full return in random parts", () => {
  const invoiced = fc.array(fc.bigInt({ min: 1n, max: 20_000n }), { minLength: 1, maxLength: 3 });
  const permille = fc.array(fc.array(fc.bigInt({ min: 0n, max: 1000n }), { minLength: 3, maxLength: 3 }), {
    maxLength: 8,
  });
  const exchange = fc.option(fc.bigInt({ min: 300_000n, max: 200_000_000n }), { nil: undefined });

  test.each([
    ["net", false],
    ["with prices that include tax", true],
  ])("sums to zero per group, in its currency and in euros: %s", (_, pricesIncludeTax) => {
    fc.assert(
      fc.property(invoiced, permille, exchange, (bases, cuts, rate) => {
        const change = rate === undefined ? {} : inDollars(rate);
        const first = issueAll([aRequest("e0", { ...change, lines: linesWith(bases, "1") })]);
        const parts = partsOf(wholeOf(first, pricesIncludeTax), cuts);
        const returned = issueAll(
          parts.map((part, index) => {
            const lines = linesWith(part, "-1");
            return correcting(aRequest(`r${index}`, { ...change, pricesIncludeTax, lines }), ["e0"]);
          }),
          { after: first },
        );
        const views = [...first.outcomes, ...returned.outcomes].map(viewOf);
        expect(sumsOf(views)).toEqual(new Set([0n]));
        expect(remainingOf(returned, "e0")).toEqual([]);
      }),
      often(250),
    );
  });
});

test("any sequence of parts, substitutions and cancellations leaves the sum in force, and no group below zero", () => {
  const invoiced = fc.array(fc.bigInt({ min: 0n, max: 50_000n }), { minLength: 3, maxLength: 3 });
  const used = new Set<string>();
  fc.assert(
    fc.property(invoiced, anyDeeds, (bases, deeds) => {
      const course = courseOf(bases);
      for (const deed of deeds) {
        used.add(deed.deed);
        const { outcome, expected } = course.act(deed);
        expect([deed, outcome]).toEqual([deed, expected]);
        expect(course.remaining()).toEqual(course.expectedRemaining());
        expect(course.remaining().filter((text) => text.includes("-"))).toEqual([]);
      }
      const records = course.records();
      expect(verifyChain(records)).toEqual({ ok: true, value: { checked: records.length } });
    }),
    often(200),
  );
  expect([...used].sort(), "the changes are of every kind").toEqual(["cancel", "substitute", "take"]);
});

function inDollars(rate: bigint) {
  const exchangeRate = decimal(textOf(rate, 6));
  return { currency: "USD", exchangeRate, exchangeRateDate: civilDate("2026-11-26") };
}

function linesWith(amounts: Bases, quantity: string): RequestLine[] {
  return amounts.flatMap((amount, index) =>
    amount === 0n ? [] : linesOf(`${quantity}x${textOf(amount, 2)}@${RATES[index]}`),
  );
}

/** The required sums of the parts: bases, or amounts with tax. */
function wholeOf({ outcomes }: Issuance, pricesIncludeTax: boolean): Bases {
  return outcomes.map(viewOf).flatMap(({ document }) =>
    document.groups.map(({ amounts }) => {
      const tax = pricesIncludeTax ? unitsOf(amounts.tax, 2) : 0n;
      return unitsOf(amounts.base, 2) + tax;
    }),
  );
}

/** Each cut takes some thousandths of the remainder; the last part takes the rest. */
function partsOf(whole: Bases, cuts: readonly Bases[]): Bases[] {
  const parts: Bases[] = [];
  let left = whole;
  for (const cut of cuts) {
    const part = left.map((amount, index) => (amount * (cut[index] ?? 0n)) / 1000n);
    left = left.map((amount, index) => amount - (part[index] ?? 0n));
    parts.push(part);
  }
  return [...parts, left].filter((part) => part.some((amount) => amount !== 0n));
}

/** Every sum that should be zero: base and tax of each rate, in the currency and in euros. */
function sumsOf(views: readonly InvoiceView[]): Set<bigint> {
  const sums = new Map<string, bigint>();
  for (const { rate, amounts, eur } of views.flatMap(({ document }) => document.groups)) {
    for (const [name, value] of Object.entries({ ...amounts, eurBase: eur.base, eurTax: eur.tax })) {
      sums.set(`${rate} ${name}`, (sums.get(`${rate} ${name}`) ?? 0n) + unitsOf(value, 2));
    }
  }
  return new Set(sums.values());
}

/** One invoice and its corrections, next to a plain model that knows their result. */

const RATES = ["21", "10", "4"] as const;

/** Cents per rate. */
type Bases = readonly bigint[];

type Deed =
  | { readonly deed: "take"; readonly percents: Bases }
  | { readonly deed: "substitute"; readonly bases: Bases }
  | { readonly deed: "cancel"; readonly which: number };

const three = (most: bigint) => fc.array(fc.bigInt({ min: 0n, max: most }), { minLength: 3, maxLength: 3 });

const anyDeeds: fc.Arbitrary<Deed[]> = fc.array(
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

function courseOf(invoiced: Bases) {
  let issuance: Issuance = issueAll([aRequest("e0", { lines: ratedLines(invoiced, "1") })]);
  const records: SealedRecord[] = [...issuance.records];
  /** The last one is open; each earlier one was substituted by the next. */
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
    const request = correcting(aRequest(id, { lines: ratedLines(part, "-1") }), [root.id]);
    const told = { outcome: run(request), expected: isTooMuch ? "rectification_exceeds" : "issued" };
    if (told.outcome === "issued") {
      root.parts.set(id, part);
      issuedIds.push(id);
    }
    return told;
  }

  function substitute(root: Root, bases: Bases): Told {
    const id = nextId();
    const request = aRequest(id, { lines: ratedLines(bases, "1") });
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

function ratedLines(amounts: Bases, quantity: string) {
  return amounts.flatMap((amount, index) => linesOf(`${quantity}x${textOf(amount, 2)}@${RATES[index]}`));
}
