import { civilDate } from "../../domain/shared/civil-date.ts";
import { add, type Decimal, decimal, ZERO } from "../../domain/shared/decimal.ts";
import { money } from "../../domain/shared/fact.ts";
import type { OrderInvoice, OrderView } from "../../ledger/orders/order-outcomes.ts";
import type { AnswerExample } from "../endpoint.ts";
import { listedOrderMembers, orderMembers } from "./order-response.ts";

/** An order of a shop with a coupon; its discount is spread over the goods. */
export const ORDER_EXAMPLE = {
  id_external: "5001",
  reference: "XKBKNABJK",
  order_date: "2026-11-27 10:30:00",
  paid_at: "2026-11-27T10:31:12+01:00",
  total: 49,
  total_tax: 8.5,
  currency: "EUR",
  id_order_status: "2",
  source_platform: "prestashop",
  fiscal_event: "invoice_candidate",
  client: { id_external: "88", first_name: "Lucía", last_name: "Pérez", country: "ES", postcode: "08001" },
  breakdown: [
    {
      line_id: "l1",
      id_external_product: "SKU-1",
      name: "Camiseta",
      quantity: 2,
      base_amount: 40,
      tax_rate: 21,
      tax_amount: 8.4,
    },
    { line_id: "l2", name: "Envío", line_kind: "shipping", base_amount: 5, tax_rate: 21, tax_amount: 1.05 },
  ],
  discounts: [{ code: "BIENVENIDA", name: "Cupón de bienvenida", amount: 5.45, kind: "promotional" }],
  source_channel: "web",
  shop: { id: "1" },
  tags: ["regalo"],
  contract_version: "1.8",
};

/** One of the two pieces goes back. */
export const ORDER_EVENTS_EXAMPLE = {
  correction_events: [
    {
      id_external_event: "r-17",
      event_type: "refund",
      occurred_at: "2026-11-28T09:00:00+01:00",
      reason: "Talla equivocada",
      amount: -24.2,
      lines: [{ line_id: "l1", quantity_delta: -1, base_delta: -20, tax_rate: 21, tax_delta: -4.2 }],
    },
  ],
  contract_version: "1.9",
};

const TODAY = civilDate("2026-11-27");

const SALE: OrderInvoice = {
  ...invoiceOf({ base: decimal("40.5"), tax: decimal("8.5") }),
  kind: "invoice",
  invoiceType: "F2",
  series: "PED-1S-2026",
  issued: {
    invoiceId: "in000000000000000042",
    number: 42,
    fullNumber: "PED-1S-2026-000042",
    state: "pending_submission",
  },
};

const REFUND: OrderInvoice = {
  ...invoiceOf({ base: decimal("-20"), tax: decimal("-4.2") }),
  kind: "rectification",
  invoiceType: "R5",
  series: "PED-1RS-2026",
  issued: {
    invoiceId: "in000000000000000043",
    number: 3,
    fullNumber: "PED-1RS-2026-000003",
    state: "pending_submission",
  },
};

const COD_FEE = { title: "Contra reembolso", value: money(decimal("3"), "EUR"), code: "cod_fee" };

export function createdExamples(): Readonly<Record<string, AnswerExample>> {
  return {
    invoiced: example("Invoiced at once", { state: "invoiced", invoices: [SALE] }),
    held: example("Held: its total has an amount that the owner has not declared", {
      state: "held",
      reasons: [{ code: "untreated_total", facts: COD_FEE }],
    }),
    deferred: example("Deferred: the owner has not consented yet", {
      state: "deferred",
      reasons: [{ code: "deferred", facts: { connection: "Tienda" } }],
    }),
  };
}

export function knownExamples(): Readonly<Record<string, AnswerExample>> {
  const { issued: _, ...sale } = SALE;
  const preview = orderMembers(viewOf({ state: "invoiced", invoices: [sale] }), "en");
  return {
    partially_rectified: example("Sent again with a refund of one piece", {
      state: "partially_rectified",
      invoices: [SALE, REFUND],
    }),
    preview: {
      summary: "A preview: what would be issued has no number yet",
      data: { ...preview, preview: true },
    },
  };
}

export function readExamples(): Readonly<Record<string, AnswerExample>> {
  const facts = {
    status: "Cancelado",
    number: "PED-1S-2026-000042",
    remaining: money(decimal("49"), "EUR"),
  };
  return {
    invoiced: example("Invoiced", { state: "invoiced", invoices: [SALE] }),
    held: example("Held after its invoice, which stays valid", {
      state: "held",
      reasons: [{ code: "status_cancelled", facts }],
      invoices: [SALE],
    }),
  };
}

export function listExample(): Readonly<Record<string, AnswerExample>> {
  const orders = [
    viewOf({ state: "held", reasons: [{ code: "untreated_total", facts: COD_FEE }] }),
    viewOf({ idExternal: "5000", state: "partially_rectified", invoices: [SALE, REFUND] }),
  ];
  return {
    page: {
      summary: "The last page",
      data: { items: orders.map(listedOrderMembers), next_cursor: null },
    },
  };
}

function example(summary: string, change: Partial<OrderView>): AnswerExample {
  return { summary, data: orderMembers(viewOf(change), "en") };
}

function viewOf(change: Partial<OrderView>): OrderView {
  return {
    idExternal: ORDER_EXAMPLE.id_external,
    state: "stored",
    reasons: [],
    warnings: [],
    contractVersion: ORDER_EXAMPLE.contract_version,
    invoices: [],
    ...change,
  };
}

function invoiceOf({ base, tax }: { readonly base: Decimal; readonly tax: Decimal }) {
  const amounts = { base, tax, surcharge: ZERO };
  const key = { tax: "01", regime: "01", qualification: "S1", rate: decimal("21") } as const;
  return {
    issueDate: TODAY,
    currency: ORDER_EXAMPLE.currency,
    groups: [{ ...key, amounts, eur: amounts }],
    totals: { ...amounts, total: add(base, tax) },
  };
}
