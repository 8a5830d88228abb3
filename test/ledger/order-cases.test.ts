/** Faults reported of other programs, as orders over HTTP; each name begins with the id of its case. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { rateStore } from "../../src/db/rates/rate-store.ts";
import type { SalesChange } from "../../src/domain/billing/sales-change.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import {
  call,
  declare,
  documentsOf,
  getOrder,
  orderOf,
  postOrder,
  stateOf,
} from "../support/worlds/http-calls.ts";
import {
  A_SENT_COMPANY,
  aSentLine as line,
  openCommerce,
  aSentOrder as order,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import type { Shop } from "../support/worlds/shop.ts";

interface Step {
  /** The changes of this payload to the one before it. */
  readonly change: SentBody;
  readonly state: string;
  readonly documents: readonly string[];
}

interface Case {
  readonly name: string;
  readonly declared?: SalesChange;
  readonly steps: readonly Step[];
}

const once = (
  name: string,
  change: SentBody,
  documents: readonly string[],
  declared: SalesChange = {},
): Case => ({ name, declared, steps: [{ change, state: "invoiced", documents }] });

const held = (name: string, change: SentBody, code: string, declared: SalesChange = {}): Case => ({
  name,
  declared,
  steps: [{ change, state: `held ${code}`, documents: [] }],
});

async function run({ declared, steps }: Case): Promise<void> {
  const shop = await openCommerce();
  if (declared) await declare(shop, { verb: "declare_sales", change: declared });
  let body = order("1");
  for (const [index, { change, state, documents }] of steps.entries()) {
    body = { ...body, ...change };
    const reply = await postOrder(shop, body);
    expect([reply.status, stateOf(reply), documentsOf(reply)]).toEqual([
      index === 0 ? 201 : 200,
      state,
      documents,
    ]);
    expect((await getOrder(shop, "1")).body).toEqual(reply.body);
    const again = await postOrder(shop, body);
    expect([again.status, again.body]).toEqual([200, reply.body]);
  }
  await expectBooksConsistent(shop.connectionId);
}

const shipping = { line_kind: "shipping", name: "Envío" };
const coupon = (amount: number, kind?: string) => ({ discounts: [{ code: "CUPON", amount, kind }] });
const person = (change: SentBody) => ({ client: { first_name: "Ana", last_name: "Pérez", ...change } });
const bundle = (...amounts: readonly number[]): SentBody => ({
  breakdown: [...amounts, 5].map((gross) => {
    const base = Math.round((gross * 1e8) / 1.21) / 1e8;
    return line(base, Math.round((gross - base) * 1e8) / 1e8, 21);
  }),
  total: 165,
});
const refund = (id: string, amount: number, lines?: readonly SentBody[]) => ({
  id_external_event: id,
  event_type: "refund",
  amount: -amount,
  ...(lines ? { lines } : {}),
});
const back = (base: number, tax: number, rate: number) => ({
  base_delta: -base,
  tax_delta: -tax,
  tax_rate: rate,
});

const gifts: SentBody = {
  breakdown: [line(18, 0, 0), line(10, 0, 0, shipping)],
  unmapped_totals: [{ code: "GiftCards", title: "Tarjeta regalo", value: -24 }],
  total: 4,
};
const cod: SentBody = { unmapped_totals: [{ code: "cod_fee", value: 3.63 }], total: 124.63 };

