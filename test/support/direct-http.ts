/** Direct invoices over HTTP, as a caller sends and reads them. */
import { exports } from "cloudflare:workers";
import { A_SENT_COMPANY } from "./sent-orders.ts";
import type { Shop } from "./shop.ts";

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
