/** A shop that sends its own documents, as a model: its orders, its API with every way to fail, its webhooks. */
import { createHmac } from "node:crypto";
import { parseExactly } from "../../src/domain/shared/exact-json.ts";
import type { ShopDocuments } from "../../src/domain/shop/documents.ts";
import type { OpenedShop, OrderPage, ShopAnswer, ShopApi, ShopApis } from "../../src/platform/shop-api.ts";
import { NATIVE_FORMS, type NativeOrder, type NativeStatus } from "../prove/crash/shops/documents.ts";
import type { Chance } from "./chance.ts";
import type { Life } from "./object.ts";
import type { Scheduler } from "./scheduler.ts";
import { EARLY_ORDERS, type NativeShopName } from "./steps.ts";

/** Orders go on in one direction, so that the newest facts say what an order must have become. */
export type NativeStage = "waiting" | "paid" | "refunded" | "cancelled";

const AFTER: Readonly<Record<NativeStage, readonly NativeStage[]>> = {
  waiting: ["paid", "cancelled"],
  paid: ["refunded"],
  ...{ refunded: [], cancelled: [] },
};

/** What the invoices of an order at a stage come to together. */
export const NET_OF: Readonly<Record<NativeStage, string>> = {
  ...{ waiting: "0", paid: "24.2", refunded: "12.1", cancelled: "0" },
};

export const SHOP_FAULTS = [
  "rate_limited",
  "server_error",
  /** A page in the place of a document. */
  "not_json",
  "timeout",
  "no_connection",
] as const;

/** An order at one moment. */
export interface Snapshot {
  readonly stage: NativeStage;
  readonly order: NativeOrder;
}

export interface SentDelivery {
  readonly id: string;
  readonly orderId: string;
  readonly modifiedAt: number;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface NativeShopDeps {
  readonly name: NativeShopName;
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly count: (what: string) => void;
}

const WOO = NATIVE_FORMS.woocommerce;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Few orders fit on a page, so that a list has some. */
const PAGE = 2;
const RATE_LIMIT_MS = 2_000;
const TIME_LIMIT_MS = 20_000;

export class NativeShop {
  readonly name: NativeShopName;
  readonly weather = { faults: 0 };
  /** Every moment of every order, oldest first. */
  readonly orders = new Map<string, Snapshot[]>();
  readonly sent: SentDelivery[] = [];
  /** The key that its API accepts. */
  key = "ck_1234567890abcdef1";
  #keys = 1;
  #onAsked: (() => void)[] = [];
  readonly #deps: NativeShopDeps;

  constructor(deps: NativeShopDeps) {
    this.#deps = deps;
    this.name = deps.name;
    for (const id of EARLY_ORDERS) {
      const at = seconds(deps.scheduler.now - DAY_MS);
      this.#note(id, deps.chance.is(0.3) ? "waiting" : "paid", at);
    }
  }

  /** Ends when the next call of its API arrives. */
  whenAsked(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAsked.push(resolve);
    return promise;
  }

  /** The next stage of an order; false if it has come to its end. */
  change(id: string): boolean {
    const { scheduler, chance } = this.#deps;
    const last = this.newest(id);
    const next = last ? AFTER[last.stage] : (["waiting", "paid"] as const);
    const [stage] = chance.shuffled<NativeStage>(next);
    if (stage === undefined) return false;
    this.#note(id, stage, Math.max(seconds(scheduler.now), (last?.order.modifiedAt ?? 0) + 1_000));
    return true;
  }

  newest(id: string): Snapshot | undefined {
    return this.orders.get(id)?.at(-1);
  }

  /** The webhook of an order, under an id of its own: of now, or of an earlier moment. */
  delivery(id: string, isOld: boolean): SentDelivery | undefined {
    const moments = this.orders.get(id) ?? [];
    const snapshot = isOld ? this.#deps.chance.shuffled(moments)[0] : moments.at(-1);
    if (!snapshot) return undefined;
    const body = Uint8Array.from(new TextEncoder().encode(JSON.stringify(WOO.posted(snapshot.order))));
    const { modifiedAt } = snapshot.order;
    const sent = { id: `${this.name}-${this.sent.length + 1}`, orderId: id, modifiedAt, body };
    this.sent.push(sent);
    return sent;
  }

