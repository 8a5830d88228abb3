/** Every route of the console, its lists filtered and searched in all ways, forward and back from their middle. */

import { chanceOf } from "../books/chance.ts";
import { orderBodyOf, withUnknownCharge } from "../books/orders.ts";
import { api, type Call, cursor, ofBusy, ofWaiting, owner, succeed, type Turn } from "./call.ts";

const get = (path: (turn: Turn) => string): Pick<Call, "ask" | "status"> => ({
  ask: (turn) => owner(turn, "GET", path(turn)),
  status: 200,
});

/** One of each state after the other: an amended record waits for its answer. */
const amended = new Map<string, number>();

function nextRejected({ state, facts }: Turn): string {
  const next = (amended.get(state.dir) ?? 0) + 1;
  amended.set(state.dir, next);
  const id = facts.rejected[next];
  if (id === undefined) throw new Error("all rejected invoices are amended");
  return id;
}

type Filter = (turn: Turn) => Readonly<Record<string, string>>;
const query = (path: string, filter: Filter) => (turn: Turn) =>
  `${path}?${new URLSearchParams(filter(turn))}`;

const place = ({ facts }: Turn) => ({ place: facts.place, first: 500 });
const older: Filter = (turn) => ({ cursor: cursor("after", place(turn)) });
const newer: Filter = (turn) => ({ cursor: cursor("before", place(turn)) });
const month: Filter = ({ facts }) => ({ month: facts.month });
const series: Filter = ({ facts }) => ({ series: facts.series });
const connection: Filter = ({ state }) => ({ connection: state.busy.id });
const stateOf =
  (state: string): Filter =>
  () => ({ state });
const search =
  (of: (turn: Turn) => string): Filter =>
  (turn) => ({ search: of(turn) });
const both =
  (...filters: readonly Filter[]): Filter =>
  (turn) =>
    Object.assign({}, ...filters.map((filter) => filter(turn)));

const INVOICE_FILTERS: Readonly<Record<string, Filter>> = {
  "newest page": () => ({}),
  "page forward": older,
  "page back": newer,
  "of a month": month,
  "of a month, forward": both(month, older),
  "of a state, all": stateOf("accepted"),
  "of a state, few": stateOf("rejected"),
  "of a state, none left": stateOf("submitted"),
  "of a state, forward": both(stateOf("accepted_with_errors"), older),
  "of a series": series,
  "of a series, back": both(series, newer),
  "of a connection": connection,
  "of a connection, forward": both(connection, older),
  "of month, state, series and connection": both(month, stateOf("accepted"), series, connection),
  "search, number": search(({ facts }) => facts.fullNumber),
  "search, tax number": search(({ facts }) => facts.taxNumber),
  "search, external id": search(({ facts }) => facts.externalId),
  "search, order id": search(({ facts }) => facts.invoiced.id),
  "search, a common name": search(() => "García"),
  "search, two words": search(() => "garcia lucia"),
  "search, beginning of many words": search(() => "w"),
  "search, no match": search(() => "zzyzx"),
  "search in a month": both(
    search(() => "garcia"),
    month,
  ),
  "search, forward": both(
    search(() => "garcia"),
    older,
  ),
};

const orderKey = ({ facts, state }: Turn) => ({
  orderedAt: facts.invoiced.orderedAt,
  ...{ connectionId: state.busy.id, idExternal: facts.invoiced.id },
});
const ordersForward: Filter = (turn) => ({ cursor: cursor("after", orderKey(turn)) });
const ordersBack: Filter = (turn) => ({ cursor: cursor("before", orderKey(turn)) });

const ORDER_FILTERS: Readonly<Record<string, Filter>> = {
  "newest page": () => ({}),
  "page forward": ordersForward,
  "page back": ordersBack,
  "of a month": month,
  "of a month, forward": both(month, ordersForward),
  "of a state, many": stateOf("invoiced"),
  "of a state, few": stateOf("held"),
  "of a state, none": stateOf("cancelled"),
  "of a state, forward": both(stateOf("held"), ordersForward),
  "of a store": () => ({ store: "1" }),
  "of a store, back": both(() => ({ store: "1" }), ordersBack),
  "of a connection": connection,
  "of month, state, store and connection": both(
    month,
    stateOf("invoiced"),
    () => ({ store: "2" }),
    connection,
  ),
};

const reviewKey = ({ facts, state }: Turn) => ({
  dueDate: facts.held.dueDate,
  ...{ connectionId: state.busy.id, idExternal: facts.held.id },
});
const REASON = { reason: "untreated_total" };

const listed = (of: string, path: string, filters: Readonly<Record<string, Filter>>): readonly Call[] =>
  Object.entries(filters).map(([name, filter]) => ({ name: `${of}, ${name}`, ...get(query(path, filter)) }));

