/**
 * Every route of the public API and of customers' pages with a valid request. A new route needs a row, or
 * the test of isolation fails.
 */
import { invoiceCursor, orderCursor } from "../../../src/api/wire/lists.ts";
import { A_SENT_COMPANY, aSentOrder, aSentRefund } from "../worlds/order-calls.ts";

/** The ids in a request: of one tenant, or of none. */
export interface ApiIds {
  readonly externalId: string;
  /** Our own id of that invoice. */
  readonly invoiceId: string;
  readonly idExternal: string;
  readonly connectionId: string;
  /** Of a reported client, store and status. */
  readonly told: string;
}

export interface ApiRequest {
  readonly path: string;
  readonly body?: object;
}

export interface ApiRoute {
  readonly request: (ids: ApiIds) => ApiRequest;
  /**
   * The answer to another's ids: the same as to missing ones. Ids that callers choose are free for each of
   * them: then it is the answer to a new one.
   */
  readonly foreign: string;
  /** It answers things of one's own, whatever is asked. */
  readonly lists?: true;
}

const LINE = { line_id: "l1", description: "Silla", quantity: 1, price_unit: 100, tax_rate: 21 };
const INVOICE = {
  ...{
    invoice_type: "F1",
    description: "Muebles",
    currency: "EUR",
    recipient: A_SENT_COMPANY,
    lines: [LINE],
  },
};

function rectifying(externalId: string): object {
  return {
    ...{ ...INVOICE, external_id: "rectifica", invoice_type: "R1", rectification_method: "difference" },
    ...{ rectifies: [{ external_id: externalId }], lines: [{ ...LINE, quantity: -1 }] },
  };
}

const enc = encodeURIComponent;

/** A cursor as a list gives it to that connection. */
function aCursor(list: "invoices" | "orders", connectionId: string): string {
  if (list === "invoices") return invoiceCursor({ connectionId, place: { chain: 1, before: 100 } });
  return orderCursor({ connectionId, place: { changedAt: 9e12, idExternal: "z" } });
}

