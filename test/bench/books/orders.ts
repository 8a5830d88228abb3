/** Bodies of `POST /api/v1/order`, as a shop sends them. */
import type { Chance } from "./chance.ts";
import { type Body, BUYERS } from "./invoices.ts";
import { buyerOf } from "./people.ts";

const GOODS = [
  { name: "Café en grano, 1 kg", base_amount: 37, tax_rate: 10, tax_amount: 3.7, quantity: 2 },
  { name: "Molinillo manual", base_amount: 41.32, tax_rate: 21, tax_amount: 8.68, quantity: 1 },
  { name: "Taza de cerámica", base_amount: 14.88, tax_rate: 21, tax_amount: 3.12, quantity: 2 },
] as const;
const SHIPPING = {
  ...{ name: "Envío", base_amount: 4.13, tax_rate: 21, tax_amount: 0.87, quantity: 1 },
  line_kind: "shipping",
};

export function orderBodyOf(idExternal: string, orderedAt: number, chance: Chance, change: Body = {}): Body {
  const goods = [chance.pick(GOODS), chance.pick(GOODS), SHIPPING];
  const cents = goods.reduce((sum, line) => sum + Math.round((line.base_amount + line.tax_amount) * 100), 0);
  return {
    id_external: idExternal,
    reference: `WEB-${idExternal}`,
    order_date: new Date(orderedAt).toISOString(),
    total: cents / 100,
    currency: "EUR",
    fiscal_event: "invoice_candidate",
    contract_version: "1.8",
    shop: { id: String(1 + chance.below(2)) },
    client: clientOf(chance),
    breakdown: goods,
    ...change,
  };
}

/** A charge without a declaration: the order waits for its owner. */
export function withUnknownCharge(body: Body): Body {
  const value = 3;
  const total = Math.round((Number(body.total) + value) * 100) / 100;
  return { ...body, total, unmapped_totals: [{ code: "cod_fee", title: "Contra reembolso", value }] };
}

function clientOf(chance: Chance): Body {
  const { isCompany, ...buyer } = buyerOf(chance, BUYERS);
  if (!isCompany) return { first_name: buyer.firstName, last_name: buyer.lastName, country: "ES" };
  return {
    company: buyer.name,
    vat_number: buyer.taxNumber,
    country: "ES",
    address1: buyer.address,
    postcode: buyer.postcode,
    city: buyer.city,
  };
}