const heldOrder = ({ facts }: Turn) => `order_id=${encodeURIComponent(facts.held.id)}`;
const oldOrder = ({ facts }: Turn) => `order_id=${encodeURIComponent(facts.invoiced.id)}`;

export const INVOICE_PAGES: readonly Call[] = [
  { name: "overview", ...get(() => "/overview") },
  { name: "overview of a connection", ...get((turn) => `/overview?connection=${turn.state.busy.id}`) },
  {
    name: "attention",
    ...get(() => "/overview/attention"),
    grows: "counts the orders on hold, by one index",
  },
  ...listed("invoices", "/invoices", INVOICE_FILTERS),
  { name: "invoices, what can be chosen", ...get(() => "/invoices/choices") },
  { name: "invoice", ...get(({ facts }) => `/invoices/${facts.invoiceId}`) },
  { name: "invoice, rejected", ...get(({ facts }) => `/invoices/${facts.rejected[0]}`) },
  { name: "invoice, PDF", ...get(({ facts }) => `/invoices/${facts.invoiceId}/pdf`) },
  { name: "invoice, XML", ...get(({ facts }) => `/invoices/${facts.invoiceId}/xml`) },
  {
    name: "amend a rejected invoice",
    ask: (turn) =>
      owner(turn, "POST", `/invoices/${nextRejected(turn)}/corrections`, {
        ...{ correction: "amend", deed: `amend-${turn.n}`, description: `Venta corregida, ${turn.n}` },
      }),
    status: 200,
    most: 1,
  },
  { name: "notice", ...get(() => "/notice") },
  {
    name: "submission",
    ...get(() => "/submission"),
    grows: "counts refused records without a correction",
  },
  {
    name: "attempts",
    ...get((turn) => ofBusy(turn, `/submission/attempts?installation=${turn.facts.installationId}`)),
  },
  {
    name: "attempts, further",
    ...get((turn) =>
      ofBusy(
        turn,
        `/submission/attempts?installation=${turn.facts.installationId}&cursor=${cursor("after", turn.facts.attempt)}`,
      ),
    ),
  },
  {
    name: "verification, first part",
    ask: (turn) => owner(turn, "POST", ofBusy(turn, "/verification/check"), {}),
    status: 200,
    most: 8,
    grows: "parts are as long as time allows",
  },
  {
    name: "export of a month, invoices",
    ...get((turn) => ofBusy(turn, `/exports/invoices.csv?month=${turn.facts.month}`)),
    most: 2,
    grows: "with the invoices of the month",
  },
  {
    name: "export of a month, records",
    ...get((turn) => ofBusy(turn, `/exports/records.xml?month=${turn.facts.month}`)),
    most: 2,
    grows: "with the records of the month",
  },
];

export const ORDER_PAGES: readonly Call[] = [
  ...listed("orders", "/orders", ORDER_FILTERS),
  { name: "orders, search by id", ...get(({ facts }) => `/orders/search?text=${facts.invoiced.id}`) },
  { name: "orders, search by beginning", ...get(() => "/orders/search?text=W-") },
  {
    name: "orders, search by reference",
    ...get(({ facts }) => `/orders/search?text=WEB-${facts.invoiced.id}`),
  },
  { name: "orders, search, none", ...get(() => "/orders/search?text=zzyzx") },
  { name: "orders, places", ...get(() => "/orders/places") },
  { name: "order", ...get((turn) => ofBusy(turn, `/order?${oldOrder(turn)}`)) },
  { name: "order, as sent", ...get((turn) => ofBusy(turn, `/order/sent?${oldOrder(turn)}`)) },
  {
    name: "order, alike",
    ...get((turn) => ofBusy(turn, `/order/alike?${heldOrder(turn)}&code=${REASON.reason}&about=cod_fee`)),
    grows: "counts the waiting orders, up to 2,000",
  },
  {
    name: "order, preview of an answer",
    ask: (turn) =>
      owner(turn, "POST", ofBusy(turn, "/order/preview"), {
        order_id: turn.facts.held.id,
        answers: [ANSWER],
      }),
    status: 200,
  },
  {
    name: "order, answer",
    before: (turn) => succeed(turn.ask(api(turn, "POST", "/api/v1/order", heldBody(turn)))),
    ask: (turn) =>
      owner(turn, "POST", ofBusy(turn, "/order/answers"), { order_id: turn.n, answers: [ANSWER] }),
    status: 200,
  },
  { name: "review", ...get(() => "/review") },
  { name: "review of a reason", ...get(query("/review", () => REASON)) },
  {
    name: "review, forward",
    ...get(query("/review", (turn) => ({ cursor: cursor("after", reviewKey(turn)) }))),
  },
  {
    name: "review, back",
    ...get(query("/review", (turn) => ({ cursor: cursor("before", reviewKey(turn)) }))),
  },
  { name: "review, count", ...get(() => "/review/count"), grows: "counts up to 1,000" },
  { name: "review, groups", ...get(() => "/review/groups") },
  {
    name: "review, place",
    ...get((turn) =>
      query("/review/place", ({ state, facts }) => ({
        ...{ of_connection: state.busy.id, order_id: facts.held.id, due: facts.held.dueDate },
      }))(turn),
    ),
    grows: "counts the orders before it, up to 1,000",
  },
  {
    name: "orders that wait for consent",
    ...get((turn) => ofWaiting(turn, "/waiting?cutoff=2024-01-01")),
    grows: "sums the waiting orders, by one index",
  },
  { name: "effect of a cutoff", ...get((turn) => ofBusy(turn, "/waiting/cutoff?cutoff=2023-12-01")) },
  { name: "progress of a release", ...get((turn) => ofBusy(turn, "/waiting/progress")) },
];