/** With a key. Further requests of a route have names of their own. */
export const KEYED_ROUTES: Readonly<Record<string, readonly ApiRoute[]>> = {
  "POST /api/v1/invoice": [
    {
      foreign: "201",
      request: ({ externalId }) => ({
        path: "/api/v1/invoice",
        body: { ...INVOICE, external_id: externalId },
      }),
    },
    {
      foreign: "422 rectified_invoice_unknown",
      request: ({ externalId }) => ({ path: "/api/v1/invoice", body: rectifying(externalId) }),
    },
    {
      foreign: "200",
      request: ({ externalId }) => ({
        path: "/api/v1/invoice?preview=true",
        body: { ...INVOICE, external_id: externalId },
      }),
    },
    {
      foreign: "422 rectified_invoice_unknown",
      request: ({ externalId }) => ({
        path: "/api/v1/invoice?preview=true",
        body: rectifying(externalId),
      }),
    },
  ],
  "GET /api/v1/invoice/{external_id}": [
    {
      foreign: "404 invoice_not_found",
      request: ({ externalId }) => ({ path: `/api/v1/invoice/${enc(externalId)}?include=xml` }),
    },
  ],
  "GET /api/v1/invoices": [
    { foreign: "200", lists: true, request: () => ({ path: "/api/v1/invoices?limit=100" }) },
    {
      foreign: "422 validation_failed",
      request: ({ connectionId }) => ({
        path: `/api/v1/invoices?cursor=${aCursor("invoices", connectionId)}`,
      }),
    },
  ],
  "GET /api/v1/orders": [
    { foreign: "200", lists: true, request: () => ({ path: "/api/v1/orders?limit=100" }) },
    {
      foreign: "422 validation_failed",
      request: ({ connectionId }) => ({ path: `/api/v1/orders?cursor=${aCursor("orders", connectionId)}` }),
    },
  ],
  ...Object.fromEntries(
    ["", "/pdf", "/ubl", "/facturae", "/record.xml"].map((file): [string, readonly ApiRoute[]] => [
      `GET /api/v1/invoices/{invoice_id}${file}`,
      [
        {
          foreign: "404 invoice_not_found",
          request: ({ invoiceId }) => ({ path: `/api/v1/invoices/${invoiceId}${file}` }),
        },
      ],
    ]),
  ),
  "POST /api/v1/invoices/{invoice_id}/email": [
    {
      foreign: "404 invoice_not_found",
      request: ({ invoiceId }) => ({
        path: `/api/v1/invoices/${invoiceId}/email`,
        body: { to: "compras@cliente.example" },
      }),
    },
  ],
  "POST /api/v1/invoice/{external_id}/cancellation": [
    {
      foreign: "404 invoice_not_found",
      request: ({ externalId }) => ({
        path: `/api/v1/invoice/${enc(externalId)}/cancellation`,
        body: { reason: "No hubo venta" },
      }),
    },
  ],
  "POST /api/v1/order": [
    {
      foreign: "200",
      request: ({ idExternal }) => ({
        path: "/api/v1/order?preview=true",
        body: aSentOrder(idExternal, { correction_events: [aSentRefund("r1", 10, 2.1, 21)] }),
      }),
    },
    {
      foreign: "201",
      request: ({ idExternal }) => ({ path: "/api/v1/order", body: aSentOrder(idExternal) }),
    },
  ],
  "GET /api/v1/order/{id_external}": [
    {
      foreign: "404 order_not_found",
      request: ({ idExternal }) => ({ path: `/api/v1/order/${enc(idExternal)}` }),
    },
  ],
  "POST /api/v1/order/{id_external}/events": [
    {
      foreign: "404 order_not_found",
      request: ({ idExternal }) => ({
        path: `/api/v1/order/${enc(idExternal)}/events`,
        body: { correction_events: [aSentRefund("r1", 10, 2.1, 21)] },
      }),
    },
    {
      foreign: "404 order_not_found",
      request: ({ idExternal }) => ({
        path: `/api/v1/order/${enc(idExternal)}/events?preview=true`,
        body: { correction_events: [aSentRefund("r1", 10, 2.1, 21)] },
      }),
    },
  ],
  "POST /api/v1/order/invoice-availability": [
    {
      foreign: "200",
      request: ({ idExternal }) => ({
        path: "/api/v1/order/invoice-availability",
        body: { order_ids: [idExternal] },
      }),
    },
  ],
  "POST /api/v1/order/invoice-access": [
    {
      foreign: "404 order_not_found",
      request: ({ idExternal }) => ({
        path: "/api/v1/order/invoice-access",
        body: { order_id: idExternal, presentation: "link" },
      }),
    },
  ],
  "POST /v1/inventory": [
    { foreign: "200", request: ({ told }) => ({ path: "/v1/inventory", body: { stores: [{ id: told }] } }) },
  ],
  "GET /api/v1/module-version": [
    { foreign: "200", request: ({ told }) => ({ path: `/api/v1/module-version?platform=${enc(told)}` }) },
  ],
  "POST /api/v1/client": [
    { foreign: "200", request: ({ told }) => ({ path: "/api/v1/client", body: { id_external: told } }) },
  ],
  "POST /api/v1/status": [
    {
      foreign: "200",
      request: ({ told }) => ({
        path: "/api/v1/status",
        body: { statuses: [{ id_external: told, name: "Pagado" }] },
      }),
    },
  ],
};

/** Public, and the same for everyone. */
export const OPEN_ROUTES: Readonly<Record<string, string>> = {
  "GET /health": "/health",
  "GET /openapi.json": "/openapi.json",
  "GET /docs": "/docs",
  "GET /declaracion-responsable": "/declaracion-responsable",
  "GET /brand/{account}/{file}": `/brand/ac0000000000000000/${"0".repeat(64)}.png`,
  "GET /accent/{file}": "/accent/7a4a00.css",
  "GET /": "/",
};

/** The address and the signature decide: a key plays no part. */
export const SHOP_ROUTES: Readonly<Record<string, string>> = {
  "POST /v1/shops/{platform}/{address}": "/v1/shops/woocommerce/sa_nobody",
};

/** Customers' pages: the token decides what is shown. */
export const VIEWER_ROUTES: Readonly<Record<string, (token: string, number: string) => string>> = {
  "GET /v/{token}": (token) => `/v/${token}`,
  "GET /v/{token}/{file}": (token, number) => `/v/${token}/${number}.pdf`,
  "GET /v/*": (token, number) => `/v/${token}/${number}.pdf/x`,
};
