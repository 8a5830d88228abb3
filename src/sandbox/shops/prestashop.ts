/** A PrestaShop shop: its webservice, as JSON or XML. */
import { type Doc, docsOf, isDoc, member, textOf, Unusable, unwrapped, withId } from "./documents.ts";
import { type ListRefusal, listed } from "./prestashop-lists.ts";
import { fromXml, toXml } from "./prestashop-xml.ts";
import { basicOf, type Call, type Resource, type Shop, type ShopDeps } from "./shop.ts";
import { laterOf, localOf, SHOP_ZONE, spaced } from "./times.ts";

const VERSION = "8.1.7";
const TOPICS = ["order", "order_slip"] as const;

/** Names of a document and of a list, by the resource. */
const NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  orders: ["order", "orders"],
  order_details: ["order_detail", "order_details"],
  order_slip: ["order_slip", "order_slips"],
  order_cart_rules: ["order_cart_rule", "order_cart_rules"],
  order_payments: ["order_payment", "order_payments"],
  addresses: ["address", "addresses"],
  countries: ["country", "countries"],
  currencies: ["currency", "currencies"],
  taxes: ["tax", "taxes"],
  order_states: ["order_state", "order_states"],
  configurations: ["configuration", "configurations"],
};

const state = (id: number, name: string, paid: 0 | 1, template: string): Doc => ({
  ...{ id, paid: String(paid), logable: String(paid), invoice: String(paid), send_email: "1" },
  name: [{ id: "1", value: name }],
  template: [{ id: "1", value: template }],
});

/** A shop in Spain has these before anybody changes it. */
const GIVEN: Readonly<Record<string, readonly Doc[]>> = {
  currencies: [
    { id: 1, name: "Euro", iso_code: "EUR", conversion_rate: "1.000000", active: "1", deleted: "0" },
  ],
  countries: [{ id: 6, iso_code: "ES", active: "1", name: [{ id: "1", value: "España" }] }],
  order_states: [
    state(1, "En espera de pago por cheque", 0, "cheque"),
    state(2, "Pago aceptado", 1, "payment"),
    state(3, "Preparación en curso", 1, "preparation"),
    state(4, "Enviado", 1, "shipped"),
    state(5, "Entregado", 1, ""),
    state(6, "Cancelado", 0, "order_canceled"),
    state(7, "Reembolsado", 1, "refund"),
    state(8, "Error en el pago", 0, "payment_error"),
    state(10, "En espera de pago por transferencia", 0, "bankwire"),
  ],
  configurations: [
    { id: 1, name: "PS_TIMEZONE", value: SHOP_ZONE },
    { id: 2, name: "PS_VERSION_DB", value: VERSION },
    { id: 3, name: "PS_CURRENCY_DEFAULT", value: "1" },
  ],
};

export function prestaShop(deps: ShopDeps): Shop {
  const { store, now } = deps;
  const stamped = (order: Doc): Doc => ({
    ...order,
    date_upd: laterOf(order.date_upd, spaced(localOf(now()))),
  });
  const touch = (doc: Doc | undefined) => {
    const id = textOf(doc?.id_order) ?? "";
    const order = store.get("orders", id);
    if (order) store.put("orders", id, stamped(order));
  };
  const ofOrder = (name: string): Resource => ({
    put(id, sent) {
      const doc = read(name, id, sent);
      if (textOf(doc.id_order) === undefined) throw new Unusable("Send the document with its id_order.");
      store.put(name, id, doc);
      touch(doc);
    },
    remove(id) {
      touch(store.get(name, id));
      return store.remove(name, id);
    },
  });
  const single = (name: string): Resource => ({
    put: (id, sent) => store.put(name, id, read(name, id, sent)),
    remove: (id) => store.remove(name, id),
  });
  return {
    answer: (call) => answer(call, deps),
    topics: TOPICS,
    resources: {
      orders: {
        put(id, sent) {
          const bundle = bundleIn(sent);
          const order = read("orders", id, bundle ? bundle.order : sent);
          const places = bundle ? putParts(bundle, store, now) : {};
          store.put("orders", id, stamped({ ...places, ...order }));
        },
        remove: (id) => store.remove("orders", id),
      },
      ...Object.fromEntries(
        ["order_details", "order_slip", "order_cart_rules"].map((name) => [name, ofOrder(name)]),
      ),
      ...Object.fromEntries(
        [
          ...["order_payments", "addresses", "countries", "currencies", "taxes", "order_states"],
          "configurations",
        ].map((name) => [name, single(name)]),
      ),
    },
    bodyOf: (topic, id, sends) => bodyOf({ topic, id, sends }, deps),
    webhooksOf: () => [],
    giveUp: () => undefined,
  };
}

/** One document of JSON or XML, with or without its envelope. */
function read(resource: string, id: string, sent: unknown): Doc {
  const [one = ""] = NAMES[resource] ?? [];
  const given = typeof sent === "string" ? fromXml(sent) : sent;
  const doc = unwrapped(given, one, "data");
  if (!isDoc(doc)) throw new Unusable(`Send the ${one} as the webservice answers it, as JSON or XML.`);
  return withId(doc, id);
}

/** Documents of one order, as a module of the shop delivers them. */
function bundleIn(sent: unknown): Doc | undefined {
  const given = typeof sent === "string" ? fromXml(sent) : sent;
  const documents = isDoc(member(given, "documents")) ? member(given, "documents") : given;
  return isDoc(documents) && isDoc(documents.order) ? documents : undefined;
}

