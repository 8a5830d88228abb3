/** The review queue over the owner's API: the waiting orders, the effect of an answer before and after. */
import { describe, expect, test } from "vitest";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import {
  A_SENT_COMPANY,
  aSentLine,
  aSentOrder,
  openCommerce,
  orderConnector,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { HELD } from "../support/worlds/order-changes.ts";
import { auditOf, statesOf } from "../support/worlds/owners.ts";
import { act, ring } from "../support/worlds/shop.ts";

const COD = { total: 124.63, unmapped_totals: [{ code: "cod_fee", title: "Recargo", value: 3.63 }] };
const BOTH = {
  total: 415.11,
  breakdown: [aSentLine(340.07, 71.41, 21)],
  unmapped_totals: [{ code: "cod_fee", title: "Recargo", value: 3.63 }],
};
const FEE = { answer: "declare_treatment", code: "cod_fee", treatment: { as: "fee", rate: "21" } };
const PERSON = {
  answer: "enter_recipient",
  recipient: { vat_number: "12345678Z", first_name: "Rocío", last_name: "Santamaría Vidal" },
};

async function held(id: string, change: object = HELD): Promise<ShopConsole> {
  const shop = await shopConsole();
  await shop.connector.send(aSentOrder(id, { ...change }));
  return shop;
}

function preview(shop: ShopConsole, id: string, answers: readonly object[]) {
  return shop.owner.post(shop.of("/order/preview"), { order_id: id, answers });
}

function answers(shop: ShopConsole, id: string, given: readonly object[], more: object = {}) {
  return shop.owner.post(shop.of("/order/answers"), { order_id: id, answers: given, ...more });
}

describe("the queue", () => {
  test("is in the order of the due time, with the reason and the number of further ones", async () => {
    const shop = await held("late", { ...BOTH, order_date: "2026-11-02 10:00:00" });
    const second = await openCommerce({ accountId: shop.shop.accountId });
    await orderConnector(second).send(aSentOrder("first", { ...HELD, order_date: "2026-11-01 10:00:00" }));
    await shop.connector.send(aSentOrder("ahead", { ...HELD, order_date: "2099-01-01 10:00:00" }));
    const { body } = await shop.owner.get(shop.at("/review"));
    expect(body.data.items).toMatchObject([
      { orderId: "first", isOverdue: true, reason: { code: "recipient_incomplete" }, moreReasons: 0 },
      {
        ...{ orderId: "late", dueDate: "2026-11-02", isOverdue: true, moreReasons: 0 },
        reason: { code: "untreated_total", title: expect.stringMatching(/«Recargo» \(3,63\s€\)/) },
      },
      { orderId: "ahead", isOverdue: false },
    ]);
    expect((await shop.owner.get(shop.at("/review/count"))).body.data).toEqual({
      ...{ waiting: 3, overdue: 2, hasMore: false },
    });
    expect((await shop.owner.get(shop.at("/review/groups"))).body.data.groups).toEqual([
      { code: "untreated_total", orders: 1 },
      { code: "recipient_incomplete", orders: 2 },
    ]);
    const ofReason = await shop.owner.get(shop.at("/review", { reason: "recipient_incomplete" }));
    expect(ofReason.body.data.items).toHaveLength(2);
    const ofConnection = await shop.owner.get(shop.at("/review", { connection: second.connectionId }));
    expect(ofConnection.body.data.items).toMatchObject([{ orderId: "first" }]);
    const here = { of_connection: shop.shop.connectionId, order_id: "late", due: "2026-11-02" };
    expect((await shop.owner.get(shop.at("/review/place", here))).body.data).toEqual({
      place: 2,
      previous: { connectionId: second.connectionId, orderId: "first" },
      next: { connectionId: shop.shop.connectionId, orderId: "ahead" },
    });
  });

  test("goes by pages, forth and back", async () => {
    const shop = await shopConsole();
    const ids = Array.from({ length: 27 }, (_, index) => `o${String(index).padStart(2, "0")}`);
    await Promise.all(ids.map((id) => shop.connector.send(aSentOrder(id, HELD))));
    const page = async (query: Record<string, string>) =>
      (await shop.owner.get(shop.at("/review", query))).body.data;
    const first = await page({});
    const second = await page({ cursor: first.next });
    const idsOf = ({ items }: { items: { orderId: string }[] }) => items.map(({ orderId }) => orderId);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(second.next).toBeNull();
    expect(idsOf(await page({ cursor: second.previous }))).toEqual(idsOf(first));
    const ofReason = await page({ reason: "recipient_incomplete", cursor: first.next });
    expect(idsOf(ofReason)).toEqual(idsOf(second));
  });
});

describe("the invoice that would result", () => {
  test("is shown as far as it is known, answer by answer, and nothing is stored", async () => {
    const shop = await held("1", BOTH);
    const open = (await preview(shop, "1", [])).body.data;
    expect(open).toMatchObject({
      state: "held",
      drafts: [],
      outlook: { groups: [], fullNumber: "", invoiceType: "", operationDate: "2026-11-20" },
      choices: { rates: expect.arrayContaining(["21", "10", "4"]), client: { firstName: "Ana" } },
    });
    expect(open.reasons.map(({ code, isSettled }: never) => [code, isSettled])).toEqual([
      ["untreated_total", false],
    ]);
    const treated = (await preview(shop, "1", [FEE])).body.data;
    expect(treated.reasons).toMatchObject([
      { code: "untreated_total", isSettled: true },
      { code: "recipient_incomplete", isSettled: false, sentence: expect.stringMatching(/415,11\s€/) },
    ]);
    expect(treated.outlook).toMatchObject({
      groups: [{ rate: "21", base: "343.07", tax: "72.04", total: "415.11" }],
      totals: { base: "343.07", tax: "72.04", total: "415.11" },
    });
    const whole = (await preview(shop, "1", [FEE, PERSON])).body.data;
    expect(whole).toMatchObject({
      state: "invoiced",
      drafts: [
        {
          ...{ kind: "invoice", invoiceType: "F1", fullNumber: "PED-1-2026-000001", lateAfter: "" },
          recipient: { company: "Rocío Santamaría Vidal", vatNumber: "12345678Z" },
          totals: { base: "343.07", tax: "72.04", total: "415.11" },
          sheet: { html: expect.stringMatching(/BORRADOR: aún no emitida.*Silla.*Recargo/s) },
        },
      ],
      refusals: [],
    });
    expect(await statesOf(shop.shop)).toEqual({ held: 1 });
    expect(await auditOf(shop.shop)).toEqual([]);
    const issued = await answers(shop, "1", [FEE, PERSON]);
    expect(issued.body.data).toMatchObject({
      state: "invoiced",
      documents: [{ fullNumber: "PED-1-2026-000001", total: "415.11" }],
    });
    expect((await auditOf(shop.shop)).map(({ facts }) => facts.answer)).toEqual([
      "declare_treatment",
      "enter_recipient",
    ]);
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("says which of the answers do not fit, and leaves them out", async () => {
    const shop = await held("1", BOTH);
    const wrong = { ...PERSON, recipient: { ...PERSON.recipient, vat_number: "12345678A" } };
    const { body } = await preview(shop, "1", [FEE, wrong]);
    expect(body.data.refusals).toEqual([
      {
        ...{ index: 1, code: "tax_identifier_invalid", path: "recipient.vat_number" },
        message: expect.any(String),
      },
    ]);
    expect(body.data.outlook.totals.total).toBe("415.11");
    const refused = await answers(shop, "1", [FEE, wrong]);
    expect(refused.body).toMatchObject({
      error_code: "tax_identifier_invalid",
      details: [{ path: "answers.1.recipient.vat_number" }],
    });
    expect(await statesOf(shop.shop)).toEqual({ held: 1 });
  });

  test("waits for the last answer: what the first one settles issues nothing", async () => {
    const shop = await held("1", {
      ...{ total: 395, breakdown: [aSentLine(340, 71.4, 21)] },
      unmapped_totals: [{ code: "points", value: -16.4 }],
    });
    // As a payment it leaves 411.40 without a recipient; as a discount 395.00, which needs no customer.
    const discount = { answer: "declare_treatment", code: "points", treatment: { as: "discount" } };
    const company = { answer: "enter_recipient", recipient: A_SENT_COMPANY };
    const { body } = await answers(shop, "1", [discount, company]);
    expect(body.data.documents).toMatchObject([{ invoiceType: "F1", total: "395" }]);
  });

  test("of a review is approved with all the rest", async () => {
    const shop = await shopConsole();
    await act(shop.shop, { verb: "declare_sales", change: { issuingMode: "review" } });
    await shop.connector.send(aSentOrder("1", COD));
    const told = (await preview(shop, "1", [{ answer: "approve" }])).body.data;
    expect(told.refusals).toMatchObject([{ code: "other_reasons_stand" }]);
    expect((await preview(shop, "1", [{ answer: "approve" }, FEE])).body.data.state).toBe("invoiced");
    expect((await answers(shop, "1", [{ answer: "approve" }, FEE])).body.data.state).toBe("invoiced");
  });

  test("spreads a coupon, and says how", async () => {
    const shop = await held("1", {
      total: 1200,
      breakdown: [aSentLine(1000, 210, 21)],
      discounts: [{ name: "OTOÑO10", amount: 10, kind: "promotional" }],
    });
    const { outlook } = (await preview(shop, "1", [])).body.data;
    expect(outlook).toMatchObject({ discounts: [{ rate: "21", taken: "10" }], totals: { total: "1200" } });
  });

  test("of an unknown order does not exist", async () => {
    const shop = await shopConsole();
    expect((await preview(shop, "nobody", [])).body).toMatchObject({ error_code: "order_not_found" });
    expect((await answers(shop, "nobody", [])).body).toMatchObject({ error_code: "order_not_found" });
  });

  test.each([
    ["no kind", { answer: "anything" }],
    ["a member too many", { answer: "approve", why: "?" }],
    ["a rate that is no number", { ...FEE, treatment: { as: "fee", rate: "21 %" } }],
    ["a text without end", { answer: "dismiss", why: "x".repeat(501) }],
    ["nothing at all", {}],
  ])("an answer of %s is refused", async (_, answer) => {
    const shop = await held("1");
    const told = await preview(shop, "1", [answer]);
    expect([told.status, told.body.error_code]).toEqual([422, "validation_failed"]);
  });
});

describe("declared for all", () => {
  test("is counted before, and has the others decided", async () => {
    const shop = await held("1", COD);
    for (const id of ["2", "3"]) await shop.connector.send(aSentOrder(id, COD));
    await shop.connector.send(aSentOrder("4", { ...COD, unmapped_totals: [{ code: "other", value: 3.63 }] }));
    const asked = { order_id: "1", code: "untreated_total", about: "cod_fee" };
    const alike = await shop.owner.get(shop.of("/order/alike", asked));
    expect(alike.body.data).toEqual({ orders: 2 });
    expect((await answers(shop, "1", [FEE], { for_all: { answers: [0] } })).body.data.state).toBe("invoiced");
    await ring(shop.shop);
    expect(await statesOf(shop.shop)).toEqual({ invoiced: 3, held: 1 });
    await shop.connector.send(aSentOrder("5", COD));
    expect(await statesOf(shop.shop)).toEqual({ invoiced: 4, held: 1 });
  });

  test("is of the profile that takes the order, and counts only its orders", async () => {
    const shop = await shopConsole();
    const web = await act(shop.shop, {
      verb: "add_profile",
      profile: { name: "Web", channel: "web", stem: "WEB" },
    });
    await act(shop.shop, { verb: "add_profile", profile: { name: "Bar", channel: "bar", stem: "BAR" } });
    for (const [id, channel] of [
      ["1", "web"],
      ["2", "web"],
      ["3", "bar"],
    ] as const)
      await shop.connector.send(aSentOrder(id, { ...COD, source_channel: channel }));
    const profileId = web.outcome === "done" ? (web.shown?.profile_id ?? "") : "";
    expect((await preview(shop, "1", [])).body.data.choices.profileId).toBe(profileId);
    const asked = { order_id: "1", code: "untreated_total", about: "cod_fee", profile_id: profileId };
    expect((await shop.owner.get(shop.of("/order/alike", asked))).body.data.orders).toBe(1);
    await answers(shop, "1", [FEE], { for_all: { profile_id: profileId, answers: [0] } });
    await ring(shop.shop);
    expect(await statesOf(shop.shop)).toEqual({ invoiced: 2, held: 1 });
  });
});

describe("many at once", () => {
  const many = (shop: ShopConsole, ids: readonly string[], answer: object) =>
    shop.owner.post(shop.at("/review/answers"), {
      orders: ids.map((id) => ({ connection: shop.shop.connectionId, order_id: id })),
      answer,
    });

  test("each gets its own result", async () => {
    const shop = await shopConsole();
    await act(shop.shop, { verb: "declare_sales", change: { issuingMode: "review" } });
    for (const id of ["1", "2"]) await shop.connector.send(aSentOrder(id));
    await shop.connector.send(aSentOrder("3", HELD));
    const { body } = await many(shop, ["1", "2", "3", "4"], { answer: "approve" });
    expect(body.data.outcomes).toMatchObject([
      { orderId: "1", outcome: "done", state: "invoiced", fullNumber: "PED-1S-2026-000001", total: "121" },
      { orderId: "2", outcome: "done", state: "invoiced", fullNumber: "PED-1S-2026-000002" },
      { orderId: "3", outcome: "refused", message: expect.any(String) },
      { orderId: "4", outcome: "refused" },
    ]);
  });

  test("of before the cutoff are released", async () => {
    const shop = await held("1", { order_date: "2025-12-15 12:00:00" });
    await shop.connector.send(aSentOrder("2", { order_date: "2025-12-16 12:00:00" }));
    await many(shop, ["1", "2"], { answer: "release" });
    expect(await statesOf(shop.shop)).toEqual({ invoiced: 2 });
  });

  test("are dismissed with a reason that is kept", async () => {
    const shop = await held("1");
    await shop.connector.send(aSentOrder("2", HELD));
    await many(shop, ["1", "2"], { answer: "dismiss", why: "Es una prueba" });
    expect(await statesOf(shop.shop)).toEqual({ stored: 2 });
    expect((await auditOf(shop.shop)).map(({ facts }) => facts.why)).toEqual([
      "Es una prueba",
      "Es una prueba",
    ]);
    const read = await shop.connector.read("1");
    expect(toldOf(read)).toBe("stored dismissed");
  });
});
