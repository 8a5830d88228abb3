import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import type { OwnerRequest } from "../../../src/ledger/verbs/table.ts";
import worker from "../../../src/worker.ts";
import { A_SENT_COMPANY } from "../builders/sent-bodies.ts";
import type { SentBody } from "./order-calls.ts";
import { act, type Shop } from "./shop.ts";

/** Orders over HTTP to the real Worker, and what it answers in one line. */

interface ToldTax {
  readonly regime: string | null;
  readonly qualification: string;
  readonly tax_rate: number;
  readonly base: number;
  readonly tax: number;
  readonly equivalence_surcharge: number;
}

interface ToldInvoice {
  readonly invoice_id: string;
  readonly kind: string;
  readonly invoice_type: string;
  readonly series: string;
  readonly number: number | null;
  readonly full_number: string | null;
  readonly base: number;
  readonly tax: number;
  readonly surcharge: number;
  readonly total: number;
  readonly currency: string;
  readonly issue_date: string;
  readonly taxes: readonly ToldTax[];
}

interface ToldOrder {
  readonly id_external: string;
  readonly state: string;
  readonly reasons: readonly { readonly code: string; readonly message: string; readonly facts: object }[];
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly facts: object }[];
  readonly invoices: readonly ToldInvoice[];
  readonly contract_version: string;
}

export interface OrderReply {
  readonly status: number;
  readonly body: {
    readonly success: boolean;
    readonly data?: ToldOrder;
    readonly error?: string;
    readonly error_code?: string;
    readonly retryable?: boolean;
    readonly details?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  };
}

type Headers = Readonly<Record<string, string>>;