/** Puts the documents next to the order, and answers the members by which the order names its addresses. */
function putParts(bundle: Doc, store: ShopDeps["store"], now: () => number): Doc {
  for (const resource of ["order_details", "order_slip", "order_cart_rules"]) {
    const [, many = ""] = NAMES[resource] ?? [];
    for (const doc of docsOf(bundle[many])) store.put(resource, textOf(doc.id) ?? String(now()), doc);
  }
  const places: Record<string, unknown> = {};
  for (const [name, resource] of [
    ["address_invoice", "addresses"],
    ["address_delivery", "addresses"],
    ["currency", "currencies"],
    ["order_state", "order_states"],
    ["country_invoice", "countries"],
    ["country_delivery", "countries"],
  ] as const) {
    const doc = bundle[name];
    const id = isDoc(doc) ? textOf(doc.id) : undefined;
    if (!isDoc(doc) || id === undefined) continue;
    store.put(resource, id, doc);
    if (resource === "addresses") places[`id_${name}`] = id;
  }
  for (const tax of docsOf(bundle.taxes)) store.put("taxes", textOf(tax.id) ?? "", tax);
  return places;
}

function entriesOf(resource: string, { store }: ShopDeps): readonly Doc[] {
  const own = store.list(resource);
  const ids = new Set(own.map((doc) => textOf(doc.id)));
  return [...(GIVEN[resource] ?? []).filter((doc) => !ids.has(textOf(doc.id))), ...own];
}

function entryOf(resource: string, id: unknown, deps: ShopDeps): Doc | undefined {
  const wanted = textOf(id);
  return entriesOf(resource, deps).find((doc) => textOf(doc.id) === wanted);
}

interface Delivered {
  readonly topic: string;
  readonly id: string;
  readonly sends: "documents" | "hint";
}

/** The documents of an order, as a module of the shop sends them. */
function bodyOf({ topic, id, sends }: Delivered, deps: ShopDeps): object | undefined {
  const slip = topic === "order_slip" ? deps.store.get("order_slip", id) : undefined;
  const orderId = topic === "order_slip" ? textOf(slip?.id_order) : id;
  const order = orderId === undefined ? undefined : deps.store.get("orders", orderId);
  if (topic === "order_slip" ? !slip : !order) return undefined;
  if (sends === "hint") return { resource: topic, id };
  const ofOrder = (resource: string) =>
    deps.store.list(resource).filter((doc) => textOf(doc.id_order) === orderId);
  const [invoice, delivery] = [
    entryOf("addresses", order?.id_address_invoice, deps),
    entryOf("addresses", order?.id_address_delivery, deps),
  ];
  const parts = {
    order,
    order_details: ofOrder("order_details"),
    order_slips: ofOrder("order_slip"),
    order_cart_rules: ofOrder("order_cart_rules"),
    address_invoice: invoice,
    address_delivery: delivery,
    country_invoice: entryOf("countries", invoice?.id_country, deps),
    country_delivery: entryOf("countries", delivery?.id_country, deps),
    currency: entryOf("currencies", order?.id_currency, deps),
    taxes: entriesOf("taxes", deps),
    order_state: entryOf("order_states", order?.current_state, deps),
  };
  const known = Object.entries(parts).filter(([, part]) => (Array.isArray(part) ? part.length > 0 : part));
  return { documents: Object.fromEntries(known) };
}

function answer(call: Call, deps: ShopDeps): Response {
  const { method, path, query, headers } = call;
  const isJson = /^json$/i.test(query.get("output_format") ?? headers.get("Output-Format") ?? "");
  const write = (members: Doc | readonly [], status = 200, more: Readonly<Record<string, string>> = {}) =>
    written(members, { status, isJson, more });
  const refused = (status: number, code: number, message: string, more?: Readonly<Record<string, string>>) =>
    write({ errors: [{ code, message }] }, status, more);
  const [user] = basicOf(headers) ?? [query.get("ws_key")];
  if (user !== deps.credentials.key) {
    return refused(
      401,
      user ? 17 : 16,
      user ? "Invalid authentication key format" : "Authentication key is empty",
      {
        "WWW-Authenticate": 'Basic realm="Enter the authentication key as the login. No password required."',
      },
    );
  }
  const [, resource = "", id] = /^\/api\/([a-z_]+)(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  const names = NAMES[resource];
  if (!names) return refused(400, 29, `Resource of type "${resource}" does not exists.`);
  if (method !== "GET" && method !== "HEAD") {
    return refused(405, 25, `Method ${method} is not allowed for the resource ${resource}`);
  }
  const [one, many] = names;
  if (id !== undefined) {
    const doc = entryOf(resource, decodeURIComponent(id), deps);
    return doc ? write({ [one]: doc }) : write([], 404);
  }
  const found = listed(entriesOf(resource, deps), query);
  if (isRefusal(found)) return refused(400, found.code, found.message);
  // An empty list loses its name.
  return write(found.length > 0 ? { [many]: found } : []);
}

function isRefusal(found: readonly Doc[] | ListRefusal): found is ListRefusal {
  return "code" in found;
}

interface Form {
  readonly status: number;
  readonly isJson: boolean;
  readonly more: Readonly<Record<string, string>>;
}

function written(members: Doc | readonly [], { status, isJson, more }: Form): Response {
  const headers = { "X-Powered-By": "PrestaShop Webservice", "PSWS-Version": VERSION, ...more };
  const type = isJson ? "application/json" : "text/xml";
  const singularOf = (plural: string) => {
    const known = Object.values(NAMES).find(([, many]) => many === plural);
    return known?.[0] ?? plural.replace(/s$/, "");
  };
  const text = isJson ? JSON.stringify(members) : toXml(isDoc(members) ? members : {}, singularOf);
  return new Response(text, {
    status,
    headers: { ...headers, "Content-Type": `${type}; charset=utf-8` },
  });
}
