/** Every route of the public API, warm and where it matters cold. */

import { chanceOf } from "../books/chance.ts";
import { type Body, rectificationBody, saleBody } from "../books/invoices.ts";
import { orderBodyOf, withUnknownCharge } from "../books/orders.ts";
import { api, type Call, forget, succeed, type Turn } from "./call.ts";

const invoice = (turn: Turn, change: Body = {}) => ({
  ...saleBody(turn.n, chanceOf(turn.index + 1)),
  ...change,
});
const order = (turn: Turn, change: Body = {}) =>
  orderBodyOf(turn.n, turn.at - 3_600_000, chanceOf(turn.index + 1), change);
const held = (turn: Turn) => withUnknownCharge(order(turn));
const issue = (turn: Turn, body: object) => api(turn, "POST", "/api/v1/invoice", body);
const send = (turn: Turn, body: object) => api(turn, "POST", "/api/v1/order", body);
const first = (turn: Turn, body: object) => succeed(turn.ask(issue(turn, body)));
const access = (turn: Turn) => ({ order_id: turn.facts.invoiced.id, presentation: "link" });

export const INVOICE_CALLS: readonly Call[] = [
  { name: "issue", ask: (turn) => issue(turn, invoice(turn)), status: 201 },
  { name: "issue, cold", before: forget, ask: (turn) => issue(turn, invoice(turn)), status: 201 },
  {
    name: "issue, replay",
    before: (turn) => first(turn, invoice(turn)),
    ask: (turn) => issue(turn, invoice(turn)),
    status: 200,
  },
  {
    name: "issue, replay of an old one, cold",
    before: forget,
    ask: (turn) => issue(turn, invoice(turn, { external_id: turn.facts.externalId })),
    status: 409,
  },
  {
    name: "rectify",
    before: (turn) => first(turn, invoice(turn)),
    ask: (turn) => issue(turn, rectificationBody(`${turn.n}-r`, invoice(turn))),
    status: 201,
  },
  {
    name: "refusal",
    ask: (turn) =>
      issue(turn, {
        ...invoice(turn),
        lines: [{ description: "x", quantity: 1, price_unit: 1, tax_rate: 33 }],
      }),
    status: 422,
  },
  {
    name: "cancel",
    before: (turn) => first(turn, invoice(turn)),
    ask: (turn) => api(turn, "POST", `/api/v1/invoice/${turn.n}/cancellation`, { reason: "Error" }),
    status: 201,
  },
  {
    name: "get an old invoice",
    ask: (turn) => api(turn, "GET", `/api/v1/invoice/${turn.facts.externalId}`),
    status: 200,
  },
  {
    name: "get an old invoice, cold",
    before: forget,
    ask: (turn) => api(turn, "GET", `/api/v1/invoice/${turn.facts.externalId}`),
    status: 200,
  },
  { name: "get an unknown invoice", ask: (turn) => api(turn, "GET", "/api/v1/invoice/none"), status: 404 },
  {
    name: "issue, neighbour in the same ledger",
    ask: (turn) => ({ ...issue(turn, invoice(turn)), key: turn.state.neighbour.key }),
    status: 201,
  },
];

