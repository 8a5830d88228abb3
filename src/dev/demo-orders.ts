/** Orders of the demo shops, sent through the real API: some of every kind that an owner sees. */
import { SetupError } from "../ops/setup.mjs";

export type DemoOrder = Readonly<Record<string, unknown>> & { readonly id_external: string };

export const DEMO_ORDER_ID = "W-1001";

const DAY_MS = 86_400_000;

interface Line {
  readonly name: string;
  readonly base_amount: number;
  readonly tax_rate: number;
  readonly tax_amount: number;
  readonly quantity?: number;
  readonly line_kind?: string;
}

const COFFEE: Line = {
  name: "Café en grano, 1 kg",
  quantity: 2,
  base_amount: 37,
  tax_rate: 10,
  tax_amount: 3.7,
};
const GRINDER: Line = { name: "Molinillo manual", base_amount: 41.32, tax_rate: 21, tax_amount: 8.68 };
const SHIPPING: Line = {
  name: "Envío",
  base_amount: 4.13,
  tax_rate: 21,
  tax_amount: 0.87,
  line_kind: "shipping",
};
const MACHINE: Line = {
  name: "Cafetera exprés de dos grupos",
  base_amount: 660,
  tax_rate: 21,
  tax_amount: 138.6,
};

const LUCIA = { id_external: "c-1", first_name: "Lucía", last_name: "Ferrer Gil", country: "ES" };
const COMPANY = {
  id_external: "c-2",
  company: "Hostelería del Tormes SL",
  vat_number: "B12345674",
  country: "ES",
  address1: "Paseo de la Estación 12",
  postcode: "37004",
  city: "Salamanca",
};

/** Orders of the shop without profiles and without declarations. */
export function commerceOrders(now: number): readonly DemoOrder[] {
  const order = ordersOn(now);
  return [
    order(DEMO_ORDER_ID, 0, [COFFEE, SHIPPING]),
    order("W-1002", 2, [COFFEE, GRINDER], { client: COMPANY }),
    order("W-1003", 5, [COFFEE, GRINDER]),
    order("W-1004", 6, [GRINDER]),
    order("W-1005", 1, [COFFEE, SHIPPING], {
      total: 48.7,
      unmapped_totals: [{ code: "cod_fee", title: "Recargo por contra reembolso", value: 3 }],
    }),
    order("W-1006", 1, [COFFEE, GRINDER], { total: 50 }),
    order("W-1007", 3, [MACHINE]),
    order("W-1008", 2, [COFFEE], {
      client: { first_name: "Camille", last_name: "Laurent", country: "FR" },
      delivery: { country: "FR", postcode: "75011" },
    }),
    order("W-1009", 2, [COFFEE], { delivery: { country: "ES", postcode: "35001" } }),
    order("W-1010", 1, [COFFEE], { currency: "USD" }),
    order("W-1011", 400, [COFFEE, SHIPPING]),
    order("W-1012", 0, [GRINDER], { fiscal_event: "none", status: "pending" }),
    order("W-1013", 4, [COFFEE], { fiscal_event: "cancelled" }),
    order("W-1014", 1, [GRINDER], { client: { ...COMPANY, vat_number: "B12345678" } }),
    order("W-1015", 1, [COFFEE], {
      total: 35.7,
      discounts: [{ name: "Bono amigo", amount: 5, kind: "unknown" }],
    }),
    order("W-1016", 3, [COFFEE, SHIPPING], {
      total: 40.7,
      discounts: [{ code: "OTOÑO5", name: "Cupón de otoño", amount: 5, kind: "promotional" }],
    }),
    order("W-1017", 2, [COFFEE], {
      total: 0,
      discounts: [{ name: "Muestra de cortesía", amount: 40.7, kind: "promotional" }],
    }),
    order("W-1018", 7, [COFFEE]),
  ];
}

/** Later reports of the shop about orders that were already invoiced. */
export function commerceUpdates(now: number): readonly DemoOrder[] {
  const order = ordersOn(now);
  return [
    order("W-1003", 5, [COFFEE, GRINDER], { correction_events: [refund("R-31", GRINDER)] }),
    order("W-1004", 6, [GRINDER], { correction_events: [refund("R-41", GRINDER)] }),
    order("W-1018", 7, [COFFEE], {
      correction_events: [{ id_external_event: "R-81", event_type: "refund", amount: -60, lines: [] }],
    }),
  ];
}

/** Orders of the account with a profile for each of its stores. */
export function profiledOrders(now: number): readonly DemoOrder[] {
  const order = ordersOn(now);
  const inStore = (id: string) => ({ shop: { id } });
  return [
    order("P-501", 1, [GRINDER], {
      ...inStore("1"),
      total: 52.42,
      unmapped_totals: [{ code: "cod_fee", title: "Contra reembolso", value: 2.42 }],
    }),
    order("P-502", 1, [COFFEE], inStore("2")),
    order("P-503", 2, [MACHINE], {
      ...inStore("1"),
      client: COMPANY,
      total: 828.6,
      unmapped_totals: [
        { code: "deposit_guarantee", title: "Fianza", value: 50 },
        { code: "giftcard", title: "Tarjeta regalo", value: -20 },
      ],
    }),
    order("P-504", 0, [GRINDER], inStore("3")),
  ];
}

/** Orders of a connection without its owner's consent: they wait. */
export function waitingOrders(now: number): readonly DemoOrder[] {
  const order = ordersOn(now);
  return [order("E-1", 3, [COFFEE]), order("E-2", 1, [GRINDER], { client: COMPANY })];
}

/** Sends the orders one after the other. A repeat changes nothing, so an interrupted start can continue. */
export async function sendOrders(apiUrl: string, key: string, orders: readonly DemoOrder[]): Promise<void> {
  for (const order of orders) {
    const response = await fetch(`${apiUrl}/api/v1/order`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-KEY": key },
      body: JSON.stringify(order),
    });
    if (response.ok) continue;
    const answer = `${response.status} ${await response.text()}`;
    throw new SetupError(`The demo order ${order.id_external} was not taken: ${answer}`);
  }
}

/** One of many: a small purchase of today in that store. */
export function plainOrder(id: string, storeId: string, now: number): DemoOrder {
  return ordersOn(now)(id, 0, [COFFEE], { shop: { id: storeId } });
}

type Change = Readonly<Record<string, unknown>>;

/** Orders of some days ago, at noon of the server's clock; without a given total, the lines are added up. */
function ordersOn(now: number) {
  return (id: string, daysAgo: number, lines: readonly Line[], change: Change = {}): DemoOrder => {
    const day = new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10);
    const cents = lines.reduce(
      (sum, line) => sum + Math.round(100 * line.base_amount) + Math.round(100 * line.tax_amount),
      0,
    );
    return {
      id_external: id,
      reference: id,
      order_date: `${day} 00:10:00`,
      total: cents / 100,
      currency: "EUR",
      source_platform: "woocommerce",
      fiscal_event: "invoice_candidate",
      contract_version: "1.8",
      client: LUCIA,
      breakdown: lines.map((line, index) => ({ line_id: String(index + 1), quantity: 1, ...line })),
      ...change,
    };
  };
}

function refund(id: string, { name, base_amount: base, tax_rate, tax_amount: tax }: Line): Change {
  return {
    id_external_event: id,
    event_type: "refund",
    lines: [{ name, quantity_delta: -1, base_delta: -base, tax_rate, tax_delta: -tax }],
  };
}
