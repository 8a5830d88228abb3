/** Remembered answers: who gave which, how many orders each decided, and how it is taken back. */
import { env } from "cloudflare:workers";
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import type { SalesChange } from "../../src/domain/billing/sales-change.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import {
  ABOUT_FEE,
  ASKS_ABOUT_FEE,
  ASKS_ABOUT_FEE_AND_RECIPIENT,
  FEE_AS_CHARGE,
} from "../support/builders/asking-orders.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { ownerOf, type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import { aSentLine, aSentOrder, type SentBody } from "../support/worlds/order-calls.ts";
import { auditOf, statesOf } from "../support/worlds/owners.ts";
import { act, ring } from "../support/worlds/shop.ts";

let shop: ShopConsole;
const remembered = async (query = {}) => (await shop.owner.get(shop.at("/remembered", query))).body.data;
const uses = async () => (await remembered()).items.map((item: { uses: number }) => item.uses);
interface Listed {
  readonly connectionId: string;
  readonly setting: string;
  readonly version: string;
  readonly profile: { readonly id: string } | null;
}
const forget = ({ connectionId: connection, setting, version, profile }: Listed, who = shop.owner) => {
  const of: Readonly<Record<string, string>> = profile === null ? {} : { profile: profile.id };
  return who.call("DELETE", shop.at("/remembered", { connection, setting, version, ...of }));
};
async function answerTogether(key: string, more: object = {}): Promise<void> {
  const question = { connection: shop.shop.connectionId, text: ABOUT_FEE };
  const { status } = await shop.owner.post(shop.at("/review/questions/answers"), {
    ...{ idempotency_key: key, question, answer: FEE_AS_CHARGE, except: [], remember: true, ...more },
  });
  expect(status).toBe(200);
  await ring(shop.shop);
  await ring(shop.shop);
}

