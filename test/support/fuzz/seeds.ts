/** Requests that make sense, to be varied and broken: random values alone would all be refused at one rule. */
import minimal from "../../golden/orders/1.0.json";
import withRefunds from "../../golden/orders/1.2.json";
import withEvents from "../../golden/orders/1.3.json";
import withTags from "../../golden/orders/1.4.json";
import withTotals from "../../golden/orders/1.5.json";
import withKinds from "../../golden/orders/1.8.json";
import withTaxTotals from "../../golden/orders/1.9.json";
import { A_SENT_COMPANY, aSentLine, aSentOrder, aSentRefund } from "../worlds/order-calls.ts";

const RECIPIENT = A_SENT_COMPANY;
const LINE = { line_id: "l1", description: "Silla", quantity: 2, price_unit: 49.95, tax_rate: 21 };
/** Replaces an id of an earlier answer. */
export const KNOWN = "(known)";
/** Replaces the id of an order with an invoice taken back whole. */
export const TAKEN_BACK = "(taken back)";

export const INVOICE = {
  external_id: "(fresh)",
  invoice_type: "F1",
  description: "Muebles",
  currency: "EUR",
  recipient: RECIPIENT,
  lines: [LINE, { ...LINE, line_id: "l2", tax_rate: 10, quantity: 1, discount_rate: 5 }],
};
const { recipient: _, ...WITHOUT_RECIPIENT } = INVOICE;
const TICKET = { ...WITHOUT_RECIPIENT, invoice_type: "F2", prices_include_tax: true };

const TRADE = {
  due_date: "2099-12-31",
  payment: { means: "transfer", iban: "ES91 2100 0418 4502 0005 1332", bic: "CAIXESBB", reference: "RF18" },
  ...{ buyer_reference: "B", order_reference: "O", contract_reference: "C", file_reference: "F" },
  invoicing_period: { start: "2026-11-01", end: "2026-11-30" },
};
const PUBLIC_BODY = {
  ...{ email: "ana@example.com", accepts_electronic: true, endpoint: { scheme: "9920", id: "ESB12345674" } },
  province: "Madrid",
  administrative_centres: [{ role: "managing_body", code: "L01280796" }],
};

const INVOICES = [
  INVOICE,
  TICKET,
  { ...INVOICE, lines: [{ ...LINE, equivalence_surcharge_rate: 5.2 }], withholding: { rate: 15 } },
  { ...TICKET, lines: [{ ...LINE, regime: "03", taxable_margin: 20.5 }] },
  {
    ...INVOICE,
    prices_include_tax: true,
    lines: [
      { ...LINE, regime: "05", taxable_margin: 0 },
      { ...LINE, line_id: "l2" },
    ],
  },
  { ...INVOICE, disbursements: [{ description: "Tasa", amount: 100 }] },
  {
    ...{ ...INVOICE, ...TRADE, payment: { ...TRADE.payment, paid_on: "2026-01-02" } },
    recipient: { ...RECIPIENT, ...PUBLIC_BODY },
    delivery: { date: "2026-11-27", country: "ES", address1: "Calle 1", postcode: "28001", city: "Madrid" },
    lines: [{ ...LINE, unit: "HUR", item_code: "SKU-1" }],
  },
  { ...INVOICE, currency: "USD", exchange_rate: 1.0842, exchange_rate_date: "2026-11-26" },
  { ...INVOICE, recipient: { company: "Kunde GmbH", vat_number: "DE123456789", country: "DE" } },
  { ...INVOICE, lines: [{ ...LINE, tax_rate: 0, qualification: "E1" }] },
  {
    ...INVOICE,
    invoice_type: "R1",
    rectification_method: "difference",
    rectifies: [{ external_id: KNOWN }],
    lines: [{ ...LINE, quantity: -1 }],
  },
  {
    ...INVOICE,
    invoice_type: "R4",
    rectification_method: "substitution",
    rectifies: [{ external_id: KNOWN }],
  },
  {
    ...INVOICE,
    invoice_type: "R4",
    rectification_method: "difference",
    rectified_period: { from: "2026-01-01", to: "2026-06-30" },
    lines: [{ ...LINE, quantity: -1 }],
  },
  { ...INVOICE, invoice_type: "F3", rectifies: [{ external_id: KNOWN }] },
  {
    ...TICKET,
    invoice_type: "R5",
    rectification_method: "difference",
    rectifies: [
      {
        number: "VIEJA/7",
        issue_date: "2026-03-01",
        invoice_type: "F2",
        base: 100,
        tax: 21,
        surcharge: null,
      },
    ],
    lines: [{ ...LINE, quantity: -1, price_unit: 10 }],
  },
  {
    ...TICKET,
    lines: [{ ...LINE, quantity: 10 }],
    simplified_attestation: {
      legal_basis: "article_4_2",
      buyer_role: "consumer",
      operation: "retail_sale",
      line_ids: ["l1"],
    },
  },
];

