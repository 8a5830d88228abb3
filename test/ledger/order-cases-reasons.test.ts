/** Every state and every reason of an order, reached over HTTP: the sent order, the owner's declarations. */
import { describe, expect, test } from "vitest";
import type { SalesChange } from "../../src/domain/billing/sales-change.ts";
import { ORDER_REASONS } from "../../src/domain/order/reasons.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { call, declare, orderOf, postOrder, stateOf } from "../support/worlds/http-calls.ts";
import {
  A_SENT_COMPANY,
  aSentLine as line,
  openCommerce,
  aSentOrder as order,
  aSentRefund as refund,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import { answerOrder } from "../support/worlds/owners.ts";
import type { Shop } from "../support/worlds/shop.ts";

interface Row {
  readonly name: string;
  /** State and codes after the last payload. */
  readonly told: string;
  readonly sent: SentBody;
  /** The changes of the payload after the invoice. */
  readonly next?: SentBody;
  readonly sales?: SalesChange;
  readonly verbs?: readonly OwnerRequest[];
  readonly statuses?: readonly SentBody[];
  readonly stores?: readonly SentBody[];
  readonly consented?: boolean;
  readonly dismissed?: true;
}

const profile = (name: string, channel: string, stem: string): OwnerRequest => ({
  verb: "add_profile",
  profile: { name, channel, stem },
});
const CANCELLED = { statuses: [{ id_external: "6", name: "Cancelado", cancelled: true }] }.statuses;
const fee = (value: number): SentBody => ({
  unmapped_totals: [{ code: "cod_fee", title: "Contra reembolso", value }],
  total: 121 + value,
});
const treated = (treatment: NonNullable<SalesChange["treatments"]>[string]): SalesChange => ({
  treatments: { cod_fee: treatment },
});
const voucher = (tax: number, rate: number) => line(50, tax, rate, { line_kind: "gift_voucher" });
const untaxed: SentBody = { breakdown: [line(100, 0, 0)], total: 100 };
const client = (change: SentBody) => ({ client: { first_name: "Ana", last_name: "Pérez", ...change } });
const expensive: SentBody = { breakdown: [line(1000, 210, 21)], total: 1210 };
const twoRates: SentBody = { breakdown: [line(100, 21, 21), line(100, 10, 10)], total: 231 };
const events = (...all: readonly SentBody[]): SentBody => ({ correction_events: all });
const withMember = (event: SentBody, change: SentBody): SentBody => ({ ...event, ...change });
const amountOnly = (amount: number): SentBody => ({
  id_external_event: "r1",
  event_type: "refund",
  amount: -amount,
});
const manyGroups = Array.from({ length: 13 }, (_, rate) => line(10, rate / 10, rate));

const STOPS: readonly Row[] = [
  { name: "no candidate", sent: { fiscal_event: "none" }, told: "stored not_a_candidate" },
  { name: "a test of the shop", sent: { test: true }, told: "stored test_order" },
  { name: "no consent", sent: {}, consented: false, told: "deferred deferred" },
  { name: "too old", sent: { order_date: "2025-12-31 23:59:59" }, told: "before_cutoff before_cutoff" },
  {
    name: "another store",
    sent: { shop: { id: "2" } },
    stores: [{ id: "1" }, { id: "2" }],
    verbs: [{ verb: "complete_setup", storeIds: ["1"] }],
    told: "store_not_selected store_not_selected",
  },
  {
    name: "no store, where stores are selected",
    sent: {},
    stores: [{ id: "1" }, { id: "2" }],
    verbs: [{ verb: "complete_setup", storeIds: ["1"] }],
    told: "store_not_selected store_not_selected",
  },
  { name: "cancelled", sent: { fiscal_event: "cancelled" }, told: "cancelled cancelled_before_invoice" },
  {
    name: "a status that means cancelled",
    sent: { id_order_status: 6 },
    statuses: CANCELLED,
    told: "cancelled cancelled_before_invoice",
  },
  { name: "all given back", sent: events(amountOnly(121)), told: "cancelled cancelled_before_invoice" },
  {
    name: "a tag to ignore",
    sent: { tags: ["B2B"] },
    verbs: [{ verb: "set_tag_rule", rule: { tag: "b2b", action: "ignore" } }],
    told: "stored tag_ignored",
  },
  {
    name: "invoiced elsewhere",
    sent: {},
    sales: { issuingMode: "none" },
    told: "stored invoiced_elsewhere",
  },
  {
    name: "free",
    sent: { discounts: [{ amount: 121 }], total: 0 },
    told: "stored zero_total",
  },
  { name: "empty", sent: { breakdown: [], total: 0 }, told: "stored zero_total" },
  {
    name: "a gift card alone",
    sent: { breakdown: [voucher(0, 0)], total: 50 },
    told: "stored nothing_to_invoice",
  },
  {
    name: "dismissed",
    sent: expensive,
    dismissed: true,
    next: {},
    told: "stored dismissed",
  },
];

const HOLDS: readonly Row[] = [
  {
    name: "no profile",
    sent: {},
    verbs: [profile("Web", "web", "WEB")],
    told: "held profile_not_matched",
  },
  {
    name: "two profiles",
    sent: { source_channel: "web", shop: { id: "1" } },
    stores: [{ id: "1" }],
    verbs: [
      profile("Web", "web", "WEB"),
      { verb: "add_profile", profile: { name: "Uno", storeId: "1", stem: "UNO" } },
    ],
    told: "held profile_ambiguous",
  },
  {
    name: "a tag to hold",
    sent: { tags: [" Revisar "] },
    verbs: [{ verb: "set_tag_rule", rule: { tag: "revisar", action: "hold" } }],
    told: "held tag_hold",
  },
  { name: "a total of its own", sent: { total: 120.99 }, told: "held totals_mismatch" },
  {
    name: "discounts that are in the lines already",
    sent: { discounts: [{ code: "X", amount: 10 }] },
    told: "held totals_mismatch discounts_probably_included",
  },
  {
    name: "totals by rate that are not its lines'",
    sent: { tax_totals: [{ tax_rate: 21, tax_amount: 22 }] },
    told: "held tax_totals_mismatch",
  },
  {
    name: "a fact that the shop lacks",
    sent: { missing: [{ what: "tax_rate", where: "l1" }], contract_version: "1.9" },
    told: "held shop_facts_missing",
  },
  {
    name: "figures of the shop that contradict each other",
    sent: { missing: [{ what: "discounts", stated: 20, computed: "0.00" }], contract_version: "1.9" },
    told: "held shop_facts_contradict",
  },
  { name: "an unknown amount", sent: fee(3.63), told: "held untreated_total" },
  {
    name: "an amount to look at",
    sent: fee(3.63),
    sales: treated({ as: "hold" }),
    told: "held treatment_hold",
  },
  {
    name: "a payment that is added",
    sent: fee(3.63),
    sales: treated({ as: "payment" }),
    told: "held treatment_sign",
  },
  {
    name: "a fee that is taken off",
    sent: fee(-3.63),
    sales: treated({ as: "fee", rate: decimal("21") }),
    told: "held treatment_sign",
  },
  {
    name: "a discount of unknown kind",
    sent: { discounts: [{ amount: 21, kind: "unknown" }], total: 100 },
    told: "held discount_kind_unknown",
  },
  {
    name: "credit to look at",
    sent: { discounts: [{ amount: 21, kind: "customer_credit" }], total: 100 },
    sales: { customerCredit: "review" },
    told: "held customer_credit_review",
  },
  {
    name: "credit for everything",
    sent: { discounts: [{ amount: 121, kind: "customer_credit" }], total: 0 },
    told: "held credit_covers_total",
  },
  {
    name: "a gift card with tax",
    sent: { breakdown: [voucher(10.5, 21)], total: 60.5 },
    told: "held voucher_kind_conflict",
  },
  {
    name: "tax that is none of the rate",
    sent: { breakdown: [line(100, 20, 21)], total: 120 },
    told: "held tax_mismatch",
  },
  {
    name: "a rate of other days",
    sent: { breakdown: [line(100, 5, 5)], total: 105 },
    told: "held tax_mismatch",
  },
];

const TAXES: readonly Row[] = [
  { name: "nothing said of 0 %", sent: untaxed, told: "held zero_rate_basis_missing" },
  { name: "abroad", sent: client({ country: "FR" }), told: "held foreign_customer" },
  {
    name: "to the Canaries",
    sent: client({ country: "ES", postcode: "38001" }),
    told: "held territory_review",
  },
  {
    name: "to a German business, taxed",
    sent: { client: { ...A_SENT_COMPANY, country: "DE", vat_number: "DE282741168" } },
    told: "held destination_conflict",
  },
  {
    name: "to a French consumer at a rate of Spain",
    sent: client({ country: "FR", postcode: "75001" }),
    sales: { destinations: { euConsumer: "oss" } },
    told: "held oss_rate_unknown",
  },
  {
    name: "somewhere, untaxed",
    sent: { ...untaxed, client: { first_name: "Ana" } },
    told: "held country_unknown",
  },
  {
    name: "a rate that is not there",
    sent: { currency: "USD" },
    told: "held exchange_rate_unavailable",
  },
  {
    name: "a currency that is not quoted",
    sent: { currency: "COP" },
    told: "held currency_not_quoted",
  },
  {
    name: "an identifier that is wrong",
    sent: client({ country: "ES", vat_number: "12345678A" }),
    told: "held tax_identifier_invalid",
  },
  { name: "no customer, above the limit", sent: expensive, told: "held recipient_incomplete" },
  {
    name: "an identifier without a name",
    sent: { client: { country: "ES", vat_number: "B12345674" } },
    told: "held recipient_incomplete",
  },
  { name: "to approve", sent: {}, sales: { issuingMode: "review" }, told: "held manual_issuing" },
  {
    name: "of a day to come",
    sent: { order_date: "2098-01-01 00:00:00" },
    told: "held order_date_in_future",
  },
  {
    name: "too many rates",
    sent: {
      breakdown: manyGroups,
      total: 137.8,
      client: { ...A_SENT_COMPANY, country: "FR", vat_number: "FR83404833048" },
    },
    told: "held destination_conflict too_many_tax_groups",
  },
  {
    name: "less than nothing",
    sent: { breakdown: [line(-100, -21, 21)], total: -121 },
    told: "held not_invoiceable",
  },
];

const AFTERWARDS: readonly Row[] = [
  {
    name: "a status that means cancelled",
    sent: {},
    next: { id_order_status: "6" },
    statuses: CANCELLED,
    told: "held status_cancelled",
  },
  {
    name: "other lines",
    sent: {},
    next: { breakdown: [line(200, 42, 21)], total: 242 },
    told: "held changed_after_invoice",
  },
  {
    name: "a refund that does not add up",
    sent: {},
    next: events(withMember(refund("r1", 10, 2.1, 21), { amount: -12 })),
    told: "held correction_amount_mismatch",
  },
  {
    name: "an event with other content",
    sent: events(refund("r1", 10, 2.1, 21)),
    next: events(refund("r1", 20, 4.2, 21)),
    told: "held correction_event_changed",
  },
  {
    name: "a refund of a part",
    sent: {},
    next: events(refund("r1", 10, 2.1, 21)),
    told: "partially_rectified",
  },
  {
    name: "more than there was",
    sent: {},
    next: events(refund("r1", 200, 42, 21)),
    told: "held over_refund",
  },
  {
    name: "a rate that was not sold",
    sent: {},
    next: events(refund("r1", 10, 1, 10)),
    told: "held rate_not_invoiced",
  },
  {
    name: "more sold",
    sent: {},
    next: events(refund("r1", -10, -2.1, 21)),
    told: "held correction_increases",
  },
  {
    name: "an amount of two rates",
    sent: twoRates,
    next: events(amountOnly(20)),
    told: "held refund_lines_needed",
  },
  {
    name: "neither lines nor amount",
    sent: {},
    next: events({ id_external_event: "r1", event_type: "refund" }),
    told: "held refund_lines_needed",
  },
  {
    name: "no sale at all",
    sent: {},
    next: events({ id_external_event: "v", event_type: "void" }),
    told: "held annulment_review",
  },
  {
    name: "an edit",
    sent: {},
    next: events({ id_external_event: "u", event_type: "unknown", amount: -50 }),
    told: "invoiced",
  },
  { name: "everything back", sent: {}, next: events(amountOnly(121)), told: "rectified" },
];

const ROWS = [...STOPS, ...HOLDS, ...TAXES, ...AFTERWARDS];
const reached = new Set<string>();

async function prepare(row: Row): Promise<Shop> {
  const shop = await openCommerce({ consented: row.consented ?? true, connection: { guided: false } });
  const post = (path: string, body: unknown) => call(shop, { method: "POST", path, body });
  if (row.statuses) await post("/api/v1/status", { statuses: row.statuses });
  if (row.stores) await post("/v1/inventory", { stores: row.stores });
  await declare(shop, ...(row.verbs ?? []));
  if (row.sales) await declare(shop, { verb: "declare_sales", change: row.sales });
  return shop;
}

describe.each([
  ["no invoice, and no action needed", STOPS],
  ["held by its products and its payment", HOLDS],
  ["held by tax, place, money and recipient", TAXES],
  ["after the invoice", AFTERWARDS],
])("%s", (_, rows) => {
  test.each(rows)("$name: $told", async (row) => {
    const shop = await prepare(row);
    const body = order("1", row.sent);
    let reply = await postOrder(shop, body);
    const documents = orderOf(reply).invoices.length;
    if (row.dismissed) await answerOrder(shop, "1", { answer: "dismiss", why: "Venta de prueba" });
    if (row.next) reply = await postOrder(shop, { ...body, ...row.next });
    expect(stateOf(reply)).toBe(row.told);
    const { state, reasons, invoices } = orderOf(reply);
    for (const { code } of reasons) reached.add(code);
    if (state === "held") expect(invoices).toHaveLength(documents);
    expectReadable(reasons);
    const spanish = await postOrder(shop, { ...body, ...row.next }, { "Accept-Language": "es" });
    expectReadable(orderOf(spanish).reasons);
  });
});

function expectReadable(reasons: readonly { readonly message: string }[]): void {
  for (const { message } of reasons) expect(message).toMatch(/^[^{}]{20,400}\.$/);
}

test("one refund sent in both forms is held, where the amounts are the same", async () => {
  const shop = await openCommerce();
  await postOrder(shop, order("1"));
  const legacy = { refunds: [{ id_external: "7", amount: 12.1, lines: [] }], contract_version: "1.2" };
  await postOrder(shop, order("1", legacy));
  const same = await postOrder(
    shop,
    order("1", events(withMember(amountOnly(12.1), { id_external_event: "7" }))),
  );
  expect(stateOf(same)).toBe("partially_rectified");
  const other = await postOrder(
    shop,
    order("1", events(withMember(amountOnly(12.1), { id_external_event: "x" }))),
  );
  expect(stateOf(other)).toBe("held refund_possibly_repeated");
  reached.add("refund_possibly_repeated");
});

test("an order that the shop takes up again after its cancellation waits for its owner", async () => {
  const shop = await openCommerce();
  await postOrder(shop, order("1"));
  await postOrder(shop, order("1", { fiscal_event: "cancelled" }));
  const reply = await postOrder(shop, order("1", { note: "back" }));
  expect(stateOf(reply)).toBe("held reactivated");
  expectReadable(orderOf(reply).reasons);
  reached.add("reactivated");
});

test("a cutoff of today includes the orders of today", async () => {
  const shop = await openCommerce();
  await declare(shop, { verb: "move_cutoff", cutoffDate: civilDate("2026-11-20") });
  expect(stateOf(await postOrder(shop, order("1")))).toBe("invoiced");
  expect(stateOf(await postOrder(shop, order("2", { order_date: "2026-11-19 23:59:59" })))).toBe(
    "before_cutoff before_cutoff",
  );
});

test("the tables above reach every reason there is", () => {
  const missing = ORDER_REASONS.map(({ code }) => code).filter((code) => !reached.has(code));
  expect(missing).toEqual([]);
  expect(ROWS.length).toBeGreaterThan(40);
});
