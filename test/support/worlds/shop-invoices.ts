import { env } from "cloudflare:workers";
import type { SalesChange } from "../../../src/domain/billing/sales-change.ts";
import { destinationsOf } from "../../../src/domain/billing/sales-settings.ts";
import { normalizeOrder } from "../../../src/domain/order/normalize-order.ts";
import type { SentOrder } from "../../../src/domain/order/sent-order.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { toFixed } from "../../../src/domain/shared/decimal.ts";
import type { Facts } from "../../../src/domain/shared/fact.ts";
import type { MappedOrder } from "../../../src/domain/shop/mapped.ts";
import { type StatusMap, withMeaning } from "../../../src/domain/shop/presets.ts";
import { type OrderInvoice, type OrderView, rateKeyOf } from "../../../src/ledger/orders/order-outcomes.ts";
import { objectOf } from "./ledger-client.ts";
import { openCommerce, orderIn } from "./order-calls.ts";
import { answerOrder } from "./owners.ts";
import { act, callerOf, type Shop } from "./shop.ts";

/** How an order of a real shop is changed before it is sent, and what its owner has declared. */
export interface Mode {
  readonly sales?: SalesChange;
  readonly change?: (order: SentOrder) => SentOrder;
  /** Units of its currency per euro, on any day. */
  readonly rate?: string;
}

export const AS_SENT: Mode = {};
export const EXPORT: Mode = { sales: { destinations: destinationsOf("export"), zeroRateBasis: "E1" } };
export const OSS: Mode = { sales: { destinations: destinationsOf("oss"), zeroRateBasis: "E1" } };
/** In euros to a buyer in the Netherlands. */
export const NL: Mode = {
  ...OSS,
  change: ({ client, ...order }) => ({
    ...order,
    currency: "EUR",
    client: { ...client, country: "NL" },
    delivery: { country: "NL" },
  }),
};
/** In euros to a Spanish company. */
export const ES_COMPANY: Mode = {
  sales: { zeroRateBasis: "E1" },
  change: (order) => ({
    ...order,
    currency: "EUR",
    client: {
      company: "Cliente Ejemplo SL",
      vatNumber: "B12345674",
      country: "ES",
      address1: "Gran Vía 1",
      postcode: "28013",
      city: "Madrid",
    },
    delivery: { country: "ES", postcode: "28013" },
  }),
};

/** The order of a mapping with what its status asks for, on a day after the cutoff. */
export function sentOf({ order, missing }: MappedOrder, statuses: StatusMap): SentOrder {
  if (!order) throw new Error(`no order: ${JSON.stringify(missing)}`);
  const asked = withMeaning(order, statuses);
  return {
    ...asked,
    orderDate: { local: "2026-11-20T12:00:00.000" },
    ...(missing.length > 0 ? { missing } : {}),
  };
}

/** A shop of its own for one order, whose owner has declared what the mode says. */
export interface PayloadShop {
  /** The order as it is now; the same one each time. */
  send(order: SentOrder): Promise<OrderView>;
  /** The rate of the one-stop shop that holds it is one of the place. */
  keepRates(order: OrderView): Promise<OrderView>;
}

export async function payloadShop(mode: Mode): Promise<PayloadShop> {
  const shop = await openCommerce();
  if (mode.sales) await act(shop, { verb: "declare_sales", change: mode.sales });
  const changed = mode.change ?? ((order: SentOrder) => order);
  return {
    async send(order) {
      const sent = changed(order);
      await quote(sent, mode.rate);
      const submission = { sent, asSent: JSON.stringify(sent), preview: false };
      return orderIn(await objectOf(shop).submitOrder(callerOf(shop), submission));
    },
    keepRates: (order) => keepRates(shop, order),
  };
}

/** An order of a real shop and its outcome. */
export interface PayloadRow {
  readonly what: string;
  readonly order: () => SentOrder;
  readonly mode: Mode;
  readonly outcome: string;
  readonly documents?: readonly string[];
}

/** The order in a shop of its own, once its owner has kept the rates that the table does not have. */
export async function decidedIn(mode: Mode, order: SentOrder): Promise<OrderView> {
  const shop = await payloadShop(mode);
  return shop.keepRates(await shop.send(order));
}

/** One rate after the other, as the owner is asked for them. */
export async function keepRates(shop: Shop, order: OrderView): Promise<OrderView> {
  let current = order;
  while (current.reasons.some(({ code }) => code === "oss_rate_unknown")) {
    const answer = { answer: "keep_oss_rate", from: civilDate("2026-01-01") } as const;
    current = orderIn(await answerOrder(shop, order.idExternal, answer));
  }
  return current;
}

/** The rate of the order's reference day, as the ECB's file would bring it. */
export async function quote(order: SentOrder, rate: string | undefined): Promise<void> {
  const key = rateKeyOf(normalizeOrder(order, "Europe/Madrid").facts);
  if (!key || rate === undefined) return;
  const insert = "INSERT INTO exchange_rate (day, currency, rate) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
  await env.LEDGER_000.prepare(insert).bind(key.day, key.currency, rate).run();
}

/** `held totals_mismatch foreign_customer` */
export function outcomeIn({ state, reasons }: OrderView): string {
  return [state, ...reasons.map(({ code }) => code)].join(" ");
}

/** `F2 28.00 / 0.00 / 28.00 USD [0: 28.00 / 0.00]` of every document, oldest first. */
export function documentsIn({ invoices }: OrderView): string[] {
  return invoices.map(documentText);
}

function documentText({ invoiceType, currency, totals, groups }: OrderInvoice): string {
  const text = (amount: OrderInvoice["totals"]["total"]) => toFixed(amount, 2);
  const rates = groups.map(({ rate, amounts }) => `${rate}: ${text(amounts.base)} / ${text(amounts.tax)}`);
  const sums = [totals.base, totals.tax, totals.total].map(text).join(" / ");
  return `${invoiceType} ${sums} ${currency} [${rates.join(", ")}]`;
}

export function factsOf({ reasons }: OrderView, code: string): Facts | undefined {
  return reasons.find((reason) => reason.code === code)?.facts;
}

/** The same order without its events, and with the first ones only. */
export function withEvents(order: SentOrder, count: number): SentOrder {
  return { ...order, events: order.events.slice(0, count) };
}