describe("the paid amount is invoiced, to the cent", () => {
  test.each<Case>([
    once(
      "P19 six decimals: the tax is the total less the base",
      { breakdown: [line(8.264463, 1.735537, 21)], total: 10 },
      ["F2 PED-1S-Y 8.26/1.74/10 [21: 8.26/1.74]"],
    ),
    once(
      "P25 a discount over goods and delivery of one rate",
      {
        breakdown: [line(4.950413, 1.039587, 21), line(4.917355, 1.032645, 21, shipping)],
        ...coupon(1.5),
        total: 10.44,
      },
      ["F2 PED-1S-Y 8.63/1.81/10.44 [21: 8.63/1.81]"],
    ),
    once(
      "P27 a discount over two rates is spread by gross",
      { breakdown: [line(100, 21, 21), line(100, 10, 10)], ...coupon(20, "promotional"), total: 211 },
      ["F2 PED-1S-Y 182.69/28.31/211 [21: 91.34/19.18, 10: 91.35/9.13]"],
    ),
    once("P29 a cent that a coupon left", { breakdown: [line(0.01, 0, 21)], total: 0.01 }, [
      "F2 PED-1S-Y 0.01/0/0.01 [21: 0.01/0]",
    ]),
    once("P31 gift cards pay", gifts, ["F2 PED-1S-Y 28/0/28 [0 E1 01: 28/0]"], {
      zeroRateBasis: "E1",
      treatments: { giftcards: { as: "payment" } },
    }),
    held("P31 a code without treatment", gifts, "untreated_total", { zeroRateBasis: "E1" }),
    once("P33 customer credit is a discount by default", { ...coupon(21, "customer_credit"), total: 100 }, [
      "F2 PED-1S-Y 82.64/17.36/100 [21: 82.64/17.36]",
    ]),
    held(
      "P33 customer credit that is retained",
      { ...coupon(21, "customer_credit"), total: 100 },
      "customer_credit_review",
      { customerCredit: "review" },
    ),
    held("P35 a fee without treatment", cod, "untreated_total"),
    once("P35 a fee with its rate", cod, ["F2 PED-1S-Y 103/21.63/124.63 [21: 103/21.63]"], {
      treatments: { cod_fee: { as: "fee", rate: decimal("21") } },
    }),
    held(
      "P81 the parent of the bundle together with its children",
      bundle(22, 18, 68, 27, 5, 17, 19, 52, 0),
      "totals_mismatch",
    ),
    once("P81 without it", bundle(22, 18, 27, 5, 17, 19, 52, 0), [
      "F2 PED-1S-Y 136.36/28.64/165 [21: 136.36/28.64]",
    ]),
  ])("$name", run);

  test("P81 says both figures, and the difference", async () => {
    const shop = await openCommerce();
    const reply = await postOrder(shop, order("1", bundle(22, 18, 68, 27, 5, 17, 19, 52, 0)));
    expect(orderOf(reply).reasons[0]?.facts).toEqual({
      computed: { amount: 233, currency: "EUR" },
      total: { amount: 165, currency: "EUR" },
      difference: { amount: -68, currency: "EUR" },
    });
  });
});

describe("which document", () => {
  const italian = { country: "IT" };
  test.each<Case>([
    once("P53 the limit itself is simplified", { breakdown: [line(330.58, 69.42, 21)], total: 400 }, [
      "F2 PED-1S-Y 330.58/69.42/400 [21: 330.58/69.42]",
    ]),
    held(
      "P53 a cent above it, tax included",
      { breakdown: [line(330.59, 69.42, 21)], total: 400.01 },
      "recipient_incomplete",
    ),
    once(
      "P59 a foreign person without identifier, up to the limit",
      { breakdown: [line(41.32, 8.68, 21)], total: 50, ...person(italian) },
      ["F2 PED-1S-Y 41.32/8.68/50 [21: 41.32/8.68]"],
      { foreignSales: "domestic" },
    ),
    held(
      "P59 above it",
      { breakdown: [line(400, 84, 21)], total: 484, ...person(italian) },
      "recipient_incomplete",
      {
        foreignSales: "domestic",
      },
    ),
    held(
      "P59 a British company without identifier",
      {
        breakdown: [line(400, 84, 21)],
        total: 484,
        client: { company: "Shop Ltd", country: "GB" },
      },
      "recipient_incomplete",
      { foreignSales: "domestic" },
    ),
    once(
      "P61 an export with its delivery",
      { breakdown: [line(60, 0, 0), line(20, 0, 0, shipping)], total: 80, ...person({ country: "US" }) },
      ["F2 PED-1S-Y 80/0/80 [0 E2 02: 80/0]"],
      { foreignSales: "export" },
    ),
    once(
      "P65 to the Canaries, declared",
      { breakdown: [line(100, 0, 0)], total: 100, ...person({ country: "ES", postcode: "35001" }) },
      ["F2 PED-1S-Y 100/0/100 [0 E2 02: 100/0]"],
      { foreignSales: "export" },
    ),
    held(
      "P65 not declared",
      { breakdown: [line(100, 0, 0)], total: 100, ...person({ country: "ES", postcode: "35001" }) },
      "territory_review",
    ),
    held(
      "P65 no postcode, and no tax",
      { breakdown: [line(100, 0, 0)], total: 100 },
      "zero_rate_basis_missing",
      { foreignSales: "export" },
    ),
    once(
      "P67 a combined rate is the rate and its surcharge",
      { breakdown: [line(100, 26.2, 26.2)], total: 126.2, client: A_SENT_COMPANY },
      ["F1 PED-1-Y 100/21/5.2/126.2 [21: 100/21+5.2]"],
    ),
    once(
      "P67 and so are two members",
      {
        breakdown: [
          line(100, 21, 21, { equivalence_surcharge_rate: 5.2, equivalence_surcharge_amount: 5.2 }),
        ],
        total: 126.2,
        client: A_SENT_COMPANY,
      },
      ["F1 PED-1-Y 100/21/5.2/126.2 [21: 100/21+5.2]"],
    ),
  ])("$name", run);
});

