/** What the shops of all platforms have in common. */
import type { ShopStore } from "./store.ts";

export const PLATFORMS = ["woocommerce", "shopify", "prestashop", "magento"] as const;
export type Platform = (typeof PLATFORMS)[number];

export function isPlatform(name: string): name is Platform {
  return PLATFORMS.some((platform) => platform === name);
}

/** A call of a shop's API. */
export interface Call {
  readonly method: string;
  /** After the shop's name, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly text: string;
}

/** Kinds of documents that the control puts and removes. */
export interface Resource {
  /** Throws `Unusable` for a document that the platform does not know. */
  put(id: string, sent: unknown): void;
  /** False if there is none. */
  remove(id: string): boolean;
}

/** A webhook that somebody has registered, with the documents that its receiver wants. */
export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  /** `hint` names the document; `documents` sends it with all that belongs to it. */
  readonly sends: "documents" | "hint";
}

export interface Shop {
  answer(call: Call): Response;
  readonly resources: Readonly<Record<string, Resource>>;
  /** Topics of its webhooks. */
  readonly topics: readonly string[];
  /** The JSON of a webhook; undefined if the shop has no such document. */
  bodyOf(topic: string, id: string, sends: Webhook["sends"]): object | undefined;
  /** Registered by calls of the API, for this topic. */
  webhooksOf(topic: string): readonly Webhook[];
  /** An endpoint has failed so often that the platform gives it up. */
  giveUp(webhook: Webhook): void;
}

export interface ShopDeps {
  readonly store: ShopStore;
  readonly now: () => number;
  readonly credentials: Readonly<Record<string, string>>;
  /** Base URL of the shop. */
  readonly url: string;
  /** Sends a form to a new webhook, as WooCommerce does; nobody waits for the answer. */
  readonly ping: (url: string, form: string) => void;
}

/** A call that the shop's own rules refuse: the answer that the platform gives. */
export class Refusal extends Error {
  readonly response: Response;
  constructor(response: Response) {
    super("refused");
    this.response = response;
  }
}

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  });
}

/** User and password of HTTP Basic. */
export function basicOf(headers: Headers): readonly [user: string, password: string] | undefined {
  const [, coded] = /^Basic (.+)$/i.exec(headers.get("Authorization") ?? "") ?? [];
  if (coded === undefined) return undefined;
  // Unlike atob it refuses nothing: what is no base64 is no known key.
  const decoded = Buffer.from(coded, "base64").toString();
  const [, user = "", password = ""] = /^([^:]*):?(.*)$/s.exec(decoded) ?? [];
  return [user, password];
}

/** A page of a list that counts from 1. */
export function pageOf<Entry>(entries: readonly Entry[], page: number, size: number): readonly Entry[] {
  return entries.slice((page - 1) * size, page * size);
}

/** By text, or by number where both are one. */
export function compare(one: unknown, other: unknown): number {
  const [a, b] = [Number(one), Number(other)];
  if (!Number.isNaN(a) && !Number.isNaN(b) && one !== "" && other !== "") return a - b;
  const [left, right] = [String(one ?? ""), String(other ?? "")];
  return left < right ? -1 : left > right ? 1 : 0;
}
