/** Anything sent as an order is refused, held or invoiced; never a 5xx, never half a row. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import {
  documentsOf,
  everythingIn,
  getOrder,
  type OrderReply,
  orderOf,
  postOrder,
  stateOf,
} from "../support/worlds/http-calls.ts";
import {
  A_SENT_COMPANY,
  aSentLine as line,
  openCommerce,
  aSentOrder as order,
  aSentRefund as refund,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import type { Shop } from "../support/worlds/shop.ts";

/** Every member of the contract, each with a value that is good. */
const FULL: SentBody = order("1", {
  reference: "R-1",
  paid_at: "2026-11-20T12:00:00+01:00",
  updated_at: "2026-11-20T12:00:00+01:00",
  operation_date: "2026-11-20",
  total_tax: 21,
  status: "paid",
  id_order_status: "2",
  source_platform: "prestashop",
  invoice_action: "create_invoice",
  client: { ...A_SENT_COMPANY, id_external: "c", first_name: "A", last_name: "B", email: "a@example.com" },
  delivery: { country: "ES", postcode: "28013" },
  breakdown: [line(100, 21, 21, { line_id: "l", id_external_product: "p", line_kind: "product" })],
  discounts: [{ code: "C", name: "D", amount: 0, kind: "promotional", lines: ["l"], included: false }],
  unmapped_totals: [{ code: "u", title: "U", value: 0, kind: "unknown" }],
  correction_events: [
    {
      id_external_event: "e",
      event_type: "unknown",
      occurred_at: "2026-11-20T12:00:00+01:00",
      reason: "R",
      amount: -1,
      lines: [
        { line_id: "l", name: "N", quantity_delta: -1, base_delta: -1, tax_rate: 21, tax_delta: -0.21 },
      ],
    },
  ],
  refunds: [{ id_external: "r", date: "2026-11-20", amount: 1, tax_amount: 0.17, lines: [] }],
  source_channel: "web",
  source_channel_evidence: "a=b",
  shop: { id: "1" },
  tags: ["t"],
});

const ABSURD: readonly unknown[] = [
  null,
  true,
  "",
  "NaN",
  "-Infinity",
  "0000-00-00",
  "0000-00-00 00:00:00",
  "2026-02-30 25:61:61",
  "\u202eRTL\u200f",
  "😀\u0000\u0007",
  "\ud800",
  "ñ".repeat(2000),
  "__proto__",
  -1,
  0.1,
  1e-30,
  1e12,
  -1e12,
  1e300,
  [],
  [[]],
  [null],
  {},
  { constructor: { prototype: 1 } },
];

type Path = readonly string[];

function pathsOf(tree: unknown, path: Path = []): Path[] {
  if (typeof tree !== "object" || tree === null) return [path];
  return [path, ...Object.entries(tree).flatMap(([name, value]) => pathsOf(value, [...path, name]))];
}

function withValue(tree: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(tree))
    return tree.map((item, index) => (String(index) === name ? withValue(item, rest, value) : item));
  const object = Object(tree);
  return { ...object, [name]: withValue(object[name], rest, value) };
}

/** A refusal that names the problem, or an order with everything in its answer. */
function expectAnswered({ status, body }: OrderReply, sent: unknown): void {
  const about = JSON.stringify(sent)?.slice(0, 300);
  if (status === 422) {
    expect(body, about).toMatchObject({ success: false, error_code: "validation_failed" });
    expect(body.details?.length, about).toBeGreaterThan(0);
    for (const { message } of body.details ?? []) expect(message, about).toMatch(/^.{5,400}[.]$/su);
    return;
  }
  expect([200, 201], about).toContain(status);
  const told = body.data;
  expect(told?.state, about).toMatch(/^[a-z_]+$/);
  for (const { message } of told?.reasons ?? []) expect(message, about).toMatch(/^[^{}]{10,}[.]$/su);
  if (told?.state === "held") expect(told.reasons.length, about).toBeGreaterThan(0);
}

/** As many bodies as rows of orders, each row complete. */
async function expectWholeRows({ connectionId }: Shop): Promise<void> {
  const { results } = await env.LEDGER_000.prepare(
    `SELECT o.id_external, o.facts, o.reasons, o.warnings, o.answers, o.acted, s.id_external AS sent
     FROM shop_order o LEFT JOIN shop_order_sent s
       ON s.connection_id = o.connection_id AND s.id_external = o.id_external WHERE o.connection_id = ?`,
  )
    .bind(connectionId)
    .all<Record<string, string>>();
  for (const { id_external: id, sent, ...columns } of results) {
    expect(sent).toBe(id);
    for (const json of Object.values(columns)) expect(() => JSON.parse(json)).not.toThrow();
  }
  await expectBooksConsistent(connectionId);
}

