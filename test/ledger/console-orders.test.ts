/** The list of orders, one order, and search, over the owner's API. */
import { describe, expect, test } from "vitest";
import { addressesOf, ownerOf, type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import { aSentOrder, aSentRefund, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { HELD, RECIPIENT } from "../support/worlds/order-changes.ts";
import { answerOrder } from "../support/worlds/owners.ts";
import { openShop } from "../support/worlds/shop.ts";

function idsIn(body: { readonly data: { readonly items: readonly { readonly orderId: string }[] } }) {
  return body.data.items.map(({ orderId }) => orderId);
}

type Counted = readonly { readonly state: string; readonly orders: number; readonly hasMore: boolean }[];

async function states(shop: ShopConsole, query: Record<string, string> = {}): Promise<Counted> {
  return (await shop.owner.get(shop.at("/orders/count", query))).body.data.states;
}

function countIn(counted: Counted): number {
  return counted.reduce((sum, { orders }) => sum + orders, 0);
}

async function send(shop: ShopConsole, ids: readonly string[], change: object = {}): Promise<void> {
  for (const id of ids) await shop.connector.send(aSentOrder(id, { ...change }));
}

describe("the list of orders", () => {
  test("has what an owner looks for, newest first", async () => {
    const shop = await shopConsole();
    await send(shop, ["1"], { order_date: "2026-11-01 10:00:00", reference: "WEB-7", shop: { id: "2" } });
    await send(shop, ["2"], { ...HELD, order_date: "2026-11-02 10:00:00" });
    const { body } = await shop.owner.get(shop.at("/orders"));
    expect(body.data).toMatchObject({
      previous: null,
      next: null,
      items: [
        {
          orderId: "2",
          state: "held",
          total: "1210",
          reason: { code: "recipient_incomplete", title: expect.stringContaining("NIF") },
          documents: [],
        },
        {
          ...{ orderId: "1", reference: "WEB-7", connection: "Tienda", store: "2", customer: "Ana Pérez" },
          ...{ total: "121", currency: "EUR", state: "invoiced", reason: null, moreReasons: 0 },
          orderedAt: "2026-11-01T09:00:00.000Z",
          documents: [{ fullNumber: "PED-1S-2026-000001" }],
          hasMoreDocuments: false,
        },
      ],
    });
  });

  test("a refund's document is among those of its order", async () => {
    const shop = await shopConsole();
    await send(shop, ["a:b%"]);
    await send(shop, ["a:b%"], { correction_events: [aSentRefund("r1", 10, 2.1, 21)] });
    const { body } = await shop.owner.get(shop.at("/orders"));
    expect(body.data.items[0].documents).toMatchObject([
      { fullNumber: "PED-1S-2026-000001" },
      { fullNumber: "PED-1RS-2026-000001" },
    ]);
  });

  test("pages of two connections go forth and back, orders of one moment too", async () => {
    const shop = await shopConsole();
    const second = await openCommerce({ accountId: shop.shop.accountId });
    const ids = Array.from({ length: 30 }, (_, index) => `o${String(index).padStart(2, "0")}`);
    await Promise.all(
      ids.map((id) => shop.connector.send(aSentOrder(id, { order_date: "2026-11-05 10:00:00" }))),
    );
    await Promise.all(
      ids.map((id, day) =>
        orderConnector(second).send(
          aSentOrder(id, { order_date: `2026-11-${day < 15 ? "05" : "06"} 10:00:00` }),
        ),
      ),
    );
    const seen: string[][] = [];
    const key = (item: { orderId: string; connectionId: string }) => `${item.connectionId} ${item.orderId}`;
    const page = async (cursor?: string) => {
      const { body } = await shop.owner.get(shop.at("/orders", cursor ? { cursor } : {}));
      return { ...body.data, keys: body.data.items.map(key) as string[] };
    };
    const pages = [await page()];
    while (pages.at(-1)?.next) pages.push(await page(pages.at(-1)?.next));
    for (const { keys } of pages) seen.push(keys);
    expect(seen.map(({ length }) => length)).toEqual([25, 25, 10]);
    expect(new Set(seen.flat()).size).toBe(60);
    const back = [await page(pages[2]?.previous)];
    back.push(await page(back[0]?.previous));
    expect(back.map(({ keys }) => keys)).toEqual([seen[1], seen[0]]);
    expect(back[1]?.previous).toBeNull();
    expect((await page(back[0]?.next)).keys).toEqual(seen[2]);
  });

  test.each([
    ["state", { state: "held" }, ["h"]],
    ["month, to its last moment in the issuer's zone", { month: "2026-10" }, ["late"]],
    ["store", { store: "9" }, ["s"]],
    ["store and state", { store: "9", state: "held" }, []],
    ["state and month", { state: "held", month: "2026-10" }, []],
  ])("can be filtered by %s", async (_, query, expected) => {
    const shop = await shopConsole();
    await send(shop, ["late"], { order_date: "2026-10-31T23:59:59+01:00" });
    await send(shop, ["early"], { order_date: "2026-11-01T00:00:00+01:00" });
    await send(shop, ["h"], { ...HELD });
    await send(shop, ["s"], { shop: { id: "9" } });
    expect(idsIn((await shop.owner.get(shop.at("/orders", query))).body)).toEqual(expected);
    expect(countIn(await states(shop, query))).toBe(expected.length);
  });

  test("is counted by state, over all pages and connections", async () => {
    const shop = await shopConsole();
    const second = await openCommerce({ accountId: shop.shop.accountId });
    const ids = Array.from({ length: 27 }, (_, index) => `o${index}`);
    await Promise.all(ids.map((id) => shop.connector.send(aSentOrder(id, { ...HELD }))));
    await send(shop, ["invoiced"]);
    await orderConnector(second).send(aSentOrder("second", { ...HELD }));
    expect(await states(shop)).toEqual([
      { state: "held", orders: 28, hasMore: false },
      { state: "invoiced", orders: 1, hasMore: false },
    ]);
    expect(await states(shop, { connection: second.connectionId })).toMatchObject([{ orders: 1 }]);
    expect(await states(shop, { state: "rectified" })).toEqual([]);
  });

  test("can be filtered by connection, and knows which there are", async () => {
    const shop = await shopConsole();
    const second = await openCommerce({ accountId: shop.shop.accountId });
    await send(shop, ["first"]);
    await orderConnector(second).send(aSentOrder("second"));
    const { body } = await shop.owner.get(shop.at("/orders", { connection: second.connectionId }));
    expect(idsIn(body)).toEqual(["second"]);
    const places = (await shop.owner.get(shop.at("/orders/places"))).body.data;
    expect(places.connections.map(({ id }: { id: string }) => id)).toEqual([
      shop.shop.connectionId,
      second.connectionId,
    ]);
  });

  test.each([
    ["an id", "10482", ["10482", "104820"]],
    ["the beginning of a reference", "XKB", ["r"]],
    ["nothing that there is", "ZZZ", []],
    ["a sign of patterns", "%", []],
  ])("is searched by %s", async (_, text, expected) => {
    const shop = await shopConsole();
    await send(shop, ["104820", "10482"]);
    await send(shop, ["r"], { reference: "XKBKNABJK" });
    expect(idsIn((await shop.owner.get(shop.at("/orders/search", { text }))).body)).toEqual(expected);
  });

  test.each([
    ["a state that is none", "/orders", { state: "lost" }],
    ["a month that is none", "/orders", { month: "2026-13" }],
    ["a day that is none", "/orders", { from: "2026-02-30" }],
    ["a range that ends before it begins", "/orders", { from: "2026-11-02", to: "2026-11-01" }],
    ["such a range of a count", "/orders/count", { from: "2026-11-02", to: "2026-11-01" }],
    ["a cursor that we did not give", "/orders", { cursor: "bm90aGluZw" }],
    ["a cursor of another list", "/review", { cursor: "WyJhZnRlciIse31d" }],
    ["a reason that is none", "/review", { reason: "whatever" }],
  ])("%s is refused", async (_, path, query) => {
    const shop = await shopConsole();
    const answer = await shop.owner.get(shop.at(path, query));
    expect([answer.status, answer.body.error_code]).toEqual([422, "validation_failed"]);
  });
});

describe("one order", () => {
  test("shows facts, documents, reasons in the reader's words, and the history", async () => {
    const shop = await shopConsole();
    await send(shop, ["1"], { ...HELD });
    await answerOrder(shop.shop, "1", RECIPIENT);
    const { body } = await shop.owner.get(shop.of("/order", { order_id: "1" }));
    expect(body.data).toMatchObject({
      ...{ orderId: "1", state: "invoiced", connection: "Tienda", reasons: [], addsUp: true },
      customer: { company: "Cliente Ejemplo SL", vatNumber: "B12345674" },
      documents: [{ kind: "invoice", invoiceType: "F1", fullNumber: "PED-1-2026-000001", total: "1210" }],
    });
    expect(body.data.facts.breakdown[0]).toMatchObject({ name: "Silla", base: "1000" });
    const steps = body.data.story.map(({ step, answer }: { step: string; answer: string }) =>
      [step, answer].join(" ").trim(),
    );
    expect(steps.toSorted()).toEqual(["decided", "deed enter_recipient", "issued", "received"]);
  });

  test("that does not add up says so, and why in English too", async () => {
    const shop = await shopConsole();
    await send(shop, ["1"], { total: 130 });
    const path = shop.of("/order", { order_id: "1" });
    const english = await shop.owner.call("GET", path, undefined, { "Accept-Language": "en" });
    expect(english.body.data).toMatchObject({
      addsUp: false,
      reasons: [
        {
          code: "totals_mismatch",
          title: "The order does not add up",
          sentence: expect.stringContaining("difference: 9.00"),
          answers: ["declare_sales", "dismiss"],
        },
      ],
    });
  });

  test("is kept as it was received", async () => {
    const shop = await shopConsole();
    await send(shop, ["1"], { unheard_of: { kept: true } });
    const { body } = await shop.owner.get(shop.of("/order/sent", { order_id: "1" }));
    expect(JSON.parse(body.data.sent)).toMatchObject({ id_external: "1", unheard_of: { kept: true } });
  });

  test.each(["/order", "/order/sent"])("an unknown %s does not exist", async (path) => {
    const shop = await shopConsole();
    expect((await shop.owner.get(shop.of(path, { order_id: "nobody" }))).status).toBe(404);
  });
});

describe("another tenant's ids", () => {
  test("lead nowhere, in any place", async () => {
    const mine = await shopConsole();
    const theirs = await shopConsole();
    await send(theirs, ["1"], { ...HELD });
    const foreign = addressesOf({ ...theirs.shop, accountId: mine.shop.accountId });
    const asked = { order_id: "1" };
    const answers = await Promise.all([
      mine.owner.get(theirs.at("/orders")),
      mine.owner.get(foreign.of("/order", asked)),
      mine.owner.get(foreign.of("/order/sent", asked)),
      mine.owner.get(foreign.of("/order/alike", { ...asked, code: "untreated_total" })),
      mine.owner.get(foreign.of("/waiting", { cutoff: "2026-11-01" })),
      mine.owner.get(foreign.of("/waiting/cutoff", { cutoff: "2026-11-01" })),
      mine.owner.get(foreign.of("/waiting/progress")),
      mine.owner.post(foreign.of("/order/preview"), { ...asked, answers: [] }),
      mine.owner.post(foreign.of("/order/answers"), { ...asked, answers: [] }),
      mine.owner.post(mine.at("/review/answers"), {
        orders: [{ connection: theirs.shop.connectionId, order_id: "1" }],
        answer: { answer: "dismiss", why: "prueba" },
      }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error_code])).toEqual(
      answers.map(() => [404, "not_found"]),
    );
    for (const path of ["/orders", "/review"]) {
      const filtered = await mine.owner.get(mine.at(path, { connection: theirs.shop.connectionId }));
      expect(idsIn(filtered.body)).toEqual([]);
    }
    expect(await states(mine, { connection: theirs.shop.connectionId })).toEqual([]);
    expect((await mine.owner.get(mine.at("/orders/search", { text: "1" }))).body.data.items).toEqual([]);
    expect((await mine.owner.get(mine.at("/review/count"))).body.data.waiting).toBe(0);
    expect((await theirs.owner.get(theirs.at("/review/count"))).body.data.waiting).toBe(1);
  });

  test("an accountant reads all and answers nothing", async () => {
    const shop = await shopConsole();
    const accountant = await ownerOf(shop.shop, "accountant");
    await send(shop, ["1"], { ...HELD });
    expect(idsIn((await accountant.get(shop.at("/review"))).body)).toEqual(["1"]);
    const asked = { order_id: "1", answers: [] };
    expect((await accountant.post(shop.of("/order/preview"), asked)).status).toBe(200);
    expect((await accountant.post(shop.of("/order/answers"), asked)).body.error_code).toBe("read_only");
    const many = {
      orders: [{ connection: shop.shop.connectionId, order_id: "1" }],
      answer: { answer: "approve" },
    };
    expect((await accountant.post(shop.at("/review/answers"), many)).body.error_code).toBe("read_only");
  });

  test("the ids of another ledger are no connection of this one", async () => {
    const shop = await shopConsole();
    const elsewhere = await openShop({ ledger: "001" });
    const foreign = addressesOf({ ...elsewhere, accountId: shop.shop.accountId });
    expect((await shop.owner.get(foreign.of("/order", { order_id: "1" }))).status).toBe(404);
  });
});