describe("an answer that two orders got, and that was remembered", () => {
  beforeEach(async () => {
    shop = await shopConsole();
    await shop.connector.send(aSentOrder("a", ASKS_ABOUT_FEE));
    await shop.connector.send(aSentOrder("c", ASKS_ABOUT_FEE_AND_RECIPIENT));
    await answerTogether("key-00000001");
  });

  test("is listed with question, answer, person, time and its orders", async () => {
    expect(await remembered()).toEqual({
      items: [
        {
          ...{ connectionId: shop.shop.connectionId, connection: "Tienda", profile: null, uses: 2 },
          ...{ setting: "treatments cod_fee", value: { as: "fee", rate: "21" } },
          ...{ code: "untreated_total", about: ["cod_fee"], title: expect.stringContaining("Recargo") },
          names: expect.objectContaining({ title: "Recargo", code: "cod_fee" }),
          ...{ rememberedBy: "María Ferrer", rememberedAt: expect.any(String), version: expect.any(String) },
        },
      ],
      next: null,
    });
  });

  test("counts each later order once, however often it is decided, and no order of its own answer", async () => {
    await shop.connector.send(aSentOrder("later", ASKS_ABOUT_FEE));
    await shop.connector.send(aSentOrder("later", { ...ASKS_ABOUT_FEE, reference: "R-2" }));
    expect(await uses()).toEqual([3]);
    // It got the answer itself, and waited for its recipient.
    const recipient = { answer: "dismiss", why: "Sin datos" };
    await shop.owner.post(shop.of("/order/answers"), { order_id: "c", answers: [recipient] });
    await shop.connector.send(aSentOrder("plain"));
    expect(await uses()).toEqual([3]);
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("is asked again once it is forgotten, and what was issued stays", async () => {
    const [item] = (await remembered()).items;
    expect((await forget(item)).status).toBe(200);
    expect((await remembered()).items).toEqual([]);
    const next = await shop.connector.send(aSentOrder("next", ASKS_ABOUT_FEE));
    expect(next).toMatchObject({ order: { state: "held", reasons: [{ code: "untreated_total" }] } });
    expect(await statesOf(shop.shop)).toEqual({ held: 2, invoiced: 1 });
    const lines = (await auditOf(shop.shop)).filter(({ verb }) => verb === "forget_answer");
    expect(lines.map(({ facts }) => facts)).toEqual([
      { "treatment cod_fee": "null", "treatment cod_fee_before": "fee 21 %" },
    ]);
    // Sent again it changes nothing.
    expect((await forget(item)).status).toBe(200);
    expect((await auditOf(shop.shop)).filter(({ verb }) => verb === "forget_answer")).toHaveLength(1);
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("is not forgotten from a list that shows an older answer", async () => {
    const [item] = (await remembered()).items;
    const stale = await forget({ ...item, version: "1" });
    expect([stale.status, stale.body.error_code]).toEqual([409, "changed_meanwhile"]);
    expect(await uses()).toEqual([2]);
  });

  test("is no longer listed once its setting is declared otherwise, or taken back in the form", async () => {
    await act(shop.shop, { verb: "declare_sales", change: { treatments: { other: { as: "payment" } } } });
    expect(await uses()).toEqual([2]);
    await act(shop.shop, { verb: "declare_sales", change: { treatments: { cod_fee: { as: "payment" } } } });
    expect((await remembered()).items).toEqual([]);
    expect((await shop.connector.send(aSentOrder("next", ASKS_ABOUT_FEE))).outcome).toBe("taken");
  });

  test("is read by an accountant, who cannot forget it", async () => {
    const accountant = await ownerOf(shop.shop, "accountant");
    const { body } = await accountant.get(shop.at("/remembered"));
    expect(body.data.items).toHaveLength(1);
    expect((await forget(body.data.items[0], accountant)).body.error_code).toBe("read_only");
    expect(await uses()).toEqual([2]);
  });
});

describe("remembered for a profile", () => {
  test("it is of the profile that took the orders, and goes with it", async () => {
    shop = await shopConsole();
    const profile = { name: "Mostrador", channel: "pos", stem: "POS" };
    const added = await shop.owner.post(shop.of("/profiles"), profile);
    await shop.connector.send(aSentOrder("a", { ...ASKS_ABOUT_FEE, source_channel: "pos" }));
    await answerTogether("key-00000002");
    const [item] = (await remembered()).items;
    expect(item).toMatchObject({ profile: { id: added.body.data.id, name: "Mostrador" }, uses: 1 });
    await shop.connector.send(aSentOrder("b", { ...ASKS_ABOUT_FEE, source_channel: "pos" }));
    expect(await uses()).toEqual([2]);
    await act(shop.shop, { verb: "remove_profile", id: added.body.data.id });
    expect((await remembered()).items).toEqual([]);
  });

  test("it is forgotten there, and other declarations of the profile stay", async () => {
    shop = await shopConsole();
    const profile = { name: "Mostrador", channel: "pos", stem: "POS", zero_rate_basis: "E1" };
    await shop.owner.post(shop.of("/profiles"), profile);
    await shop.connector.send(aSentOrder("a", { ...ASKS_ABOUT_FEE, source_channel: "pos" }));
    await answerTogether("key-00000003");
    const [item] = (await remembered()).items;
    await forget(item);
    const next = await shop.connector.send(aSentOrder("b", { ...ASKS_ABOUT_FEE, source_channel: "pos" }));
    expect(next).toMatchObject({ order: { state: "held" } });
    expect((await remembered()).items).toEqual([]);
    const { profiles } = (await shop.owner.get(shop.of("/profiles"))).body.data;
    expect(profiles).toMatchObject([{ sales: { zeroRateBasis: "E1", treatments: [] } }]);
  });

  test("a change of the profile's form ends it where the setting changes", async () => {
    shop = await shopConsole();
    const profile = { name: "Mostrador", channel: "pos", stem: "POS" };
    const id = (await shop.owner.post(shop.of("/profiles"), profile)).body.data.id;
    await shop.connector.send(aSentOrder("a", { ...ASKS_ABOUT_FEE, source_channel: "pos" }));
    await answerTogether("key-00000005");
    const sales = { treatments: { cod_fee: { as: "payment" } } } as const;
    await act(shop.shop, { verb: "change_profile", id, change: { name: "Tienda física" } });
    expect((await remembered()).items).toMatchObject([{ profile: { name: "Tienda física" } }]);
    await act(shop.shop, { verb: "change_profile", id, change: {}, sales });
    expect((await remembered()).items).toEqual([]);
  });
});

test("an answer to one order that is declared for all is remembered with that order's question", async () => {
  shop = await shopConsole();
  await shop.connector.send(aSentOrder("a", ASKS_ABOUT_FEE));
  await shop.owner.post(shop.of("/order/answers"), {
    order_id: "a",
    answers: [FEE_AS_CHARGE],
    for_all: { answers: [0] },
  });
  expect((await remembered()).items).toMatchObject([
    { setting: "treatments cod_fee", about: ["cod_fee"], names: { title: "Recargo" }, uses: 1 },
  ]);
});

const ABROAD = { first_name: "Luc", last_name: "Martin", country: "FR" };

test.each<[says: string, question: string, change: SalesChange, order: SentBody]>([
  [
    "the kind of a discount",
    '["discount_kind_unknown","cupón"]',
    { discounts: { cupón: "discount" } },
    { total: 111, discounts: [{ name: "CUPÓN", amount: 10, kind: "unknown" }] },
  ],
  [
    "customer credit",
    '["customer_credit_review","saldo"]',
    { customerCredit: "payment" },
    { total: 111, discounts: [{ name: "Saldo", amount: 10, kind: "customer_credit" }] },
  ],
  [
    "sales to consumers of the Union",
    '["foreign_customer","FR"]',
    { destinations: { euConsumer: "oss" } },
    { total: 120, client: ABROAD, breakdown: [aSentLine(100, 20, 20)] },
  ],
  [
    "the reason of lines at 0 %",
    '["zero_rate_basis_missing"]',
    { zeroRateBasis: "E1" },
    { total: 100, breakdown: [aSentLine(100, 0, 0)] },
  ],
  [
    "article 4.2",
    '["recipient_incomplete"]',
    { article42: "retail_sale" },
    { total: 484, breakdown: [aSentLine(400, 84, 21)] },
  ],
])("%s counts the orders that ask without it, and asks again once forgotten", async (...of) => {
  const [, question, change, order] = of;
  shop = await shopConsole();
  const answered = [{ question, change, uses: 1 }];
  await act(shop.shop, { verb: "declare_sales", change: { customerCredit: "review" } });
  expect((await act(shop.shop, { verb: "declare_sales", change, answered })).outcome).toBe("done");
  const issued = await shop.connector.send(aSentOrder("with", order));
  expect(issued).toMatchObject({ order: { state: "invoiced" } });
  await shop.connector.send(aSentOrder("plain"));
  const [item, ...others] = (await remembered()).items;
  expect([item.uses, item.title, others]).toEqual([2, "", []]);
  await forget(item);
  const next = await shop.connector.send(aSentOrder("next", order));
  expect(next).toMatchObject({ order: { state: "held" } });
});

test("the list is read in pages of 25, newest first", async () => {
  shop = await shopConsole();
  const codes = Array.from({ length: 30 }, (_, index) => `code${String(index).padStart(2, "0")}`);
  for (const code of codes) {
    const change = { treatments: { [code]: { as: "payment" } } } as const;
    const answered = [{ question: `["untreated_total","${code}"]`, change, uses: 1 }];
    await act(shop.shop, { verb: "declare_sales", change, answered });
  }
  const first = await remembered();
  const second = await remembered({ cursor: first.next });
  const listed = [...first.items, ...second.items].map((item: { setting: string }) => item.setting);
  expect([first.items.length, second.items.length, second.next]).toEqual([25, 5, null]);
  expect(listed.toSorted()).toEqual(codes.map((code) => `treatments ${code}`));
});

test("answers that an earlier version remembered are listed, as far as they are in force", async () => {
  shop = await shopConsole();
  const { connectionId } = shop.shop;
  await shop.connector.send(aSentOrder("a", ASKS_ABOUT_FEE));
  await answerTogether("key-00000004");
  const change: SalesChange = {
    destinations: { euConsumer: "oss" },
    discounts: { cupón: "payment" },
    zeroRateBasis: "E1",
  };
  await act(shop.shop, { verb: "declare_sales", change });
  const insert =
    env.LEDGER_000.prepare(`INSERT INTO review_job (connection_id, id, account_id, user_id, question,
    answer, remember, orders, done, issued, begun_at, ended_at) VALUES (?, ?, ?, 'us0', ?, ?, 1, 0, 0, 0, 1, 2)`);
  const outcome =
    env.LEDGER_000.prepare(`INSERT INTO review_job_order (connection_id, job_id, id_external, apart,
    changed_at, outcome) VALUES (?, ?, 'x', 0, 1, 'issued')`);
  const jobs: readonly (readonly [string, string, object])[] = [
    ["j1", '["foreign_customer","FR"]', { answer: "declare_sales", sales: { foreignSales: "oss" } }],
    ["j2", '["discount_kind_unknown","cupón"]', { answer: "declare_discount", name: "CUPÓN", as: "payment" }],
    ["j3", '["zero_rate_basis_missing"]', { answer: "declare_sales", sales: { zeroRateBasis: "E1" } }],
    ["j4", '["recipient_incomplete"]', { answer: "declare_sales", sales: { article42: "parking" } }],
    [
      "j5",
      '["foreign_customer","US"]',
      { answer: "declare_sales", sales: { destinations: { outsideEu: "export" } } },
    ],
  ];
  for (const [id, question, answer] of jobs) {
    await insert.bind(connectionId, id, shop.shop.accountId, question, JSON.stringify(answer)).run();
    await outcome.bind(connectionId, id).run();
  }
  const before = (await remembered()).items;
  await env.LEDGER_000.prepare("DELETE FROM remembered_answer WHERE connection_id = ?")
    .bind(connectionId)
    .run();
  const [, filling = ""] = readFileSync("migrations/ledger/0035_remembered.sql", "utf8").split(
    /^-- What was.*$/m,
  );
  await env.LEDGER_000.prepare(filling.trim()).run();
  const after = (await remembered()).items;
  expect(after.map(({ setting, uses }: { setting: string; uses: number }) => [setting, uses])).toEqual([
    ["treatments cod_fee", 1],
    ["zeroRateBasis", 1],
    ["discounts cupón", 1],
    ["destinations euConsumer", 1],
  ]);
  expect(after[0]).toMatchObject({ value: before[0].value, about: ["cod_fee"], title: "" });
  expect(decimal(after[0].value.rate)).toBe("21");
});