describe("every member with every absurd value", () => {
  test.each(Object.keys(FULL))("%s", async (member) => {
    const shop = await openCommerce();
    const paths = pathsOf(FULL).filter(([name]) => name === member);
    let count = 0;
    for (const path of paths) {
      const replies = await Promise.all(
        ABSURD.map(async (value, index) => {
          const base =
            member === "id_external" ? FULL : { ...FULL, id_external: `${path.join(".")}${index}` };
          const sent = withValue(base, path, value);
          return [sent, await postOrder(shop, Object(sent))] as const;
        }),
      );
      for (const [sent, reply] of replies) expectAnswered(reply, sent);
      count += replies.length;
    }
    expect(count).toBe(paths.length * ABSURD.length);
    await expectWholeRows(shop);
  });

  test.each(ABSURD.map((value) => [value]))("a body that is %j", async (body) => {
    const reply = await postOrder(await openCommerce(), JSON.stringify(body));
    expect(reply).toMatchObject({ status: 422, body: { error_code: "validation_failed" } });
  });
});

const text = (change: SentBody) => JSON.stringify(order("1", change));
const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("bodies that are no order, and leave nothing", () => {
  test.each<[string, string, number, string]>([
    ["no JSON", "{", 400, "malformed_json"],
    ["nothing", "", 400, "malformed_json"],
    ["NaN", text({}).replace(":121,", ":NaN,"), 400, "malformed_json"],
    ["Infinity", text({}).replace(":121,", ":Infinity,"), 400, "malformed_json"],
    ["a number with a leading zero", text({}).replace(":121,", ":0121,"), 400, "malformed_json"],
    [
      "a total given twice",
      text({}).replace('"total":121', '"total":121,"total":122'),
      400,
      "malformed_json",
    ],
    [
      "a member of a line given twice",
      text({}).replace('"tax_rate":21', '"tax_rate":21,"tax_rate":10'),
      400,
      "malformed_json",
    ],
    ["more than 1 MiB", text({ note: "x".repeat(1_048_576) }), 413, "payload_too_large"],
    [
      "5,001 lines",
      text({ breakdown: Array.from({ length: 5001 }, () => line(1, 0.21, 21)), total: 6051.21 }),
      422,
      "validation_failed",
    ],
    ["no lines and a total", text({ breakdown: [] }), 422, "validation_failed"],
    [
      "a rate that is text",
      text({
        correction_events: [{ ...refund("r", 1, 0.21, 21), lines: [{ base_delta: -1, tax_rate: "NaN" }] }],
      }),
      422,
      "validation_failed",
    ],
    [
      "a quantity that is text",
      text({ breakdown: [line(100, 21, 21, { quantity: "2" })] }),
      422,
      "validation_failed",
    ],
    ["13 digits", text({ total: 1e12 }), 422, "validation_failed"],
    ["a currency that is none", text({ currency: "XXZ" }), 422, "validation_failed"],
  ])("%s", async (_, body, status, code) => {
    const shop = await openCommerce();
    const before = await everythingIn();
    const reply = await postOrder(shop, body);
    expect([reply.status, reply.body.error_code]).toEqual([status, code]);
    expect(await everythingIn()).toEqual(before);
  });

  test("another content type", async () => {
    const reply = await postOrder(await openCommerce(), text({}), { "Content-Type": "text/plain" });
    expect(reply).toMatchObject({ status: 415, body: { error_code: "unsupported_media_type" } });
  });
});

describe("bodies that are unusual, and an order all the same", () => {
  const lines = (count: number) => ({
    breakdown: Array.from({ length: count }, (_, index) => line(1, 0.21, 21, { name: `Línea ${index} 😀` })),
    total: Math.round(count * 121) / 100,
    client: A_SENT_COMPANY,
  });

  test("5,000 lines are one invoice", async () => {
    const shop = await openCommerce();
    const reply = await postOrder(shop, order("1", lines(5000)));
    expect([stateOf(reply), documentsOf(reply)]).toEqual([
      "invoiced",
      ["F1 PED-1-Y 5000/1050/6050 [21: 5000/1050]"],
    ]);
    await expectWholeRows(shop);
  });

  test("deep nesting in an ignored member, and in one that is read", async () => {
    const shop = await openCommerce();
    const nested = text({}).replace('"total":', `"extra":${deep(5000)},"total":`);
    expectRefusedOrTaken(await postOrder(shop, nested));
    expectRefusedOrTaken(
      await postOrder(shop, text({}).replace('"breakdown":[', `"breakdown":[${deep(5000)},`)),
    );
    expectRefusedOrTaken(await postOrder(shop, deep(200_000)));
    await expectWholeRows(shop);
  });

  test("close to 1 MiB", async () => {
    const shop = await openCommerce();
    const reply = await postOrder(shop, text({ note: "ñ".repeat(500_000) }));
    expect([reply.status, stateOf(reply)]).toEqual([201, "invoiced"]);
    await expectWholeRows(shop);
  });

  test("text from right to left, emoji and markup are kept as they are", async () => {
    const shop = await openCommerce();
    const odd = "‏עברית‎ 👩‍👩‍👧 <script>alert(1)</script> & \"O'Brien\" 'x'='x'; --";
    const reply = await postOrder(
      shop,
      order("1", {
        breakdown: [line(100, 21, 21, { name: odd })],
        reference: odd,
        client: { first_name: odd },
      }),
    );
    expect([reply.status, stateOf(reply)]).toEqual([201, "invoiced"]);
    await expectWholeRows(shop);
  });

  test("members named as those of every object are nothing of an order", async () => {
    const shop = await openCommerce();
    const spoilt = text({}).replace(
      '"total":',
      '"__proto__":{"total":1},"constructor":{},"toString":"x","hasOwnProperty":1,"total":',
    );
    expect(stateOf(await postOrder(shop, spoilt))).toBe("invoiced");
    const odd = { unmapped_totals: [{ code: "__proto__", value: 1 }], total: 122 };
    expect(stateOf(await postOrder(shop, order("2", odd)))).toBe("held untreated_total");
    const status = order("3", { status: "constructor", id_order_status: "__proto__" });
    expect(stateOf(await postOrder(shop, status))).toBe("invoiced");
  });
});

