/** Shops of every kind that are called at random, and what they were told: the books must say the same. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { ledgersOf } from "../../../src/storage/ledgers.ts";
import { openCommerce } from "../order-calls.ts";
import { expectOrdersConsistent } from "../order-consistency.ts";
import { openShop, type Shop } from "../shop.ts";
import { openGuidedShop } from "../shop-reports.ts";
import type { Draw } from "./draw.ts";
import type { FuzzRequest, Known } from "./requests.ts";

const DIRECT = /^\/api\/v1\/invoice/;

/** Of one shop, every success that changed something. */
export interface Caller {
  readonly shop: Shop;
  readonly invoices: Set<string>;
  readonly orders: Set<string>;
  readonly viewerPaths: string[];
  clients: number;
}

interface Body {
  readonly data?: {
    readonly external_id?: string;
    readonly id_external?: string;
    readonly viewer_url?: string;
    readonly created?: number;
  };
}

export interface Booked {
  readonly invoices: number;
  readonly orders: number;
  readonly records: number;
}

export interface World {
  /** Who asks for it; undefined for a stranger, whose key opens nothing. */
  callerFor(path: string, draw: Draw): Caller | undefined;
  keyOf(told: Caller | undefined, draw: Draw): string | undefined;
  knownTo(told: Caller | undefined): Known;
  viewerPath(draw: Draw): string;
  note(told: Caller | undefined, request: FuzzRequest, answer: { status: number; text: string }): void;
  /** The books of every shop, against what it was told. */
  expectConsistent(): Promise<{
    readonly invoices: number;
    readonly orders: number;
    readonly records: number;
  }>;
}

export async function openWorld(name: string): Promise<World> {
  const [direct, directElsewhere, unconsented, commerce, guided, another] = await Promise.all([
    openShop(),
    openShop({ ledger: "001" }),
    openShop({ consented: false }),
    openCommerce(),
    openGuidedShop(),
    openShop({ connection: { kind: "accounting" } }),
  ]);
  const shops = [direct, directElsewhere, unconsented, commerce, guided, another].map(
    (shop): Caller => ({ shop, invoices: new Set(), orders: new Set(), viewerPaths: [], clients: 0 }),
  );
  const [ofInvoices, ofInvoicesElsewhere, , ofOrders] = shops;
  let ids = 0;
  return {
    callerFor(path, draw) {
      if (draw.chance(0.04)) return undefined;
      if (draw.chance(0.12)) return draw.any(shops);
      return DIRECT.test(path) ? draw.any([ofInvoices, ofInvoices, ofInvoicesElsewhere]) : ofOrders;
    },
    keyOf: (told, draw) => (told ? told.shop.key : strangeKey(direct.key, draw)),
    knownTo: (told) => ({
      fresh: () => `${name}-${++ids}`,
      id: (draw) => draw.any([...(told?.invoices ?? []), ...(told?.orders ?? [])]) ?? `${name}-none`,
    }),
    viewerPath(draw) {
      const path = draw.any(shops.flatMap(({ viewerPaths }) => viewerPaths)) ?? "/v/none";
      const at = "/v/".length + draw.below(path.length - "/v/".length);
      const altered = `${path.slice(0, at)}${draw.pick(["", "A", "/", "%00", "_", "é"])}${path.slice(at + 1)}`;
      return draw.pick([
        path,
        altered,
        `${path}/none.pdf`,
        `${path}.pdf`,
        `/v/${"A".repeat(draw.below(3_000))}`,
      ]);
    },
    note,
    async expectConsistent() {
      const sums = { invoices: 0, orders: 0, records: 0 };
      for (const told of shops) {
        const books = await expectTold(told);
        sums.invoices += books.invoices.length;
        sums.records += books.records.length;
        sums.orders += told.orders.size;
      }
      return sums;
    },
  };
}

function note(
  told: Caller | undefined,
  request: FuzzRequest,
  { status, text }: { status: number; text: string },
) {
  const { target } = request;
  if (!told || status >= 300 || typeof target === "string" || target.method !== "POST") return;
  const { data = {} }: Body = JSON.parse(text);
  const { path } = target;
  if (path === "/api/v1/invoice" && data.external_id) told.invoices.add(data.external_id);
  const isPreview = request.path.includes("preview=true");
  if (path === "/api/v1/order" && !isPreview && data.id_external) told.orders.add(data.id_external);
  if (path === "/api/v1/client") told.clients += data.created ?? 0;
  if (data.viewer_url) told.viewerPaths.push(new URL(data.viewer_url).pathname);
}

/** Nothing but what was acknowledged, and all of that. */
async function expectTold({ shop, invoices, orders, clients }: Caller) {
  const { connectionId } = shop;
  const books = await expectOrdersConsistent(connectionId);
  const direct = books.invoices.flatMap(({ origin }) => /^direct:(.*)$/s.exec(origin)?.[1] ?? []);
  expect(direct.toSorted()).toEqual([...invoices].toSorted());
  expect(books.orders.map(({ idExternal }) => idExternal).toSorted()).toEqual([...orders].toSorted());
  const database = ledgersOf(env).get(connectionId.slice(2, 5));
  const row = await database
    ?.prepare("SELECT count(*) AS clients FROM shop_client WHERE connection_id = ?")
    .bind(connectionId)
    .first<{ clients: number }>();
  expect(row?.clients).toBe(clients);
  return books;
}

function strangeKey(genuine: string, draw: Draw): string | undefined {
  const forged = `${genuine.slice(0, -1)}${genuine.endsWith("0") ? "1" : "0"}`;
  const keys = [
    undefined,
    "",
    forged,
    genuine.slice(0, -1),
    `${genuine}0`,
    genuine.toUpperCase(),
    "x".repeat(9_000),
  ];
  return draw.any(keys);
}
