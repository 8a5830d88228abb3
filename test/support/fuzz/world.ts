import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { ledgersOf } from "../../../src/db/ledgers.ts";
import type { AnswerOutcome } from "../../../src/ledger/orders/order-outcomes.ts";
import { booksIn, expectOrdersConsistent, expectProven } from "../rules/consistency.ts";
import { declare } from "../worlds/http-calls.ts";
import { clientOf } from "../worlds/ledger-client.ts";
import { aShopSince, letGo, onTheDay, settleBooks, workOff } from "../worlds/old-years.ts";
import { aSentOrder, openCommerce, orderConnector } from "../worlds/order-calls.ts";
import { answerOrder } from "../worlds/owners.ts";
import { openShop, type Shop } from "../worlds/shop.ts";
import { openGuidedShop } from "../worlds/shop-reports.ts";
import type { Draw } from "./draw.ts";
import type { FuzzRequest, Known } from "./requests.ts";

/** Shops of every kind that are called at random, with their answers: the books must agree. */

const DIRECT = /^\/api\/v1\/invoice/;

/** Of one shop, every success that changed something. */
export interface Caller {
  readonly shop: Shop;
  readonly invoices: Set<string>;
  readonly orders: Set<string>;
  /** Orders without anything invoiced in their last answer. */
  readonly takenBack: Set<string>;
  /** Orders that wait for their owner because they came back. */
  readonly reactivated: Set<string>;
  readonly viewerPaths: string[];
  /** The ids under which its documents are asked for. */
  readonly invoiceIds: Set<string>;
  /** The full ones among them: others have no electronic form. */
  readonly fullInvoiceIds: Set<string>;
  /** Ids of what it had once. */
  readonly gone: readonly string[];
  clients: number;
}

interface Body {
  readonly data?: {
    readonly external_id?: string;
    readonly invoice_id?: string | null;
    readonly invoice_type?: string;
    readonly invoices?: readonly { readonly invoice_id?: string | null; readonly invoice_type?: string }[];
    readonly id_external?: string;
    readonly state?: string;
    readonly reasons?: readonly { readonly code: string }[];
    readonly viewer_url?: string;
    readonly created?: number;
  };
}

export interface Booked {
  readonly invoices: number;
  readonly orders: number;
  readonly records: number;
  /** Invoices of orders that came back. */
  readonly reissued: number;
}

export interface World {
  /** The caller; undefined for a stranger with a useless key. */
  callerFor(path: string, draw: Draw): Caller | undefined;
  keyOf(told: Caller | undefined, draw: Draw): string | undefined;
  knownTo(told: Caller | undefined): Known;
  viewerPath(draw: Draw): string;
  note(told: Caller | undefined, request: FuzzRequest, answer: { status: number; text: string }): void;
  /** Owners' answers to reactivated orders: a new invoice; only faults are reported. */
  answerReactivated(draw: Draw): Promise<string[]>;
  /** The books of every shop, against its answers. */
  expectConsistent(): Promise<Booked>;
}