describe("corrections", () => {
  const sold = "F2 PED-1S-Y 100/21/121 [21: 100/21]";
  const first = (change: SentBody, documents: readonly string[]): Step => ({
    change,
    state: "invoiced",
    documents,
  });
  const tenChairs = "F2 PED-1S-Y 148.14/31.11/179.25 [21: 148.14/31.11]";
  const withVoucher = {
    breakdown: [line(18.96, 3.98, 21), line(6.94, 1.46, 21, shipping)],
    discounts: [{ code: "VALE", amount: 10 }],
    total: 21.34,
  };
  const vouched = "F2 PED-1S-Y 17.64/3.7/21.34 [21: 17.64/3.7]";
  const twoRates = { breakdown: [line(100, 21, 21), line(100, 10, 10)], total: 231 };
  const ofTwo = "F2 PED-1S-Y 200/31/231 [21: 100/21, 10: 100/10]";
  const belgian = {
    breakdown: [line(200, 0, 0), line(10, 0, 0, shipping)],
    total: 210,
    client: { ...A_SENT_COMPANY, vat_number: "0477472701", country: "BE" },
  };
  const exempt = "F1 PED-1-Y 210/0/210 [0 E5 01: 210/0]";
  const ten = refund("r1", 12.1, [back(10, 2.1, 21)]);
  const partly = [sold, "R5 PED-1RS-Y -10/-2.1/-12.1 [21: -10/-2.1]"];

  test.each<Case>([
    {
      name: "P37 a full refund is exactly the invoice, though the shop computes a cent more",
      steps: [
        first({ breakdown: [line(148.14, 31.11, 21, { quantity: 10 })], total: 179.25 }, [tenChairs]),
        {
          change: { correction_events: [refund("r1", 179.26)] },
          state: "rectified",
          documents: [tenChairs, "R5 PED-1RS-Y -148.14/-31.11/-179.25 [21: -148.14/-31.11]"],
        },
      ],
    },
    {
      name: "P39 more than was paid is held",
      steps: [
        first(withVoucher, [vouched]),
        {
          change: { correction_events: [refund("r1", 31.34)] },
          state: "held over_refund",
          documents: [vouched],
        },
        {
          change: { correction_events: [refund("r1", 21.34)] },
          state: "rectified",
          documents: [vouched, "R5 PED-1RS-Y -17.64/-3.7/-21.34 [21: -17.64/-3.7]"],
        },
      ],
    },
    {
      name: "P41 an amount alone is clear with one rate",
      steps: [
        first({}, [sold]),
        {
          change: { contract_version: "1.2", refunds: [{ id_external: 7, amount: 24.2 }] },
          state: "partially_rectified",
          documents: [sold, "R5 PED-1RS-Y -20/-4.2/-24.2 [21: -20/-4.2]"],
        },
      ],
    },
    {
      name: "P41 with two it is held",
      steps: [
        first(twoRates, [ofTwo]),
        {
          change: { refunds: [{ id_external: 7, amount: 20 }] },
          state: "held refund_lines_needed",
          documents: [ofTwo],
        },
      ],
    },
    {
      name: "P43 an exempt sale goes back without tax, its delivery too",
      declared: { foreignSales: "intra_community" },
      steps: [
        first(belgian, [exempt]),
        {
          change: { correction_events: [refund("r1", 212.1, [back(200, 0, 0), back(10, 2.1, 21)])] },
          state: "held rate_not_invoiced",
          documents: [exempt],
        },
        {
          change: { correction_events: [refund("r1", 210)] },
          state: "rectified",
          documents: [exempt, "R1 PED-1R-Y -210/0/-210 [0 E5 01: -210/0]"],
        },
      ],
    },
    {
      name: "P45 one event, one document; the same id with another amount is held",
      steps: [
        first({}, [sold]),
        { change: { correction_events: [ten] }, state: "partially_rectified", documents: partly },
        { change: { correction_events: [ten, ten] }, state: "partially_rectified", documents: partly },
        {
          change: { correction_events: [refund("r1", 24.2, [back(20, 4.2, 21)])] },
          state: "held correction_event_changed",
          documents: partly,
        },
      ],
    },
    {
      name: "P47 a simplified invoice is rectified by R5",
      steps: [
        first({ breakdown: [line(6.77686, 1.42314, 21), line(1.487603, 0.312397, 21)], total: 10 }, [
          "F2 PED-1S-Y 8.26/1.74/10 [21: 8.26/1.74]",
        ]),
        {
          change: { correction_events: [refund("r1", 1.8, [back(1.487603, 0.312397, 21)])] },
          state: "partially_rectified",
          documents: [
            "F2 PED-1S-Y 8.26/1.74/10 [21: 8.26/1.74]",
            "R5 PED-1RS-Y -1.49/-0.31/-1.8 [21: -1.49/-0.31]",
          ],
        },
      ],
    },
    {
      name: "P47 a full one by R1, at any amount",
      steps: [
        first({ breakdown: [line(413.22, 86.78, 21)], total: 500, client: A_SENT_COMPANY }, [
          "F1 PED-1-Y 413.22/86.78/500 [21: 413.22/86.78]",
        ]),
        {
          change: { correction_events: [refund("r1", 500)] },
          state: "rectified",
          documents: [
            "F1 PED-1-Y 413.22/86.78/500 [21: 413.22/86.78]",
            "R1 PED-1R-Y -413.22/-86.78/-500 [21: -413.22/-86.78]",
          ],
        },
      ],
    },
    {
      name: "P49 cancelled before any invoice: no document",
      steps: [
        {
          change: { fiscal_event: "cancelled" },
          state: "cancelled cancelled_before_invoice",
          documents: [],
        },
      ],
    },
    {
      name: "P49 cancelled after it: a rectification",
      steps: [
        first({}, [sold]),
        {
          change: { fiscal_event: "cancelled" },
          state: "rectified",
          documents: [sold, "R5 PED-1RS-Y -100/-21/-121 [21: -100/-21]"],
        },
      ],
    },
    {
      name: "P51 another name of the client changes no invoice",
      steps: [
        first({ client: A_SENT_COMPANY }, ["F1 PED-1-Y 100/21/121 [21: 100/21]"]),
        first({ client: { ...A_SENT_COMPANY, company: "Otra SL", city: "Cuenca" } }, [
          "F1 PED-1-Y 100/21/121 [21: 100/21]",
        ]),
      ],
    },
  ])("$name", run);

  test("P39 names the requested amount and the remainder", async () => {
    const shop = await openCommerce();
    await postOrder(shop, order("1", withVoucher));
    const over = order("1", { ...withVoucher, correction_events: [refund("r1", 31.34)] });
    const reply = await postOrder(shop, over);
    expect(orderOf(reply).reasons[0]?.facts).toEqual({
      requested: { amount: 31.34, currency: "EUR" },
      number: orderOf(reply).invoices[0]?.full_number,
      remaining: { amount: 21.34, currency: "EUR" },
    });
  });

  test("P49 nothing of a cancellation is an ANULACION", async () => {
    const shop = await openCommerce();
    await postOrder(shop, order("1"));
    await postOrder(shop, order("1", { fiscal_event: "cancelled" }));
    const { records } = await expectBooksConsistent(shop.connectionId);
    expect(records.map(({ kind }) => kind)).toEqual(["ALTA", "ALTA"]);
  });
});

