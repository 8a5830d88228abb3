/**
 * After a reactivation no document of the order is annulled alone: neither of the old sale nor of the new
 * one.
 */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { SubmissionState } from "../../src/domain/verifactu/submission/state.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { told } from "../support/rules/readable.ts";
import { type Browser, ownerOf } from "../support/worlds/console.ts";
import { directCaller, everythingIn } from "../support/worlds/http-calls.ts";
import { aSentOrder, openCommerce, orderIn, type SentBody } from "../support/worlds/order-calls.ts";
import {
  CANCELLED,
  type Dealing,
  dealing,
  FULL,
  NO_SALE,
  plainly,
  REFUNDED,
  VOID,
} from "../support/worlds/order-changes.ts";
import { correctRecord, readCorrections, settleRecord } from "../support/worlds/owners.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

const ID = "50:01";
const BACK: SentBody = { status: "back" };

/** The earlier sale. */
const OVER = "F2 121 R5 -121";
/** The shop's order of the new sale, and the order's answer then. */
const CASES: readonly (readonly [name: string, then: readonly SentBody[], expected: string])[] = [
  ["of which a part went back", [{ ...BACK, ...REFUNDED }], `partially_rectified ${OVER} F2 121 R5 -12.1`],
  [
    "with its full invoice, of which a part went back",
    [FULL, { ...FULL, ...REFUNDED }],
    `partially_rectified ${OVER} F2 121 F3 121 R5 -12.1 F3 -12.1`,
  ],
  ["that was cancelled again", [CANCELLED], `rectified ${OVER} F2 121 R5 -121`],
];

interface Document {
  readonly invoiceId: string;
  readonly fullNumber: string;
}

let shop: Shop;
let order: Dealing;
let owner: Browser;

beforeEach(async () => {
  shop = await openCommerce();
  order = dealing(shop);
  owner = await ownerOf(shop);
  await order.send(aSentOrder(ID));
  await order.send(aSentOrder(ID, CANCELLED));
  await order.send(aSentOrder(ID, BACK));
  await order.answer(ID, { answer: "issue" });
});

describe.each(CASES)("of a new ticket %s", (_, then, expected) => {
  let issued: readonly Document[];

  beforeEach(async () => {
    for (const change of then) await order.send(aSentOrder(ID, change));
    const read = await order.read(ID);
    expect(plainly(read)).toBe(expected);
    issued = orderIn(read).invoices.flatMap(({ issued }) => issued ?? []);
  });

  test.each<SubmissionState>(["pending_submission", "accepted", "accepted_with_errors", "rejected"])(
    "the owner annuls no document with a record that is %s",
    async (recordState) => {
      for (const { invoiceId } of issued) await settleRecord(shop, invoiceId, { state: recordState });
      const before = await everythingIn();
      for (const [index, { invoiceId }] of issued.entries()) {
        expect(await annul(invoiceId, `request-${index}`)).toBe("annulment_through_order");
        expect(await readCorrections(shop, invoiceId)).toMatchObject({
          corrections: { annul: { offered: false, refusal: { code: "annulment_through_order" } } },
        });
      }
      expect(await everythingIn()).toEqual(before);
    },
  );

  test("the console refuses an annulment and names the order", async () => {
    const before = await everythingIn();
    for (const [index, { invoiceId }] of issued.entries()) {
      const path = `/api/accounts/${shop.accountId}/invoices/${invoiceId}/corrections`;
      const asked = { correction: "annul", deed: `deed-${1000 + index}`, reason: "Nunca existió" };
      expect(await owner.post(path, asked)).toMatchObject({
        status: 409,
        body: { error_code: "annulment_through_order" },
      });
    }
    expect(await everythingIn()).toEqual(before);
  });

  test("no caller cancels a document, by any name, with the shop's key or another of the account", async () => {
    const sister = await openShop({ accountId: shop.accountId, connection: { name: "Directa" } });
    // An instance that has not written yet sends the fence before it says for the first time that nothing is there.
    expect(await directCaller(sister).cancel("none")).toMatchObject({ code: "invoice_not_found" });
    const before = await everythingIn();
    for (const document of issued) {
      for (const name of [document.invoiceId, document.fullNumber, await originOf(document), ID]) {
        const [own, other] = [directCaller(shop), directCaller(sister)];
        expect(await own.cancel(encodeURIComponent(name))).toMatchObject({
          code: "direct_invoicing_not_supported_by_connection",
        });
        expect(await other.cancel(encodeURIComponent(name))).toMatchObject({ code: "invoice_not_found" });
      }
    }
    expect(await everythingIn()).toEqual(before);
  });

  test("the owner cannot say that there was no sale", async () => {
    const held = await order.send(aSentOrder(ID, { ...then.at(-1), ...VOID }));
    expect(plainly(held)).toBe(expected.replace(/^\w+/, "held annulment_review"));
    expect((await order.answer(ID, NO_SALE)).outcome).toBe("refused");
    expect(plainly(await order.read(ID))).toBe(expected.replace(/^\w+/, "held annulment_review"));
    await expectOrdersConsistent(shop.connectionId, { answers: order.answers });
  });
});

test("an order without a sale has its new invoice annulled, and neither of the two before it", async () => {
  await order.send(aSentOrder(ID, { ...BACK, ...VOID }));
  expect((await order.answer(ID, NO_SALE)).outcome).toBe("taken");
  const read = await order.read(ID);
  expect(plainly(read)).toBe(`cancelled ${OVER} F2 121 annulled`);
  const before = await everythingIn();
  for (const { issued } of orderIn(read).invoices.slice(0, 2)) {
    expect(await annul(issued?.invoiceId ?? "", "later")).toBe("annulment_through_order");
  }
  expect(await everythingIn()).toEqual(before);
  await expectOrdersConsistent(shop.connectionId, { answers: order.answers });
});

async function annul(invoiceId: string, requestId: string): Promise<string> {
  const outcome = await correctRecord(
    shop,
    invoiceId,
    { correction: "annul", reason: "Nunca existió" },
    requestId,
  );
  return outcome.outcome === "refused" ? told(outcome.refusal).code : outcome.outcome;
}

async function originOf({ invoiceId }: Document): Promise<string> {
  const origin = await env.LEDGER_000.prepare("SELECT origin FROM invoice WHERE id = ?")
    .bind(invoiceId)
    .first<string>("origin");
  return origin ?? "";
}