const ORDERS = [
  ...[minimal, withRefunds, withEvents, withTags, withTotals, withKinds, withTaxTotals].map(
    ({ payload }) => payload,
  ),
  aSentOrder("(fresh)"),
  aSentOrder("(fresh)", { client: A_SENT_COMPANY, fiscal_event: "full_invoice_requested" }),
  aSentOrder("(fresh)", { total: 60.5, correction_events: [aSentRefund("r1", 50, 10.5, 21)] }),
  aSentOrder(KNOWN, { correction_events: [aSentRefund("r2", 50, 10.5, 21)] }),
  aSentOrder(KNOWN, { fiscal_event: "cancelled" }),
  aSentOrder(KNOWN, { fiscal_event: "cancelled", client: A_SENT_COMPANY }),
  aSentOrder(KNOWN, { fiscal_event: "cancelled", status: "gone" }),
  aSentOrder(TAKEN_BACK, { status: "back" }),
  aSentOrder(TAKEN_BACK, { total: 71.5, breakdown: [aSentLine(50, 10.5, 21), aSentLine(10, 1, 10)] }),
  aSentOrder(TAKEN_BACK, { client: A_SENT_COMPANY, fiscal_event: "full_invoice_requested" }),
  aSentOrder("(fresh)", { total: 110, discounts: [{ code: "V", amount: 11, kind: "promotional" }] }),
  aSentOrder("(fresh)", { total: 124, unmapped_totals: [{ code: "cod_fee", title: "Reembolso", value: 3 }] }),
  aSentOrder("(fresh)", { breakdown: [aSentLine(60, 12.6, 21), aSentLine(44, 4.4, 10)] }),
  aSentOrder("(fresh)", { ...TRADE, client: { ...A_SENT_COMPANY, ...PUBLIC_BODY } }),
  aSentOrder("(fresh)", { amount_paid: 60.5, missing: [{ what: "tax_rate", where: "l1" }] }),
  aSentOrder("(fresh)", { missing: [{ what: "discounts", stated: 20, computed: "0.00" }], test: true }),
];

const EVENTS = [
  { correction_events: [aSentRefund("r1", 50, 10.5, 21)], contract_version: "1.9" },
  { refunds: [{ id_external: "7", amount: 12.1 }], updated_at: "2026-11-28T10:00:00+01:00" },
];

const ACCESS = [
  { order_id: KNOWN, presentation: "link" },
  { order_id: KNOWN, presentation: "embed", origin: "https://tienda.example" },
];

/** By the path of their operation, next to the document's own example. */
export const SEEDS: Readonly<Record<string, readonly unknown[]>> = {
  "/api/v1/invoice": INVOICES,
  "/api/v1/order": ORDERS,
  "/api/v1/order/{id_external}/events": EVENTS,
  "/api/v1/order/invoice-access": ACCESS,
  "/api/v1/order/invoice-availability": [{ order_ids: [KNOWN, "none", KNOWN] }],
};
