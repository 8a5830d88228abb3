import fc from "fast-check";
import { expect, test } from "vitest";
import { add, compare, type Decimal, decimal, negate, ZERO } from "../../../src/domain/shared/decimal.ts";
import { expectBooksConsistent, expectOrdersConsistent } from "../../support/rules/consistency.ts";
import { often } from "../../support/rules/often.ts";
import { ownerOf, type ShopConsole, shopConsole } from "../../support/worlds/console.ts";
import { A_SENT_COMPANY, aSentLine, aSentOrder } from "../../support/worlds/order-calls.ts";
import { refunds } from "../../support/worlds/refund-calls.ts";

/** Any refunds and reductions of a sale by its lines: of no rate comes back more than was sold. */

interface Sold {
  readonly quantity: number;
  readonly cents: number;
  readonly rate: 4 | 10 | 21;
}

interface Taken {
  readonly by: number;
  readonly what: "refund" | "price_reduction";
  readonly line: number;
  /** Pieces, or hundredths of what is left. */
  readonly much: number;
  /** Another acts between preview and act. */
  readonly isBetween: boolean;
}

const aSold: fc.Arbitrary<Sold> = fc.record({
  quantity: fc.integer({ min: 1, max: 5 }),
  cents: fc.integer({ min: 1, max: 30_000 }),
  rate: fc.constantFrom(4 as const, 10 as const, 21 as const),
});

const aTaken: fc.Arbitrary<Taken> = fc.record({
  by: fc.nat({ max: 1 }),
  what: fc.constantFrom("refund" as const, "refund" as const, "price_reduction" as const),
  line: fc.nat({ max: 3 }),
  much: fc.integer({ min: 1, max: 6 }),
  isBetween: fc.boolean(),
});

const history = fc.record({
  lines: fc.array(aSold, { minLength: 1, maxLength: 4 }),
  taken: fc.array(aTaken, { minLength: 2, maxLength: 10 }),
});

let orders = 0;

async function sell(shop: ShopConsole, lines: readonly Sold[]): Promise<string> {
  const amounts = lines.map(({ quantity, cents, rate }) => {
    const base = (quantity * cents) / 100;
    return { base, tax: Math.round(base * rate) / 100 };
  });
  const breakdown = lines.map(({ quantity, rate }, index) => {
    const { base = 0, tax = 0 } = amounts[index] ?? {};
    return aSentLine(base, tax, rate, { name: `Pieza ${index}`, quantity, line_id: `l${index}` });
  });
  const total = amounts.reduce((sum, { base, tax }) => sum + base + tax, 0);
  const order = aSentOrder(`any-${++orders}`, {
    ...{ total: Math.round(total * 100) / 100, breakdown, client: A_SENT_COMPANY },
  });
  const answer = await shop.connector.send(order);
  if (answer.outcome !== "taken") throw new Error(answer.outcome);
  return answer.order.invoices[0]?.issued?.invoiceId ?? "";
}

/** Of each rate, base and tax, with the sign of the documents. */
type Sums = Map<string, Decimal>;

function addGroups(sums: Sums, groups: readonly { rate: string; base: string; tax: string }[]): void {
  for (const { rate, base, tax } of groups) {
    sums.set(rate, add(sums.get(rate) ?? ZERO, add(decimal(base), decimal(tax))));
  }
}

test("of no rate comes back more than was sold, by whatever lines and people", {
  timeout: 240_000,
}, async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(history, async ({ lines, taken }) => {
      const shop = await shopConsole();
      const people = [shop.owner, await ownerOf(shop.shop)] as const;
      const id = await sell(shop, lines);
      expect(id).not.toBe("");
      const { preview, send, detail } = refunds(shop.owner, shop.shop.accountId, id);
      const sold: Sums = new Map();
      addGroups(sold, (await detail()).amounts.groups.map(amountsOf));
      const back: Sums = new Map();
      const act = async ({ by, what, line, much }: Taken, expects?: { total: string }) => {
        const who = people[by === 0 ? 0 : 1];
        const place = 1 + (line % lines.length);
        const { lines: shown } = await preview({ what, lines: [] }, who);
        const left = shown[place - 1]?.left;
        const part =
          what === "refund" ? { quantity: String(much) } : { amount: amountOf(left?.amount, much) };
        const asked = { what, lines: [{ line: place, ...part }] };
        const seen = await preview(asked, who);
        if (seen.problem) {
          reached.add(`preview ${seen.problem.code}`);
          expect(seen.drafts ?? []).toEqual([]);
        }
        const total = expects?.total ?? seen.total;
        if (total === null) return undefined;
        const sent = {
          cause: "Rota",
          ...asked,
          idempotency_key: `deed-any-refund-${++orders}`,
          expects: { total },
        };
        return { sent, seen, answer: () => send(sent, who) };
      };
      for (const step of taken) {
        const first = await act(step);
        if (!first) continue;
        // What another person does in between makes the confirmed total old, or takes what was left.
        const between = step.isBetween ? await act({ ...step, by: 1 - step.by }) : undefined;
        for (const one of [...(between ? [between] : []), first]) {
          const { status, body } = await one.answer();
          reached.add(`act ${body.error_code ?? status}`);
          expect(status).toBeLessThan(500);
          if (status !== 200) continue;
          addGroups(
            back,
            one.seen.drafts.flatMap((draft: { groups: [] }) => draft.groups),
          );
          expect((await one.answer()).body.replayed).toBe(true);
        }
      }
      for (const [rate, amount] of back) {
        expect([rate, compare(negate(amount), sold.get(rate) ?? ZERO) <= 0]).toEqual([rate, true]);
      }
      const { left } = await preview({ what: "refund", lines: [] });
      const total = [...sold.values(), ...back.values()].reduce(add, ZERO);
      expect(compare(decimal(left), total)).toBe(0);
      await expectBooksConsistent(shop.shop.connectionId);
      await expectOrdersConsistent(shop.shop.connectionId);
    }),
    often(60, 21),
  );
  expect([...reached]).toEqual(expect.arrayContaining(["act 200", "act preview_stale"]));
});

function amountsOf({ rate, base, quota: tax }: { rate: string; base: string; quota: string }) {
  return { rate, base, tax };
}

/** Some hundredths of what is left, in cents. */
function amountOf(left: string | undefined, much: number): string {
  const cents = Math.round(Number(left ?? "0") * 100);
  return (Math.max(1, Math.floor((cents * much * 10) / 100)) / 100).toFixed(2);
}
