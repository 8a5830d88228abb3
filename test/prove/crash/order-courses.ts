/** Courses of orders, of two shops and of a connection with a consent during the run. */
import { type DemoOrder, plainOrder } from "../../../src/dev/demo-orders.ts";
import type { Seeded } from "../seeded.ts";
import { type Body, type Call, type CallKind, type ConnectionName, type Course, DONE } from "./call.ts";

interface Naming {
  readonly id: string;
  readonly random: Seeded;
  /** Instant of the demo's clock: orders are of its day. */
  readonly now: number;
  /** The console's path of the shop's connection. */
  readonly places: Readonly<Record<ConnectionName, { readonly connection: string }>>;
}

type Shop = "commerce" | "profiled";

const NOBODY_KNOWS = { code: "gift_wrap", title: "Envoltorio", value: 3 };
const COMPANY = {
  company: "Hostelería del Tormes SL",
  vat_number: "B12345674",
  country: "ES",
  address1: "Paseo de la Estación 12",
  postcode: "37004",
  city: "Salamanca",
};

export const ORDER_COURSES: readonly ((naming: Naming) => Course)[] = [
  alone,
  alone,
  copies,
  burst,
  heldThenChanged,
  heldThenAnswered,
  refunded,
  refundedInFull,
  cancelled,
  reactivated,
  neverSold,
  replaced,
  replacedThenRefunded,
  storedFirst,
  lookedAt,
  lookedAt,
  released,
];

/** The sale is 37.00 + 3.70 at 10 %; the rest is given. */
class Told {
  readonly id: string;
  readonly connection: ConnectionName;
  readonly #naming: Naming;
  readonly #order: DemoOrder;

  constructor(
    naming: Naming,
    connection: ConnectionName = naming.random.pick<Shop>(["commerce", "profiled"]),
  ) {
    this.#naming = naming;
    this.id = naming.id;
    this.connection = connection;
    const store = connection === "profiled" ? naming.random.pick(["1", "2"]) : "1";
    this.#order = plainOrder(naming.id, store, naming.now);
  }

  call(kind: CallKind, step: string, change: Partial<Call>): Call {
    const { id, connection } = this;
    const about = { id: `${id}/${step}`, kind, connection, about: id };
    return { ...about, method: "POST", path: "/api/v1/order", expect: [DONE], ...change };
  }

