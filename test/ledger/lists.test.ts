/** Lists of the API: every page, filter and cursor, against the books as they are. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listedInvoiceAnswer } from "../../src/api/wire/issued-response.ts";
import { listedOrderAnswer } from "../../src/api/wire/order-response.ts";
import { invoiceListReads } from "../../src/db/invoices/listed-invoices.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import worker from "../../src/worker.ts";
import { fillUp } from "../support/worlds/filled-books.ts";
import { getOrder, postOrder } from "../support/worlds/http-calls.ts";
import { clientOf, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aShopSince, onTheDay } from "../support/worlds/old-years.ts";
import { aSentOrder, openCommerce } from "../support/worlds/order-calls.ts";
import { HELD } from "../support/worlds/order-changes.ts";
import { correctRecord, settleRecord } from "../support/worlds/owners.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

afterEach(() => {
  vi.useRealTimers();
});

interface Item {
  readonly invoice_id: string;
  readonly origin: string;
  readonly external_id: string | null;
  readonly order_id: string | null;
  readonly full_number: string;
  readonly state: string;
  readonly cancelled: boolean;
  readonly id_external: string;
}

interface Page {
  readonly status: number;
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly error: string | undefined;
  readonly details: readonly string[];
}

interface Body {
  readonly data?: { readonly items: readonly Item[]; readonly next_cursor: string | null };
  readonly error_code?: string;
  readonly details?: readonly { readonly path: string; readonly code: string }[];
}

async function pageOf(shop: Pick<Shop, "key">, list: string, query: Record<string, string> = {}) {
  const url = `https://api.example/api/v1/${list}?${new URLSearchParams(query)}`;
  const request = new Request<unknown, IncomingRequestCfProperties>(url, {
    headers: { "X-API-KEY": shop.key },
  });
  const response = await worker.fetch(request, env, createExecutionContext());
  const { data, error_code: error, details = [] } = await response.json<Body>();
  const page: Page = {
    status: response.status,
    items: data?.items ?? [],
    next: data?.next_cursor ?? null,
    error,
    details: details.map(({ path, code }) => `${path} ${code}`),
  };
  return page;
}

/** Every page of a list, with what is done between two of them. */
async function pagesOf(
  shop: Shop,
  list: string,
  query: Record<string, string>,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<readonly Page[]> {
  const pages = [await pageOf(shop, list, query)];
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
    await between(pages.length);
    pages.push(await pageOf(shop, list, { ...query, cursor: next }));
  }
  return pages;
}

const namesIn = (pages: readonly Page[]) =>
  pages.map(({ items }) => items.map((item) => item.external_id ?? item.order_id));

async function issueAll(shop: Shop, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await clientOf(shop).issue(id)).outcome).toBe("issued");
}

async function idOf(shop: Shop, externalId: string): Promise<string> {
  const read = await clientOf(shop).read(externalId);
  if (read.outcome !== "found") throw new Error(read.outcome);
  return read.invoice.invoiceId;
}

