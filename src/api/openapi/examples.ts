import { LATEST_CONTRACT_VERSION } from "../../domain/order/normalize-contract.ts";

/** The first invoice that a developer sends: small, and right in every respect. */
export const INVOICE_REQUEST_EXAMPLE = {
  external_id: "order-1001",
  invoice_type: "F1",
  description: "Office chairs",
  currency: "EUR",
  recipient: {
    company: "Comercial Ejemplo SL",
    vat_number: "B12345674",
    country: "ES",
    address1: "Calle Mayor 5",
    postcode: "28013",
    city: "Madrid",
  },
  lines: [
    { line_id: "l1", description: "Chair", quantity: 2, price_unit: 49.95, tax_rate: 21 },
    { line_id: "l2", description: "Delivery", quantity: 1, price_unit: 6.5, tax_rate: 21 },
  ],
};

export const CANCELLATION_EXAMPLE = { reason: "The order was a test and nothing was ever sold." };

export const INVENTORY_EXAMPLE = {
  stores: [
    { id: "1", name: "Tienda", url: "https://tienda.example", orders_count: 1240 },
    { id: "2", name: "Outlet", url: "https://outlet.example", orders_count: 87 },
  ],
  orders_total: 1327,
};

export const INVENTORY_ANSWER_EXAMPLE = {
  stores: 2,
  created: 2,
  updated: 0,
  setup_state: "pending_configuration",
};

export const CLIENT_EXAMPLE = {
  id_external: "88",
  first_name: "Lucía",
  last_name: "Pérez",
  email: "lucia@example.com",
  country: "ES",
  postcode: "08001",
};

export const STATUS_EXAMPLE = {
  statuses: [
    { id_external: "2", name: "Pago aceptado", paid: true },
    { id_external: "6", name: "Cancelado", cancelled: true },
  ],
};

export const MODULE_VERSION_ANSWER_EXAMPLE = {
  setup_state: "configured",
  sync_ready: true,
  store_ids: "1,2",
  contract_version: LATEST_CONTRACT_VERSION,
  invoicing_enabled: true,
  customer_access_enabled: true,
};