const heldBody = ({ n, index, at }: Turn) =>
  withUnknownCharge(orderBodyOf(n, at - 3_600_000, chanceOf(index + 1)));

const ANSWER = {
  answer: "declare_treatment",
  code: "cod_fee",
  treatment: { as: "fee", rate: "21" },
};

const auditCursor =
  (side: "older" | "newer"): Filter =>
  ({ facts }) => ({
    cursor: `${side}.${facts.audit.at}.${facts.audit.row}`,
  });

export const SETTINGS_PAGES: readonly Call[] = [
  { name: "me", ask: () => ({ method: "GET", path: "/api/me" }), status: 200 },
  { name: "declaration", ask: () => ({ method: "GET", path: "/api/declaration" }), status: 200 },
  { name: "connections", ...get(() => "/connections") },
  { name: "connection", ...get((turn) => ofBusy(turn, "")) },
  { name: "profiles of all connections", ...get(() => "/profiles") },
  { name: "profiles", ...get((turn) => ofBusy(turn, "/profiles")) },
  { name: "company", ...get(() => "/company") },
  { name: "people", ...get(() => "/people") },
  { name: "setup", ...get((turn) => ofBusy(turn, "/setup")) },
  { name: "consent text", ...get((turn) => ofWaiting(turn, "/consent-text?cutoff_date=2026-11-28")) },
  { name: "activity", ...get(() => "/activity") },
  { name: "activity, older", ...get(query("/activity", auditCursor("older"))) },
  { name: "activity, newer", ...get(query("/activity", auditCursor("newer"))) },
  { name: "activity of a person", ...get(() => "/activity?person=demo-owner") },
  {
    name: "activity of an area",
    ...get(
      query(
        "/activity",
        both(() => ({ area: "profiles" }), auditCursor("older")),
      ),
    ),
  },
  { name: "activity of an area, few", ...get(() => "/activity?area=webhooks") },
  {
    name: "activity of person, area and days",
    ...get(
      query("/activity", ({ facts }) => ({
        ...{ person: "demo-owner", area: "profiles", from: `${facts.month}-01`, to: `${facts.month}-28` },
      })),
    ),
  },
  { name: "activity, people", ...get(() => "/activity/people") },
  { name: "webhooks", ...get((turn) => ofBusy(turn, "/webhooks")) },
  {
    name: "webhook, deliveries",
    ...get((turn) => ofBusy(turn, `/webhooks/${turn.facts.webhookId}/deliveries`)),
  },
  {
    name: "webhook, further deliveries",
    ...get(({ facts, ...turn }) =>
      ofBusy(
        { facts, ...turn },
        `/webhooks/${facts.webhookId}/deliveries?cursor=${facts.deliveredAt.askedAt}.${facts.deliveredAt.row}`,
      ),
    ),
  },
  {
    name: "webhook, test",
    ask: (turn) => owner(turn, "POST", ofBusy(turn, `/webhooks/${turn.facts.webhookId}/tests`)),
    status: 202,
  },
  {
    name: "set a tag rule",
    ask: (turn) => owner(turn, "PUT", ofBusy(turn, "/tags"), { tag: turn.n, action: "ignore" }),
    status: 200,
    most: 20,
    grows: "marks every held order to be decided again",
  },
  {
    name: "open a key",
    before: retireOthers,
    ask: (turn) => owner(turn, "POST", ofWaiting(turn, "/keys")),
    status: 201,
    most: 20,
  },
  {
    name: "switch customer access",
    ask: (turn) => owner(turn, "PUT", ofWaiting(turn, "/access"), { enabled: turn.index % 2 === 1 }),
    status: 200,
  },
];

/** No connection has three keys. */
async function retireOthers(turn: Turn): Promise<void> {
  const { text } = await succeed(turn.ask(owner(turn, "GET", ofWaiting(turn, ""))));
  const { data }: { readonly data: { readonly keys: readonly { readonly id: string }[] } } = JSON.parse(text);
  for (const { id } of data.keys.slice(1))
    await succeed(turn.ask(owner(turn, "DELETE", ofWaiting(turn, `/keys/${id}`))));
}