export async function openWorld(name: string): Promise<World> {
  // The calendar is set back for it, so no other test runs.
  const { shop: old, gone } = await aForgetfulShop();
  const [direct, directElsewhere, unconsented, commerce, guided, another] = await Promise.all([
    openShop(),
    openShop({ ledger: "001" }),
    openShop({ consented: false }),
    openCommerce(),
    openGuidedShop(),
    openShop({ connection: { kind: "accounting" } }),
  ]);
  const callerOf = (shop: Shop, ids: readonly string[] = []): Caller => {
    const told = { invoices: new Set<string>(), orders: new Set<string>(), takenBack: new Set<string>() };
    const documents = { invoiceIds: new Set<string>(), fullInvoiceIds: new Set<string>() };
    const seen = { reactivated: new Set<string>(), ...documents, viewerPaths: [] };
    return { shop, ...told, ...seen, gone: ids, clients: 0 };
  };
  const forgetful = callerOf(old, Object.values(gone));
  forgetful.invoices.add(LEFT_BEHIND);
  const current = [direct, directElsewhere, unconsented, commerce, guided, another].map((shop) =>
    callerOf(shop),
  );
  const shops = [...current, forgetful];
  const anyId = (told: Caller | undefined, draw: Draw) =>
    draw.any([...(told?.invoices ?? []), ...(told?.orders ?? [])]) ?? `${name}-none`;
  const [ofInvoices, ofInvoicesElsewhere, , ofOrders] = current;
  let ids = 0;
  return {
    callerFor(path, draw) {
      if (draw.chance(0.04)) return undefined;
      if (draw.chance(0.12)) return draw.any(shops);
      if (draw.chance(0.06)) return forgetful;
      return DIRECT.test(path) ? draw.any([ofInvoices, ofInvoices, ofInvoicesElsewhere]) : ofOrders;
    },
    keyOf: (told, draw) => (told ? told.shop.key : strangeKey(direct.key, draw)),
    knownTo: (told) => ({
      fresh: () => `${name}-${++ids}`,
      id: (draw) => {
        const gone = draw.chance(0.6) ? draw.any(told?.gone ?? []) : undefined;
        return gone ?? anyId(told, draw);
      },
      invoiceId: (draw) => {
        const full = draw.chance(0.5) ? draw.any([...(told?.fullInvoiceIds ?? [])]) : undefined;
        return full ?? draw.any([...(told?.invoiceIds ?? [])]);
      },
      takenBack: (draw) => draw.any([...(told?.takenBack ?? [])]) ?? anyId(told, draw),
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
    async answerReactivated(draw) {
      const answered = shops.map(async ({ shop, reactivated }) => {
        const orders = [...reactivated].filter(() => draw.chance(0.7));
        for (const order of orders) reactivated.delete(order);
        const outcomes = await Promise.all(
          orders.map((order) => answerOrder(shop, order, { answer: "issue" })),
        );
        return outcomes.filter(isFault).map((outcome) => `issue: ${JSON.stringify(outcome)}`);
      });
      return (await Promise.all(answered)).flat();
    },
    async expectConsistent() {
      const sums = { invoices: 0, orders: 0, records: 0, reissued: 0 };
      for (const told of shops) {
        const books = await expectTold(told);
        sums.invoices += books.invoices.length;
        sums.records += books.records.length;
        sums.orders += told.orders.size;
        sums.reissued += books.invoices.filter(({ origin }) => origin.startsWith("reissue:")).length;
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
  const isPreview = request.path.includes("preview=true");
  if (!isPreview) noteInvoices(told, data);
  if (path === "/api/v1/invoice" && !isPreview && data.external_id) told.invoices.add(data.external_id);
  const isOfOrder = path === "/api/v1/order" || path === "/api/v1/order/{id_external}/events";
  if (isOfOrder && !isPreview && data.id_external) noteOrder(told, data.id_external, data);
  if (path === "/api/v1/client") told.clients += data.created ?? 0;
  if (data.viewer_url) told.viewerPaths.push(new URL(data.viewer_url).pathname);
}

function noteInvoices(
  { invoiceIds, fullInvoiceIds }: Caller,
  { invoice_id, invoice_type, invoices = [] }: NonNullable<Body["data"]>,
): void {
  for (const { invoice_id: id, invoice_type: type } of [{ invoice_id, invoice_type }, ...invoices]) {
    if (!id) continue;
    invoiceIds.add(id);
    if (type === "F1") fullInvoiceIds.add(id);
  }
}

function noteOrder(
  { orders, takenBack, reactivated }: Caller,
  id: string,
  { state, reasons = [] }: NonNullable<Body["data"]>,
): void {
  orders.add(id);
  if (state === "rectified") takenBack.add(id);
  else takenBack.delete(id);
  if (reasons.some(({ code }) => code === "reactivated")) reactivated.add(id);
  else reactivated.delete(id);
}

/** An owner may be refused, because the shop has changed the order since. */
function isFault({ outcome }: AnswerOutcome): boolean {
  return outcome !== "taken" && outcome !== "refused";
}

/** All acknowledged documents, and no others. */
async function expectTold({ shop, invoices, orders, clients, gone }: Caller) {
  const { connectionId } = shop;
  // The rules of whole books begin with their first record.
  if (gone.length > 0) await expectProven(connectionId);
  else await expectOrdersConsistent(connectionId);
  const books = await booksIn(connectionId);
  const direct = books.invoices.flatMap(({ origin }) => /^direct:(.*)$/s.exec(origin)?.[1] ?? []);
  expect(direct.toSorted()).toEqual([...invoices].toSorted());
  expect(await idsIn(shop, "shop_order")).toEqual([...orders].toSorted());
  expect(await idsIn(shop, "shop_client")).toHaveLength(clients);
  return books;
}

async function idsIn({ connectionId }: Shop, table: "shop_order" | "shop_client"): Promise<string[]> {
  const database = ledgersOf(env).get(connectionId.slice(2, 5));
  const rows = await database
    ?.prepare(`SELECT id_external AS id FROM ${table} WHERE connection_id = ?`)
    .bind(connectionId)
    .all<{ id: string }>();
  return (rows?.results ?? []).map(({ id }) => id).toSorted();
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

/** A shop with removed data: a year retired with its invoice and its order, and an erased order. */

interface Forgetful {
  readonly shop: Shop;
  /** As its callers knew them. */
  readonly gone: { readonly invoice: string; readonly order: string; readonly erased: string };
}

/** The external_id of an invoice of the year after. */
const LEFT_BEHIND = "factura-que-queda";
const YEAR = 2018;

export async function aForgetfulShop(): Promise<Forgetful> {
  const gone = { invoice: "factura-ida", order: "pedido-ido", erased: "pedido-borrado" };
  const shop = await aShopSince(YEAR);
  const { issue } = clientOf(shop);
  const { send } = orderConnector(shop);
  onTheDay(`${YEAR}-05-01`);
  await issue(gone.invoice);
  await send(aSentOrder(gone.order, { order_date: `${YEAR}-05-01 10:00:00` }));
  onTheDay(`${YEAR + 1}-05-01`);
  await issue(LEFT_BEHIND);
  await settleBooks(shop);
  vi.useRealTimers();
  await letGo(shop, YEAR);
  await workOff();
  await send(aSentOrder(gone.erased, { fiscal_event: "none" }));
  await declare(shop, { verb: "erase_order", orderId: gone.erased });
  return { shop, gone };
}