describe("invoices", () => {
  test("come newest first, of orders too, and issuing meanwhile repeats and skips none", async () => {
    const shop = await openShop();
    await issueAll(shop, "a1", "a2", "a3");
    await postOrder(shop, aSentOrder("5001"));
    await issueAll(shop, "a4");
    const pages = await pagesOf(shop, "invoices", { limit: "2" }, (page) => issueAll(shop, `b${page}`));
    expect(namesIn(pages)).toEqual([["a4", "5001"], ["a3", "a2"], ["a1"]]);
    expect(namesIn([await pageOf(shop, "invoices", { limit: "2" })])).toEqual([["b2", "b1"]]);
  });

  test("have what the schema of the list says, with formats and what they are of", async () => {
    const shop = await openShop();
    await issueAll(shop, "a1");
    await postOrder(shop, aSentOrder("5001"));
    const { items } = await pageOf(shop, "invoices");
    for (const item of items) expect(listedInvoiceAnswer.safeParse(item).error).toBeUndefined();
    expect(items.map(({ origin, external_id, order_id }) => [origin, external_id, order_id])).toEqual([
      ["order", null, "5001"],
      ["direct", "a1", null],
    ]);
    expect(items[1]).toMatchObject({
      ...{ invoice_id: await idOf(shop, "a1"), invoice_type: "F1", documentary_regime: "art6_full" },
      ...{ currency: "EUR", state: "pending_submission", cancelled: false },
      totals: { total: 121 },
      totals_eur: { total: 121 },
      formats: [{ format: "pdf", available: true, reasons: [] }, {}, {}, {}],
    });
  });

  test("a full page at the end of the list has no cursor, and an empty list none either", async () => {
    const shop = await openShop();
    expect(await pageOf(shop, "invoices")).toMatchObject({ status: 200, items: [], next: null });
    await issueAll(shop, "a1", "a2");
    expect(await pageOf(shop, "invoices", { limit: "2" })).toMatchObject({ next: null });
  });

  test("are found by type and state; an annulment outranks the state of the registration", async () => {
    const shop = await openShop();
    const client = clientOf(shop);
    await issueAll(shop, "full", "gone");
    await client.issue("ticket", SIMPLIFIED);
    await client.cancel("gone");
    await settleRecord(shop, await idOf(shop, "full"), { state: "accepted" });
    const found = async (query: Record<string, string>) =>
      namesIn(await pagesOf(shop, "invoices", query)).flat();
    expect(await found({ type: "F1" })).toEqual(["gone", "full"]);
    expect(await found({ type: "F2,R1" })).toEqual(["ticket"]);
    expect(await found({ state: "cancelled" })).toEqual(["gone"]);
    expect(await found({ state: "pending_submission" })).toEqual(["ticket"]);
    expect(await found({ state: "accepted,cancelled" })).toEqual(["gone", "full"]);
    expect(await found({ state: "rejected" })).toEqual([]);
    const { items } = await pageOf(shop, "invoices", { state: "cancelled" });
    expect(items.map(({ state, cancelled }) => [state, cancelled])).toEqual([["cancelled", true]]);
  });

  test("the state is that of the newest amendment", async () => {
    const shop = await openShop();
    await issueAll(shop, "a1");
    const invoiceId = await idOf(shop, "a1");
    await settleRecord(shop, invoiceId, { state: "rejected", code: 1100 });
    expect((await pageOf(shop, "invoices", { state: "rejected" })).items).toHaveLength(1);
    await correctRecord(shop, invoiceId, { correction: "amend", change: { description: "Otra" } }, "amended");
    expect((await pageOf(shop, "invoices", { state: "rejected" })).items).toHaveLength(0);
    expect((await pageOf(shop, "invoices", { state: "pending_submission" })).items).toHaveLength(1);
  });

  test("are found by their days, both included, in summer and winter", async () => {
    const shop = await aShopSince(2018);
    // The last half hour of a day by UTC belongs to the next day in Madrid.
    const moments = [
      ...(["2018-01-31 22:30", "2018-01-31 23:30", "2018-06-30 21:30"] as const),
      ...(["2018-06-30 22:30", "2018-07-01 21:30", "2018-12-31 22:30"] as const),
    ];
    for (const [index, moment] of moments.entries()) {
      onTheDay(moment.slice(0, 10), `${moment.slice(11)}:00`);
      await issueAll(shop, `n${index}`);
    }
    const found = async (query: Record<string, string>) =>
      namesIn(await pagesOf(shop, "invoices", { limit: "1", ...query })).flat();
    expect(await found({ from: "2018-02-01" })).toEqual(["n5", "n4", "n3", "n2", "n1"]);
    expect(await found({ to: "2018-06-30" })).toEqual(["n2", "n1", "n0"]);
    expect(await found({ from: "2018-02-01", to: "2018-07-01" })).toEqual(["n4", "n3", "n2", "n1"]);
    expect(await found({ from: "2018-07-01", to: "2018-07-01" })).toEqual(["n4", "n3"]);
    expect(await found({ from: "2018-03-01", to: "2018-03-31" })).toEqual([]);
    expect(await found({ from: "2019-01-01" })).toEqual([]);
    expect(await found({ to: "2017-12-31" })).toEqual([]);
  });

  test("that a filter finds behind thousands of others come after pages without items", async () => {
    const shop = await openShop();
    await issueAll(shop, "first");
    await clientOf(shop).issue("ticket", SIMPLIFIED);
    await fillUp(shop, 2_500);
    await issueAll(shop, "last");
    const pages = await pagesOf(shop, "invoices", { type: "F1" });
    expect(namesIn(pages)).toEqual([["last"], [], ["first"]]);
  });

  test("of an older chain come after those of the newer one", async () => {
    const shop = await openShop();
    await issueAll(shop, "a1", "a2");
    const read = invoiceListReads(env.LEDGER_000, shop.connectionId);
    expect(await read({ limit: 1, place: { chain: 7 } })).toMatchObject({ origins: ["direct:a2"] });
    const place = { chain: 2, before: 1 };
    expect(await read({ limit: 5, place })).toEqual({ origins: ["direct:a2", "direct:a1"] });
    expect(await read({ limit: 5, place: { chain: 1, before: 2 } })).toEqual({ origins: ["direct:a1"] });
    expect(await read({ limit: 5, place: { chain: 0 } })).toEqual({ origins: [] });
    expect(await read({ limit: 5, from: civilDate("2100-01-01") })).toEqual({ origins: [] });
  });

  test("of other connections never come, in the same account neither", async () => {
    const shop = await openShop();
    const sister = await openShop({ accountId: shop.accountId });
    await issueAll(shop, "ours");
    await issueAll(sister, "theirs");
    expect(namesIn([await pageOf(shop, "invoices"), await pageOf(sister, "invoices")])).toEqual([
      ["ours"],
      ["theirs"],
    ]);
  });
});