describe("days, rates and numbers", () => {
  const dollars = (paidAt: string) => ({ currency: "USD", paid_at: paidAt });
  const RATES = [
    { day: civilDate("2026-08-12"), currency: "USD", rate: decimal("1.10") },
    { day: civilDate("2026-08-13"), currency: "USD", rate: decimal("1.21") },
  ];

  async function eurTotalOf(shop: Shop): Promise<unknown> {
    return env.LEDGER_000.prepare("SELECT total_eur FROM invoice WHERE connection_id = ?")
      .bind(shop.connectionId)
      .first("total_eur");
  }

  test.each([
    ["P77 paid before the rate of the day is out", "2026-08-13T10:00:00+02:00", "110.00"],
    ["P77 paid after it", "2026-08-13T17:00:00+02:00", "100.00"],
  ])("%s", async (_, paidAt, eur) => {
    const shop = await openCommerce();
    await rateStore(env.LEDGER_000).add(RATES);
    const reply = await postOrder(
      shop,
      order("1", { ...dollars(paidAt), order_date: "2026-08-13 09:00:00" }),
    );
    expect(documentsOf(reply)).toEqual(["F2 PED-1S-Y 100/21/121 [21: 100/21]"]);
    expect(Number(await eurTotalOf(shop))).toBe(Number(eur));
  });

  test("P73 an order of half an hour past midnight in Madrid is of that day", async () => {
    const shop = await openCommerce();
    await declare(shop, { verb: "move_cutoff", cutoffDate: civilDate("2026-11-20") });
    const before = await postOrder(shop, order("1", { order_date: "2026-11-19 23:30:00" }));
    expect(stateOf(before)).toBe("before_cutoff before_cutoff");
    const after = await postOrder(shop, order("2", { order_date: "2026-11-19T23:30:00Z" }));
    expect(stateOf(after)).toBe("invoiced");
  });

  test.each([
    [{ order_date: "0000-00-00 00:00:00", paid_at: "2026-11-20T10:00:00Z" }, 201],
    [{ paid_at: "0000-00-00 00:00:00" }, 201],
    [{ order_date: "0000-00-00 00:00:00" }, 422],
    [{ order_date: "0000-00-00 00:00:00", paid_at: "0000-00-00 00:00:00" }, 422],
    [{ order_date: "", paid_at: null }, 422],
  ])("P75 dates that are none: %j", async (dates, status) => {
    const reply = await postOrder(await openCommerce(), order("1", dates));
    expect(reply.status).toBe(status);
    if (status === 201) expect(orderOf(reply).invoices).toHaveLength(1);
    else expect(reply.body.details).toMatchObject([{ path: "order_date", code: "required" }]);
  });

  test("P07 numbers never derive from the ids of orders", async () => {
    const shop = await openCommerce();
    await postOrder(shop, order("8205"));
    await postOrder(shop, order("8206", { fiscal_event: "cancelled" }));
    const last = await postOrder(shop, order("8207"));
    expect(orderOf(last).invoices[0]?.number).toBe(2);
  });

  test("P79 each profile numbers its own orders, and no other's", async () => {
    const shop = await openCommerce();
    const stores = [{ id: "1" }, { id: "2" }, { id: "3" }];
    await call(shop, { method: "POST", path: "/v1/inventory", body: { stores } });
    await declare(
      shop,
      { verb: "add_profile", profile: { name: "Uno", storeId: "1", stem: "A" } },
      { verb: "add_profile", profile: { name: "Dos", storeId: "2", stem: "B" } },
      { verb: "add_profile", profile: { name: "Web", channel: "web", stem: "W" } },
    );
    const told: string[] = [];
    for (const [index, id] of ["1", "2", "1", "3"].entries()) {
      const reply = await postOrder(shop, order(String(index), { shop: { id } }));
      const { invoices } = orderOf(reply);
      told.push([stateOf(reply), ...invoices.map((each) => each.full_number)].join(" "));
    }
    const company = order("full", { shop: { id: "2" }, client: A_SENT_COMPANY });
    told.push(String(orderOf(await postOrder(shop, company)).invoices[0]?.series));
    told.push(stateOf(await postOrder(shop, order("both", { shop: { id: "1" }, source_channel: "Web" }))));
    expect(told.map((text) => text.replace(/20\d\d/, "Y"))).toEqual([
      "invoiced AS-Y-000001",
      "invoiced BS-Y-000001",
      "invoiced AS-Y-000002",
      "held profile_not_matched",
      "B-Y",
      "held profile_ambiguous",
    ]);
  });

  test("50 at once of one connection take 50 numbers, and each its own amounts", async () => {
    const shop = await openCommerce();
    const ids = Array.from({ length: 50 }, (_, index) => `o${index}`);
    const replies = await Promise.all(ids.map((id) => postOrder(shop, order(id))));
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(201));
    const numbers = replies.map((reply) => orderOf(reply).invoices[0]?.number);
    expect(new Set(numbers).size).toBe(50);
    await expectBooksConsistent(shop.connectionId);
  });
});