/** The Worker itself: `exports.default` becomes slower with every call of a run, and these are many. */
export async function call(
  shop: Pick<Shop, "key">,
  { method, path, body, headers }: { method: string; path: string; body?: unknown; headers?: Headers },
): Promise<OrderReply> {
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://api.example${path}`, {
    method,
    headers: { "X-API-KEY": shop.key, "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await worker.fetch(request, env, createExecutionContext());
  return { status: response.status, body: await response.json<OrderReply["body"]>() };
}

/** A text is sent as it is. */
export function postOrder(shop: Pick<Shop, "key">, body: SentBody | string, headers: Headers = {}) {
  return call(shop, { method: "POST", path: "/api/v1/order", body, headers });
}

export function previewOrder(shop: Pick<Shop, "key">, body: SentBody) {
  return call(shop, { method: "POST", path: "/api/v1/order?preview=true", body });
}

export function getOrder(shop: Pick<Shop, "key">, idExternal: string) {
  return call(shop, { method: "GET", path: `/api/v1/order/${encodeURIComponent(idExternal)}` });
}

export function orderOf({ status, body }: OrderReply): ToldOrder {
  if (!body.data) throw new Error(`no order: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** `held untreated_total`: the state with the codes of its reasons. */
export function stateOf(reply: OrderReply): string {
  const { state, reasons } = orderOf(reply);
  return [state, ...reasons.map(({ code }) => code)].join(" ");
}

/** `F2 PED-1S-Y 8.26/1.74/10 [21: 8.26/1.74]` of every document, oldest first. */
export function documentsOf(reply: OrderReply): string[] {
  return orderOf(reply).invoices.map((invoice) => {
    const { invoice_type: type, series, base, tax, surcharge, total } = invoice;
    const amounts = [base, tax, ...(surcharge === 0 ? [] : [surcharge]), total].join("/");
    return `${type} ${series.replace(/20\d\d$/, "Y")} ${amounts} [${invoice.taxes.map(taxText).join(", ")}]`;
  });
}

function taxText(group: ToldTax): string {
  const { qualification, regime, tax_rate: rate, base, tax, equivalence_surcharge: surcharge } = group;
  const special = qualification === "S1" && regime === "01" ? "" : ` ${qualification} ${regime}`;
  return `${rate}${special}: ${base}/${tax}${surcharge === 0 ? "" : `+${surcharge}`}`;
}

/** The owner's change must succeed. */
export async function declare(shop: Shop, ...requests: readonly OwnerRequest[]): Promise<void> {
  for (const request of requests) {
    const told = await act(shop, request);
    if (told.outcome !== "done") throw new Error(`${request.verb}: ${JSON.stringify(told)}`);
  }
}

/** Every row of the connection's ledger, of any table. */
export async function everythingIn(database: D1Database = env.LEDGER_000): Promise<Record<string, unknown>> {
  const { results } = await database
    .prepare(
      // The words of a search are in its shadow tables; the virtual table cannot be read.
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
        AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    )
    .all<{ name: string }>();
  const names = results.map(({ name }) => name).filter((name) => name !== "d1_migrations");
  const answers = await database.batch(names.map((name) => database.prepare(`SELECT * FROM ${name}`)));
  return Object.fromEntries(names.map((name, index) => [name, answers[index]?.results]));
}

/** Direct invoices over HTTP, as a caller sends and reads them. */

export interface DirectAnswer {
  readonly status: number;
  readonly code?: string;
  readonly error?: string;
  readonly path?: string;
  /** `100 / 21 / 121` */
  readonly totals?: string;
  readonly number?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Answered {
  readonly error?: string;
  readonly error_code?: string;
  readonly details?: readonly { readonly path: string }[];
  readonly data?: Readonly<Record<string, unknown>> & {
    readonly full_number?: string;
    readonly totals?: { readonly base: number; readonly tax: number; readonly total: number };
  };
}

export type Body = Readonly<Record<string, unknown>>;

/** Lines as `1x10@21`: quantity, price, rate. */
export function sentLines(text: string, change: Body = {}) {
  return text.split(" ").map((each) => {
    const [, quantity, price, rate] = /^(.+)x(.+)@(.+)$/.exec(each) ?? [];
    return {
      ...{ description: "Artículo", quantity: Number(quantity), price_unit: Number(price) },
      ...{ tax_rate: Number(rate), ...change },
    };
  });
}

export function directCaller(shop: Shop) {
  const call = async (method: string, path: string, body?: Body): Promise<DirectAnswer> => {
    const response = await exports.default.fetch(`https://api.example/api/v1${path}`, {
      method,
      headers: { "X-API-KEY": shop.key, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return read(response.status, await response.json<Answered>());
  };
  const issue = (externalId: string, type: string, lines: string, change: Body = {}) =>
    call("POST", "/invoice", bodyOf(externalId, type, lines, change));
  return {
    issue,
    preview: (externalId: string, type: string, lines: string) =>
      call("POST", "/invoice?preview=true", bodyOf(externalId, type, lines)),
    read: (externalId: string) => call("GET", `/invoice/${externalId}`),
    cancel: (externalId: string) =>
      call("POST", `/invoice/${externalId}/cancellation`, { reason: "No hubo venta" }),
  };
}

export function bodyOf(externalId: string, type: string, lines: string, change: Body = {}): Body {
  const isNamed = type !== "F2" && type !== "R5";
  return {
    ...{ external_id: externalId, invoice_type: type, description: "Venta", currency: "EUR" },
    ...(isNamed ? { recipient: A_SENT_COMPANY } : {}),
    lines: sentLines(lines),
    ...change,
  };
}

function read(status: number, { error, error_code: code, details, data }: Answered): DirectAnswer {
  const [first] = details ?? [];
  const totals = data?.totals;
  return {
    status,
    ...(code === undefined ? {} : { code }),
    ...(error === undefined ? {} : { error }),
    ...(first === undefined ? {} : { path: first.path }),
    ...(totals === undefined ? {} : { totals: `${totals.base} / ${totals.tax} / ${totals.total}` }),
    ...(data?.full_number === undefined ? {} : { number: data.full_number }),
    data: data ?? {},
  };
}