  send(kind: "order" | "order_again" | "order_changed", step: string, change: Body = {}): Call {
    return this.call(kind, step, { body: { ...this.#order, ...change } });
  }

  read(): Call {
    return this.call("read_order", "read", { method: "GET", path: `/api/v1/order/${this.id}` });
  }

  answer(step: string, answer: Body): Call {
    const { connection } = this.#naming.places[this.connection];
    const body = { order_id: this.id, answers: [answer] };
    return this.call("answer", step, { path: `${connection}/order/answers`, body });
  }

  course(state: string, ...steps: Course["steps"]): Course {
    const isReleased = this.connection === "api_unconsented";
    return { steps, ends: [{ connection: this.connection, idExternal: this.id, state, isReleased }] };
  }
}

function alone(naming: Naming): Course {
  const told = new Told(naming);
  const again = told.send("order_again", "again");
  return told.course("invoiced", [told.send("order", "new")], [again], [told.read()]);
}

/** The same on several connections at once. */
function copies(naming: Naming): Course {
  const told = new Told(naming);
  const same = ["a", "b", "c", "d"].map((copy) => told.send("order", copy));
  return told.course("invoiced", same, [told.read()]);
}

function burst(naming: Naming): Course {
  const connection = naming.random.pick<Shop>(["commerce", "profiled"]);
  const all = Array.from(
    { length: 12 },
    (_, index) => new Told({ ...naming, id: `${naming.id}-${index + 1}` }, connection),
  );
  return {
    steps: [all.map((told) => told.send("order", "new")), [...all.slice(0, 4).map((told) => told.read())]],
    ends: all.flatMap((told) => told.course("invoiced").ends),
  };
}

const HELD = { total: 43.7, unmapped_totals: [NOBODY_KNOWS] };

function heldThenChanged(naming: Naming): Course {
  const told = new Told(naming);
  const changed = ["a", "b"].map((copy) => told.send("order_changed", copy));
  return told.course("invoiced", [told.send("order", "new", HELD)], changed);
}

function heldThenAnswered(naming: Naming): Course {
  const told = new Told(naming);
  const treatment = { answer: "declare_treatment", code: "gift_wrap", treatment: { as: "fee", rate: "21" } };
  return told.course(
    "invoiced",
    [told.send("order", "new", HELD)],
    [told.answer("answer", treatment), told.answer("answer-twice", treatment)],
    [told.send("order_again", "again", HELD)],
  );
}

function refund(id: string, base: number, tax: number): Body {
  const line = { quantity_delta: -1, base_delta: -base, tax_rate: 10, tax_delta: -tax };
  return { id_external_event: id, event_type: "refund", lines: [line] };
}

const SMALL = refund("small", 10, 1);
const REST = refund("rest", 27, 2.7);

/** Each refund is sent again with the next one, as shops do. */
function refunded(naming: Naming): Course {
  const told = new Told(naming);
  const small = { correction_events: [SMALL] };
  return told.course(
    "partially_rectified",
    [told.send("order", "new")],
    [told.send("order_changed", "a", small), told.send("order_changed", "b", small)],
    [told.send("order_again", "again", small), told.read()],
  );
}

function refundedInFull(naming: Naming): Course {
  const told = new Told(naming);
  const both = { correction_events: [SMALL, REST] };
  return told.course(
    "rectified",
    [told.send("order", "new")],
    [told.send("order_changed", "small", { correction_events: [SMALL] })],
    [told.send("order_changed", "a", both), told.send("order_changed", "b", both)],
    [told.send("order_again", "again", both)],
  );
}

function cancelled(naming: Naming): Course {
  const told = new Told(naming);
  const gone = { fiscal_event: "cancelled" };
  return told.course(
    "rectified",
    [told.send("order", "new")],
    [told.send("order_changed", "a", gone), told.send("order_changed", "b", gone)],
  );
}

/** Less than before: 20.00 + 2.00 at 10 %. */
const FEWER = {
  total: 22,
  breakdown: [{ name: "Café en grano", quantity: 1, base_amount: 20, tax_rate: 10, tax_amount: 2 }],
};

/** Cancelled, asked for again with other lines, invoiced anew by its owner, and cancelled once more. */
function reactivated(naming: Naming): Course {
  const told = new Told(naming);
  const gone = { fiscal_event: "cancelled" };
  const again = { answer: "issue" };
  const fewerGone = { ...FEWER, ...gone };
  return told.course(
    "rectified",
    [told.send("order", "new")],
    [told.send("order_changed", "gone", gone)],
    [told.send("order_changed", "back", FEWER)],
    [told.answer("answer", again), told.answer("answer-twice", again)],
    [told.send("order_changed", "a", fewerGone), told.send("order_changed", "b", fewerGone)],
  );
}

/** Said never to have been a sale, which the owner confirms: the invoice is annulled. */
function neverSold(naming: Naming): Course {
  const told = new Told(naming);
  const nothing = { correction_events: [{ id_external_event: "void", event_type: "void" }] };
  return told.course(
    "cancelled",
    [told.send("order", "new")],
    [told.send("order_changed", "void", nothing)],
    [told.answer("answer", { answer: "confirm_annulment", event_id: "void" })],
    [told.send("order_again", "again", nothing)],
  );
}

/** A full invoice in the place of the simplified one. */
function replaced(naming: Naming): Course {
  const told = new Told(naming);
  const full = { fiscal_event: "full_invoice_requested", client: COMPANY };
  return told.course(
    "invoiced",
    [told.send("order", "new")],
    [told.send("order_changed", "a", full), told.send("order_changed", "b", full)],
    [told.read()],
  );
}

/** A later refund is then an R5 and a full invoice of that R5. */
function replacedThenRefunded(naming: Naming): Course {
  const told = new Told(naming);
  const full = { fiscal_event: "full_invoice_requested", client: COMPANY };
  const back = { ...full, correction_events: [SMALL] };
  return told.course(
    "partially_rectified",
    [told.send("order", "new")],
    [told.send("order_changed", "full", full)],
    [told.send("order_changed", "a", back), told.send("order_changed", "b", back)],
    [told.send("order_again", "again", back), told.read()],
  );
}

function storedFirst(naming: Naming): Course {
  const told = new Told(naming);
  return told.course(
    "invoiced",
    [told.send("order", "new", { fiscal_event: "none", status: "pending" })],
    [told.send("order_changed", "paid")],
  );
}

/** Its customer views it; a missing order is not viewed. */
function lookedAt(naming: Naming): Course {
  const told = new Told(naming);
  const { id } = told;
  const isOff = told.connection === "profiled" ? ["customer_access_disabled"] : [];
  const access = (step: string, order: string, expect: readonly string[]) =>
    told.call("access", step, {
      path: "/api/v1/order/invoice-access",
      body: { order_id: order, presentation: "link" },
      expect: [...expect, ...isOff],
    });
  const page = { method: "GET", path: "{}", from: { call: `${id}/access`, path: "viewer_url" } } as const;
  return told.course(
    "invoiced",
    [told.send("order", "new")],
    [
      told.call("availability", "availability", {
        path: "/api/v1/order/invoice-availability",
        body: { order_ids: [id, `${id}-unknown`] },
      }),
      access("access", id, [DONE]),
      access("access-unknown", `${id}-unknown`, ["order_not_found"]),
    ],
    [told.call("page", "page", { ...page, expect: [DONE, ...(isOff.length > 0 ? ["gone"] : [])] })],
  );
}

/** Stored until the owner consents, and released then. */
function released(naming: Naming): Course {
  const told = new Told(naming, "api_unconsented");
  return told.course("invoiced", [told.send("order", "new")], [told.send("order_again", "again")]);
}
