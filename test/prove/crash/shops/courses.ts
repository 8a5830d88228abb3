/** Courses of orders that shops send in their own form, and of their owner's backfill. */
import { createHmac } from "node:crypto";
import { DELIVERY_FORMS } from "../../../../src/domain/shop/delivery.ts";
import type { ShopPlatform } from "../../../../src/domain/shop/presets.ts";
import type { Seeded } from "../../seeded.ts";
import {
  type Body,
  type Call,
  type ConnectionName,
  type Course,
  DONE,
  type ShopConnection,
  type ShopWay,
} from "../call.ts";
import type { DemoShops } from "./connections.ts";
import { NATIVE_FORMS, type NativeOrder, type NativeStatus, SOLD_TOTAL } from "./documents.ts";

export interface ShopNaming {
  /** Of the course; its orders are numbered from it. */
  readonly id: string;
  readonly place: number;
  readonly random: Seeded;
  readonly now: number;
  readonly places: Readonly<Record<ConnectionName, { readonly connection: string }>>;
  readonly shops: DemoShops;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** So that the ids of no two courses are equal, nor those that the demo's shops have. */
const FIRST_ID = 7_000_000;
const IDS_OF_COURSE = 1_000;
const ONE = { count: 1, total: SOLD_TOTAL } as const;
const NOTHING = { count: 0, total: "0" } as const;
const HALF = "12.1";

export const SHOP_COURSES: readonly ((naming: ShopNaming) => Course)[] = [
  paid,
  paid,
  paidLater,
  copies,
  refunded,
  cancelledBefore,
  forged,
  burst,
  foundBySearch,
  fetchedByOwner,
  shopFails,
];

/** One order of one connection, at successive moments of its shop. */
class OrderOfShop {
  readonly id: string;
  readonly connection: ShopConnection;
  readonly platform: ShopPlatform;
  readonly #naming: ShopNaming;
  readonly #way: ShopWay;
  #state: NativeOrder;

  constructor(naming: ShopNaming, platform: ShopPlatform, way: ShopWay, nth = 0) {
    this.#naming = naming;
    this.platform = platform;
    this.#way = way;
    this.connection = `${platform}_${way}`;
    this.id = String(FIRST_ID + naming.place * IDS_OF_COURSE + nth);
    const orderedAt = naming.now - 60 * MINUTE_MS;
    this.#state = { id: this.id, orderedAt, modifiedAt: orderedAt, status: "paid" };
  }

  /** What the shop has done since: a second later each time. */
  becomes(status: NativeStatus, change: Partial<NativeOrder> = {}): this {
    const modifiedAt = this.#state.modifiedAt + 1_000;
    this.#state = { ...this.#state, modifiedAt, status, ...change };
    return this;
  }