function expectRefusedOrTaken({ status, body }: OrderReply): void {
  expect(status).toBeLessThan(500);
  expect(typeof body.success).toBe("boolean");
}

interface Contradiction {
  readonly name: string;
  readonly sent: SentBody;
  readonly told: string;
  /** Figures that the first reason says. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

const eur = (amount: number) => ({ amount, currency: "EUR" });

describe("what contradicts itself says its figures", () => {
  test.each<Contradiction>([
    {
      name: "a cent in the total",
      sent: { total: 121.01 },
      told: "held totals_mismatch",
      facts: { computed: eur(121), total: eur(121.01), difference: eur(0.01) },
    },
    {
      name: "a quantity below zero",
      sent: { breakdown: [line(-100, -21, 21, { quantity: -1 })], total: -121 },
      told: "held not_invoiceable",
    },
    {
      name: "a quantity of zero",
      sent: { breakdown: [line(100, 21, 21, { quantity: 0 })] },
      told: "invoiced",
    },
    {
      name: "a rate of 1,000",
      sent: { breakdown: [line(100, 1000, 1000)], total: 1100 },
      told: "held tax_mismatch",
      facts: { rate: 1000 },
    },
    {
      name: "a rate below zero",
      sent: { breakdown: [line(100, -21, -21)], total: 79 },
      told: "held tax_mismatch",
      facts: { rate: -21 },
    },
    {
      name: "999,999,999,999 of everything",
      sent: { breakdown: [line(999_999_999_999, 0, 21)], total: 999_999_999_999 },
      told: "held tax_mismatch",
    },
    {
      name: "events without lines or amount",
      sent: { correction_events: [{ id_external_event: "e", event_type: "refund" }] },
      told: "held refund_lines_needed",
      facts: { event: "e" },
    },
    {
      name: "a delta that adds",
      sent: { correction_events: [refund("e", -10, -2.1, 21)] },
      told: "held correction_increases",
      facts: { event: "e", amount: eur(12.1) },
    },
    {
      name: "more given back than sold, before the invoice",
      sent: { correction_events: [refund("e", 1000, 210, 21)] },
      told: "held over_refund",
      facts: { requested: eur(1210), remaining: eur(121) },
    },
    {
      name: "an event with lines that differ from its amount",
      sent: { correction_events: [{ ...refund("e", 10, 2.1, 21), amount: -99 }] },
      told: "held correction_amount_mismatch",
      facts: { event: "e", lines_total: eur(-12.1), amount: eur(-99) },
    },
    {
      name: "one event twice with other content in one payload",
      sent: { correction_events: [refund("e", 10, 2.1, 21), refund("e", 20, 4.2, 21)] },
      told: "held correction_event_changed",
    },
    {
      name: "one event twice, the same",
      sent: { correction_events: [refund("e", 10, 2.1, 21), refund("e", 10, 2.1, 21)] },
      told: "invoiced",
    },
    {
      name: "a discount above everything",
      sent: { discounts: [{ amount: 500 }], total: -379 },
      told: "held not_invoiceable",
    },
  ])("$name: $told", async ({ sent, told, facts }) => {
    const shop = await openCommerce();
    const reply = await postOrder(shop, order("1", sent));
    expect(stateOf(reply)).toBe(told);
    if (facts) expect(orderOf(reply).reasons[0]?.facts).toMatchObject(facts);
    expect((await getOrder(shop, "1")).body).toEqual(reply.body);
    await expectWholeRows(shop);
  });
});
