/** A change of an order that meets a fault: it happens once, whole, or not at all. */
import { afterEach, beforeEach, expect } from "vitest";
import type { AnswerOutcome } from "../../../src/ledger/orders/order-outcomes.ts";
import { faults } from "../faults/faults.ts";
import { expectOrdersConsistent, type StoredBooks } from "../rules/consistency.ts";
import { openCommerce } from "./order-calls.ts";
import { type DEEDS, type Dealing, dealing, plainly, sendThree } from "./order-changes.ts";
import { auditOf } from "./owners.ts";
import type { Shop } from "./shop.ts";

export interface FaultyChange {
  readonly shop: Shop;
  /** Makes the change. */
  act(): Promise<AnswerOutcome>;
  readonly to: Dealing;
  /** The outcome is that of a change which was made, now or before. */
  done(outcome: AnswerOutcome, created?: boolean): void;
  nothingHappened(): Promise<void>;
}

type Deed = (typeof DEEDS)[keyof typeof DEEDS];

/** Before each test of the `describe` a shop with three orders; after each, the books are checked. */
export function faultyChange({ id, act, before, after }: Deed): FaultyChange {
  let shop: Shop;
  let to: Dealing;
  let since: StoredBooks;
  const status = async () => plainly(await to.read(id));

  beforeEach(async () => {
    shop = await openCommerce();
    to = dealing(shop);
    await sendThree(to);
    since = await expectOrdersConsistent(shop.connectionId);
    expect(await status()).toBe(before);
  });

  /** After any fault: once, as answered, and the same change again changes nothing more. */
  afterEach(async () => {
    expect(faults.pending(), "every fault was met").toEqual([]);
    const { answers } = to;
    const books = await expectOrdersConsistent(shop.connectionId, { answers, since });
    expect(await status()).toBe(after);
    expect(await act(to)).toMatchObject({ outcome: "taken", created: false });
    expect(await status()).toBe(after);
    expect(await expectOrdersConsistent(shop.connectionId, { answers })).toEqual(books);
    expect((await auditOf(shop)).length).toBeLessThanOrEqual(1);
  });

  return {
    get shop() {
      return shop;
    },
    get to() {
      return to;
    },
    act: () => act(to),
    done(outcome, created = before === undefined) {
      expect(outcome).toMatchObject({ outcome: "taken", created });
      expect(plainly(outcome)).toBe(after);
    },
    async nothingHappened() {
      const { invoices, records } = await expectOrdersConsistent(shop.connectionId);
      expect({ invoices, records }).toEqual({ invoices: since.invoices, records: since.records });
      expect(await status()).toBe(before);
    },
  };
}