  /**
   * The shop itself has it from now on, or has had it since that instant; a shop that only posts has nothing to
   * be asked.
   */
  changes(step: string, since?: number): readonly Call[] {
    if (this.#way === "posting") return [];
    const at = since === undefined ? "" : `?at=${new Date(since).toISOString()}`;
    return NATIVE_FORMS[this.platform].puts(this.#state).map(({ resource, id, document }, index) =>
      this.call("shop_changes", `${step}-${index + 1}`, {
        ...{ method: "PUT", body: document },
        path: `/${this.platform}/_sandbox/${resource}/${id}${at}`,
      }),
    );
  }

  /** The webhook as the shop sends it, under an id of its own. */
  delivers(step: string, { id = `${this.id}-${step}`, secret = this.shop.secret } = {}): Call {
    const form = NATIVE_FORMS[this.platform];
    const names = DELIVERY_FORMS[this.platform];
    // The modules of these platforms send a hint to whoever fetches.
    const isHint = this.#way === "fetching" && names.topic === "X-Cuadre-Topic";
    const body = isHint ? { resource: form.topic, id: this.id } : form.posted(this.#state);
    const text = JSON.stringify(body);
    const headers = {
      [names.signature]: createHmac("sha256", secret).update(text).digest("base64"),
      [names.deliveryId]: id,
      [names.topic]: form.topic,
    };
    const path = new URL(this.shop.address_url).pathname;
    return this.call("deliver", step, { path, delivery: { id, headers, text } });
  }

  /** Signed with a secret that is not this shop's. */
  forges(step: string, secret: string): Call {
    const expect = ["shop_signature_invalid"];
    return { ...this.delivers(step, { secret }), kind: "deliver_forged", expect };
  }

  /** Read until the alarm has fetched and decided it. */
  read(step = "read"): Call {
    const path = `/api/v1/order/${this.id}`;
    return this.call("read_order", step, { method: "GET", path, awaits: ["order_not_found"] });
  }

  owner(step: string, path: string): Call {
    const { connection } = this.#naming.places[this.connection];
    return this.call("owner_asks_shop", step, { path: `${connection}/shop/${path}`, body: {} });
  }

  /** The next calls of the shop's API go wrong. */
  misbehaves(step: string, status: number, times: number): Call {
    const path = `/${this.platform}/_sandbox/misbehave`;
    return this.call("shop_misbehaves", step, { path, body: { status, times } });
  }

  get shop() {
    return this.#naming.shops[this.connection];
  }

  call(kind: Call["kind"], step: string, change: Partial<Call>): Call {
    const { id, connection } = this;
    const about = { id: `${this.#naming.id}/${id}/${step}`, kind, connection, about: id };
    return { ...about, method: "POST", path: "", expect: [DONE], ...change };
  }

  course(
    state: string,
    invoices: { readonly count: number; readonly total: string },
    ...steps: Steps
  ): Course {
    const end = { connection: this.connection, idExternal: this.id, state, invoices, isReleased: false };
    return { steps: steps.filter((step) => step.length > 0), ends: [end] };
  }
}

type Steps = Course["steps"];

/** A shop that is fetched from is asked at its own pace, so fewer orders are of those. */
function someOrder(naming: ShopNaming, way?: ShopWay): OrderOfShop {
  const { random } = naming;
  const platform = random.pick<ShopPlatform>(["woocommerce", "shopify", "prestashop", "magento"]);
  return new OrderOfShop(naming, platform, way ?? (random.below(3) < 2 ? "posting" : "fetching"));
}

function paid(naming: ShopNaming): Course {
  const order = someOrder(naming).becomes("paid");
  const delivery = order.delivers("paid");
  const again = { ...delivery, id: `${delivery.id}-again` };
  return order.course("invoiced", ONE, order.changes("put"), [delivery], [again], [order.read()]);
}

/** Waits for its payment; a webhook from before comes late, under an id of its own. */
function paidLater(naming: ShopNaming): Course {
  const order = someOrder(naming).becomes("waiting");
  const put = order.changes("put");
  const first = order.delivers("waiting");
  const late = order.delivers("late");
  order.becomes("paid");
  return order.course(
    ...(["invoiced", ONE, put, [first], order.changes("pays")] as const),
    ...[[order.delivers("paid")], [late], [order.read()]],
  );
}

/** The same webhook on several connections at once, and another one of the same order. */
function copies(naming: ShopNaming): Course {
  const order = someOrder(naming).becomes("paid");
  const one = order.delivers("paid");
  const same = ["a", "b", "c", "d"].map((copy) => ({ ...one, id: `${one.id}-${copy}` }));
  return order.course("invoiced", ONE, order.changes("put"), [...same, order.delivers("other")]);
}

function refunded(naming: ShopNaming): Course {
  const order = someOrder(naming).becomes("paid");
  const [put, first] = [order.changes("put"), order.delivers("paid")];
  order.becomes("paid", { isRefunded: true });
  const second = [order.delivers("refund-a"), order.delivers("refund-b")];
  return order.course(
    ...(["partially_rectified", { count: 2, total: HALF }, put, [first], [order.read()]] as const),
    ...[order.changes("refund"), second],
  );
}

function cancelledBefore(naming: ShopNaming): Course {
  const order = someOrder(naming).becomes("waiting");
  const [put, first] = [order.changes("put"), order.delivers("waiting")];
  order.becomes("cancelled");
  return order.course(
    ...(["cancelled", NOTHING, put, [first], order.changes("cancel")] as const),
    ...[[order.delivers("cancelled")], [order.read()]],
  );
}

/** A webhook with the secret of another shop, of the same order, before the shop's own. */
function forged(naming: ShopNaming): Course {
  const order = someOrder(naming).becomes("paid");
  const [put, own] = [order.changes("put"), order.delivers("paid")];
  const others = Object.values(naming.shops).filter(({ secret }) => secret !== order.shop.secret);
  const [stranger] = naming.random.shuffled(others);
  const wrong = order.forges("forged", stranger?.secret ?? "nobody's");
  return order.course("invoiced", ONE, put, [wrong], [own]);
}

const BURST = 12;

function burst(naming: ShopNaming): Course {
  const first = someOrder(naming, "posting");
  const all = Array.from({ length: BURST }, (_, nth) =>
    new OrderOfShop(naming, first.platform, "posting", nth).becomes("paid"),
  );
  return {
    steps: [all.map((order) => order.delivers("paid"))],
    ends: all.flatMap((order) => order.course("invoiced", ONE).ends),
  };
}

/** No webhook comes at all: the search for changes finds it. */
function foundBySearch(naming: ShopNaming): Course {
  const order = someOrder(naming, "fetching").becomes("paid");
  return order.course(
    ...(["invoiced", ONE, order.changes("put"), [order.owner("search", "reconcile")]] as const),
    [order.read()],
  );
}

function fetchedByOwner(naming: ShopNaming): Course {
  const order = someOrder(naming, "fetching").becomes("waiting");
  const put = order.changes("put");
  const first = order.delivers("waiting");
  order.becomes("paid");
  return order.course(
    ...(["invoiced", ONE, put, [first], [order.read()], order.changes("pays")] as const),
    ...[[order.owner("fetch", `orders/${order.id}/fetch`)], [order.read("read-again")]],
  );
}

/**
 * The shop answers a call with an error, a page, or not at all. Once for each order: after several failures in a
 * row of one kind the whole shop is left alone for an hour.
 */
function shopFails(naming: ShopNaming): Course {
  const order = someOrder(naming, "fetching").becomes("paid");
  const status = naming.random.pick([429, 500, 503, 200, 0]);
  return order.course(
    ...(["invoiced", ONE, order.changes("put"), [order.misbehaves("fails", status, 1)]] as const),
    ...[[order.delivers("paid")], [order.read()]],
  );
}

const LISTED = 12;

/** Orders of last week that nobody has delivered: listed, confirmed and decided. */
export function backfillCourse(naming: ShopNaming, platform: ShopPlatform): Course {
  const orderedAt = naming.now - 3 * DAY_MS;
  const all = Array.from({ length: LISTED }, (_, nth) =>
    new OrderOfShop(naming, platform, "fetching", nth).becomes("paid", { orderedAt, modifiedAt: orderedAt }),
  );
  const connection: ShopConnection = `${platform}_fetching`;
  const path = `${naming.places[connection].connection}/shop/backfill`;
  const call = (step: string, change: Partial<Call>): Call => ({
    ...{ id: `${naming.id}/${step}`, kind: "backfill", connection, about: "", method: "POST", path },
    ...{ expect: [DONE], ...change },
  });
  const until = (step: string, ...states: string[]): Call =>
    call(step, { method: "GET", awaitsState: ["backfill", "state", ...states] });
  const from: Body = { from: "cutoff" };
  return {
    steps: [
      // Changed long ago, so that no search for changes finds them.
      all.flatMap((order) => order.changes("put", orderedAt)),
      [call("begin", { body: from })],
      [until("listed", "listed", "done")],
      [
        call("confirm", {
          ...{ path: `${path}/confirm`, body: { all: true } },
          from: { call: `${naming.id}/listed`, body: { version: "backfill.version" } },
        }),
      ],
      [until("decided", "listed", "done")],
    ],
    ends: all.flatMap((order) => order.course("invoiced", ONE).ends),
  };
}