  /** Its owner makes a new key, and the one before ends. */
  renewKey(): string {
    this.#keys += 1;
    this.key = `ck_1234567890abcdef${this.#keys}`;
    return this.key;
  }

  apisOf(life: Life): ShopApis {
    const api: ShopApi = {
      readOrder: (shop, id) => this.#answer(life, shop, () => this.#read(id)),
      listOrders: (shop, { by, since, page }) =>
        this.#answer(life, shop, () => ({
          answer: "given",
          value: this.#listed(by === "modified" ? modifiedAt : orderedAt, since, Number(page ?? 0)),
        })),
      readTables: (shop) => this.#answer(life, shop, () => ({ answer: "given", value: {} })),
      test: (shop) =>
        this.#answer(life, shop, () => ({ answer: "given", value: { scopes: [], lacking: [] } })),
    };
    return { woocommerce: api, shopify: api, prestashop: api, magento: api };
  }

  #note(id: string, stage: NativeStage, at: number): void {
    const before = this.orders.get(id) ?? [];
    const ordered = before[0]?.order.orderedAt ?? at - HOUR_MS;
    const status: NativeStatus = stage === "refunded" ? "paid" : stage;
    const order: NativeOrder = {
      ...{ id, orderedAt: ordered, modifiedAt: at, status },
      ...(stage === "refunded" ? { isRefunded: true } : {}),
    };
    this.orders.set(id, [...before, { stage, order }]);
  }

  #read(id: string): ShopAnswer<ShopDocuments> {
    const order = this.newest(id)?.order;
    if (!order) return { answer: "gone" };
    const puts = WOO.puts(order);
    const refunds = puts.filter(({ resource }) => resource === "refunds").map(({ document }) => document);
    const documents = JSON.stringify({ order: WOO.posted(order), refunds });
    // As the product's clients read it: with the digits of its numbers.
    return { answer: "given", value: parseExactly(documents) as ShopDocuments };
  }

  #listed(timeOf: (order: NativeOrder) => number, since: number, from: number): OrderPage {
    const found = [...this.orders.values()]
      .flatMap((moments) => moments.at(-1)?.order ?? [])
      .filter((order) => timeOf(order) > since)
      .toSorted((one, other) => timeOf(one) - timeOf(other) || Number(one.id) - Number(other.id));
    const orders = found
      .slice(from, from + PAGE)
      .map((order) => ({ nativeId: order.id, modifiedAt: order.modifiedAt }));
    return { orders, ...(found.length > from + PAGE ? { next: String(from + PAGE) } : {}) };
  }

  /** What it says is of the moment at which the call arrives. */
  #answer<Value>(
    life: Life,
    { credentials }: OpenedShop,
    answer: () => ShopAnswer<Value>,
  ): Promise<ShopAnswer<Value>> {
    const { scheduler, chance, count } = this.#deps;
    const { promise, resolve } = Promise.withResolvers<ShopAnswer<Value>>();
    const tell = (delayMs: number, told: ShopAnswer<Value>) =>
      scheduler.after(delayMs, "shop answers", () => {
        // An instance that has ended hears nothing.
        if (!life.isOver) resolve(told);
      });
    scheduler.after(chance.between(5, 300), "shop is asked", () => {
      for (const asked of this.#onAsked.splice(0)) asked();
      const fault = chance.is(this.weather.faults) ? chance.pick(SHOP_FAULTS) : undefined;
      if (fault) count(`shop ${fault}`);
      const travelMs = chance.between(5, 300);
      if (fault === "timeout") tell(TIME_LIMIT_MS, { answer: "failed", cause: "timeout" });
      else if (fault === "rate_limited")
        tell(travelMs, { answer: "failed", cause: "rate_limited", waitMs: RATE_LIMIT_MS });
      else if (fault) tell(travelMs, { answer: "failed", cause: fault });
      else if (credentials.consumer_key !== this.key) {
        count("shop refused");
        tell(travelMs, { answer: "refused" });
      } else tell(travelMs, answer());
    });
    return promise;
  }
}

export function signed(body: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("base64");
}

const modifiedAt = (order: NativeOrder) => order.modifiedAt;
const orderedAt = (order: NativeOrder) => order.orderedAt;

/** Shops date changes by the second. */
function seconds(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}