describe("orders", () => {
  const idsIn = (pages: readonly Page[]) => pages.map(({ items }) => items.map((item) => item.id_external));

  test("come last changed first, as reading tells them without the sentences", async () => {
    const shop = await openCommerce();
    for (const id of ["o1", "o2", "o3"]) await postOrder(shop, aSentOrder(id, id === "o2" ? HELD : {}));
    const { items } = await pageOf(shop, "orders");
    for (const item of items) {
      expect(listedOrderAnswer.safeParse(item).error).toBeUndefined();
      const { body } = await getOrder(shop, item.id_external);
      const withoutMessage = ({ message: _, ...rest }: { readonly message: string }) => rest;
      const { reasons = [], warnings = [], ...rest } = body.data ?? {};
      expect(item).toEqual({
        ...rest,
        reasons: reasons.map(withoutMessage),
        warnings: warnings.map(withoutMessage),
      });
    }
    expect(new Set(items.map(({ id_external }) => id_external))).toEqual(new Set(["o1", "o2", "o3"]));
  });

  test("are paged by their last change, and found by state and time", async () => {
    const shop = await openCommerce();
    const [first, second] = ["2026-12-01", "2026-12-02"];
    onTheDay(first);
    await postOrder(shop, aSentOrder("o1"));
    await postOrder(shop, aSentOrder("o2", HELD));
    onTheDay(second);
    await postOrder(shop, aSentOrder("o3"));
    await postOrder(shop, aSentOrder("o4", HELD));
    expect(idsIn(await pagesOf(shop, "orders", { limit: "3" }))).toEqual([["o4", "o3", "o2"], ["o1"]]);
    expect(idsIn(await pagesOf(shop, "orders", { limit: "1", state: "held" }))).toEqual([["o4"], ["o2"]]);
    const since = async (updated_since: string) => idsIn([await pageOf(shop, "orders", { updated_since })]);
    expect(await since(`${second}T12:00:00Z`)).toEqual([["o4", "o3"]]);
    expect(await since(`${second}T13:00:00+01:00`)).toEqual([["o4", "o3"]]);
    expect(await since(`${second}T12:00:01Z`)).toEqual([[]]);
    expect(await since(`${first}T12:00:00 00:00`)).toEqual([["o4", "o3", "o2", "o1"]]);
  });

  test("one that changes moves to the front", async () => {
    const shop = await openCommerce();
    onTheDay("2026-12-01");
    await postOrder(shop, aSentOrder("o1"));
    onTheDay("2026-12-02");
    await postOrder(shop, aSentOrder("o2"));
    onTheDay("2026-12-03");
    await postOrder(shop, aSentOrder("o1", { reference: "otra" }));
    expect(idsIn([await pageOf(shop, "orders")])).toEqual([["o1", "o2"]]);
  });

  test("a connection without orders is refused", async () => {
    const shop = await openShop({ connection: { kind: "accounting" } });
    const { status, error } = await pageOf(shop, "orders");
    expect([status, error]).toEqual([403, "orders_not_supported_by_connection"]);
  });
});

describe("a cursor", () => {
  test("of another connection or list, or of nobody, is refused in the same words", async () => {
    const [shop, other] = [await openShop(), await openShop()];
    await issueAll(shop, "a1", "a2");
    await issueAll(other, "b1", "b2");
    const { next } = await pageOf(other, "invoices", { limit: "1" });
    const own = (await pageOf(shop, "invoices", { limit: "1" })).next ?? "";
    const broken = ["", "x", `${own}A`, own.slice(0, -3), "eyJhIjoxfQ", "é"];
    for (const cursor of [next ?? "", ...broken]) {
      const { status, error, details } = await pageOf(shop, "invoices", { cursor });
      expect([cursor, status, error, details]).toEqual([
        cursor,
        422,
        "validation_failed",
        ["cursor invalid_value"],
      ]);
    }
    expect((await pageOf(shop, "orders", { cursor: own })).details).toEqual(["cursor invalid_value"]);
    expect((await pageOf(shop, "invoices", { cursor: own })).status).toBe(200);
  });
});

test.each([
  ["invoices", "limit", "0", "invalid_value"],
  ["invoices", "limit", "101", "invalid_value"],
  ["invoices", "limit", "1.5", "invalid_value"],
  ["invoices", "from", "2026-02-30", "invalid_date"],
  ["invoices", "to", "mañana", "invalid_date"],
  ["invoices", "type", "F1,F9", "not_allowed"],
  ["invoices", "type", "", "not_allowed"],
  ["invoices", "state", "held", "not_allowed"],
  ["invoices", "updated_since", "2026-01-01T00:00:00Z", "unknown_parameter"],
  ["orders", "state", "accepted", "not_allowed"],
  ["orders", "updated_since", "2026-01-01", "invalid_value"],
  ["orders", "from", "2026-01-01", "unknown_parameter"],
])("%s with %s=%s: %s", async (list, name, value, code) => {
  const shop = await openShop();
  const { status, details } = await pageOf(shop, list, { [name]: value });
  expect([status, details]).toEqual([422, [`${name} ${code}`]]);
});

test("a last day before the first one is refused", async () => {
  const shop = await openShop();
  const { details } = await pageOf(shop, "invoices", { from: "2026-02-02", to: "2026-02-01" });
  expect(details).toEqual(["to invalid_value"]);
});