export const ORDER_CALLS: readonly Call[] = [
  { name: "order", ask: (turn) => send(turn, order(turn)), status: 201 },
  { name: "order, cold", before: forget, ask: (turn) => send(turn, order(turn)), status: 201 },
  {
    name: "order, sent again",
    before: (turn) => succeed(turn.ask(send(turn, order(turn)))),
    ask: (turn) => send(turn, order(turn)),
    status: 200,
  },
  {
    name: "order, refund",
    before: (turn) => succeed(turn.ask(send(turn, order(turn)))),
    ask: (turn) => send(turn, order(turn, { correction_events: [REFUND] })),
    status: 200,
  },
  { name: "order that is held", ask: (turn) => send(turn, held(turn)), status: 201 },
  {
    name: "order, preview",
    ask: (turn) => api(turn, "POST", "/api/v1/order?preview=true", order(turn)),
    status: 200,
  },
  {
    name: "order that waits for consent",
    ask: (turn) => ({ ...send(turn, order(turn)), key: turn.state.waiting.key }),
    status: 201,
  },
  {
    name: "get an old order",
    ask: (turn) => api(turn, "GET", `/api/v1/order/${turn.facts.invoiced.id}`),
    status: 200,
  },
  {
    name: "availability of 50",
    ask: (turn) =>
      api(turn, "POST", "/api/v1/order/invoice-availability", {
        order_ids: Array.from({ length: 50 }, (_, index) => `W-${index * 2}`),
      }),
    status: 200,
  },
  {
    name: "access",
    ask: (turn) => api(turn, "POST", "/api/v1/order/invoice-access", access(turn)),
    status: 200,
  },
  {
    name: "access, cold",
    before: forget,
    ask: (turn) => api(turn, "POST", "/api/v1/order/invoice-access", access(turn)),
    status: 200,
  },
  { name: "viewer page", ask: async (turn) => look(await viewerPath(turn)), status: 200 },
  {
    name: "viewer page, cold",
    ask: async (turn) => {
      const path = await viewerPath(turn);
      await forget(turn);
      return look(path);
    },
    status: 200,
  },
  {
    name: "viewer PDF",
    ask: async (turn) => {
      const { text } = await succeed(turn.ask(look(await viewerPath(turn))));
      const [, pdf = ""] = /href="(\/v\/[^"]+\.pdf)"/.exec(text) ?? [];
      return look(pdf);
    },
    status: 200,
  },
  { name: "viewer, token that is none", ask: () => look("/v/none"), status: 404 },
];

export const SHOP_CALLS: readonly Call[] = [
  {
    name: "inventory",
    ask: (turn) =>
      api(turn, "POST", "/v1/inventory", { stores: [{ id: "1", name: "Una" }], orders_total: 9 }),
    status: 200,
  },
  { name: "module version", ask: (turn) => api(turn, "GET", "/api/v1/module-version"), status: 200 },
  {
    name: "client",
    ask: (turn) => api(turn, "POST", "/api/v1/client", { id_external: turn.n, company: "Una SL" }),
    status: 200,
  },
  {
    name: "statuses",
    ask: (turn) => api(turn, "POST", "/api/v1/status", { statuses: [{ id_external: "2", name: "Pagado" }] }),
    status: 200,
  },
  { name: "health", ask: () => look("/health"), status: 200 },
  { name: "openapi.json", ask: () => look("/openapi.json"), status: 200 },
  { name: "docs", ask: () => look("/docs"), status: 200 },
  { name: "declaración responsable", ask: () => look("/declaracion-responsable"), status: 200 },
  {
    name: "alarm after one invoice: entry, message to the authority, webhooks",
    before: (turn) => first(turn, invoice(turn)),
    ask: (turn) => ({ method: "POST", path: `/bench/alarm/${turn.state.busy.id}` }),
    status: 200,
  },
  {
    name: "alarm after 64 invoices",
    before: (turn) =>
      Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          first(turn, invoice(turn, { external_id: `${turn.n}-${index}` })),
        ),
      ),
    ask: (turn) => ({ method: "POST", path: `/bench/alarm/${turn.state.busy.id}` }),
    status: 200,
    most: 10,
  },
  {
    name: "alarm after 64 invoices of a connection without webhooks",
    before: (turn) =>
      Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          succeed(
            turn.ask({
              ...issue(turn, invoice(turn, { external_id: `${turn.n}-${index}` })),
              key: turn.state.neighbour.key,
            }),
          ),
        ),
      ),
    ask: (turn) => ({ method: "POST", path: `/bench/alarm/${turn.state.neighbour.id}` }),
    status: 200,
    most: 10,
  },
  {
    name: "cron, the sweep of all ledgers",
    ask: () => ({ method: "POST", path: "/bench/sweep" }),
    status: 200,
  },
  {
    name: "alarm with nothing to do",
    ask: (turn) => ({ method: "POST", path: `/bench/alarm/${turn.state.busy.id}` }),
    status: 200,
  },
];

const REFUND = {
  id_external_event: "R-1",
  event_type: "refund",
  lines: [{ base_delta: -4.13, tax_rate: 21, tax_delta: -0.87 }],
};

/** A call without key and session. */
function look(path: string) {
  return { method: "GET", path, key: "" } as const;
}

async function viewerPath(turn: Turn): Promise<string> {
  const opened = await succeed(turn.ask(api(turn, "POST", "/api/v1/order/invoice-access", access(turn))));
  return new URL(JSON.parse(opened.text).data.viewer_url).pathname;
}
