/** Customers' access to invoices, the whole path in workerd: HTTP, KV, object, D1. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { failBefore, gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { kvCalls } from "../support/faults/wrapped-kv.ts";
import {
  access,
  anEdgeOverAll,
  type Edge,
  openShopWith,
  post,
  STORE,
  viewerUrl,
} from "../support/worlds/customer-views.ts";
import { aSentOrder, aSentRefund, orderConnector } from "../support/worlds/order-calls.ts";
import { act, ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

let edge: Edge;
let shop: Shop;

beforeEach(async () => {
  kvCalls.reset();
  edge = anEdgeOverAll();
  shop = await openShopWith(["A-1", "A-2"]);
  faults.take();
});

afterEach(() => {
  vi.useRealTimers();
});

const LINK = { order_id: "A-1", presentation: "link" } as const;
const EMBED = { order_id: "A-1", presentation: "embed", origin: STORE } as const;

const available = (ids: readonly unknown[], who = shop) =>
  post(edge, who, "/api/v1/order/invoice-availability", { order_ids: ids });
const switchTo = (enabled: boolean) => act(shop, { verb: "switch_customer_access", enabled });

let networks = 0;

/** From a network of its own, so that none has looked too often. */
async function look(url: string) {
  const headers = { "CF-Connecting-IP": `2001:db8:${(networks++).toString(16)}::1` };
  const response = await edge.app.request(url, { headers });
  // PDFs and fonts are looked at by their first bytes.
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return { status: response.status, text, headers: response.headers };
}

async function turnCold(): Promise<void> {
  await evictDurableObject(ledgerStub(shop));
}

/** Trips to D1 and calls of KV that something costs. */
async function costOf(what: () => Promise<unknown>) {
  faults.take();
  kvCalls.take();
  await what();
  return {
    d1: faults.take().length,
    kv: kvCalls
      .take()
      .map(({ verb }) => verb)
      .join(" "),
  };
}

describe("availability", () => {
  test("in the order asked, unknown ones and those of others not available", async () => {
    const other = await openShopWith(["B-1"], { accountId: shop.accountId });
    const { status, data } = await available(["A-2", "none", "A-1", "B-1", "A-2"]);
    expect(status).toBe(200);
    expect(data.items).toEqual([
      { order_id: "A-2", state: "available" },
      { order_id: "none", state: "not_available" },
      { order_id: "A-1", state: "available" },
      { order_id: "B-1", state: "not_available" },
      { order_id: "A-2", state: "available" },
    ]);
    expect((await available(["B-1"], other)).data.items).toEqual([{ order_id: "B-1", state: "available" }]);
  });

  test("an order without invoice is not available, one with an invoice stays so while it is held", async () => {
    const connector = orderConnector(shop);
    const odd = { unmapped_totals: [{ code: "odd", title: "Odd", value: 3 }], total: 124 };
    await connector.send(aSentOrder("held", odd));
    await connector.send(
      aSentOrder("A-1", { correction_events: [{ id_external_event: "e", event_type: "unknown" }] }),
    );
    const { data } = await available(["held", "A-1"]);
    expect(data.items).toEqual([
      { order_id: "held", state: "not_available" },
      { order_id: "A-1", state: "available" },
    ]);
  });

  test("50 are one trip, warm and cold; 51 and none are refused", async () => {
    const fifty = Array.from({ length: 50 }, (_, index) => `A-${index}`);
    expect(await costOf(() => available(fifty))).toEqual({ d1: 1, kv: "" });
    await turnCold();
    expect(await costOf(() => available(fifty))).toEqual({ d1: 1, kv: "" });
    for (const ids of [[...fifty, "x"], [], "A-1", [{}]]) {
      expect(await post(edge, shop, "/api/v1/order/invoice-availability", { order_ids: ids })).toMatchObject({
        status: 422,
        body: { error_code: "validation_failed" },
      });
    }
  });

  test("numbers are ids, too", async () => {
    await orderConnector(shop).send(aSentOrder("77"));
    expect((await available([77])).data.items).toEqual([{ order_id: "77", state: "available" }]);
  });

  test("while access is off no link is to be shown", async () => {
    await switchTo(false);
    expect((await available(["A-1"])).data.items).toEqual([{ order_id: "A-1", state: "not_available" }]);
  });
});

describe("access", () => {
  test("a link", async () => {
    const { status, data } = await access(edge, shop, LINK);
    expect(status).toBe(200);
    expect(data).toEqual({
      state: "available",
      viewer_url: expect.stringMatching(/^https:\/\/api\.example\/v\/[\w-]{100,}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(String(data.viewer_url)).not.toContain("A-1");
    expect(await viewerUrl(edge, shop, "A-1")).not.toBe(data.viewer_url);
  });

  test("known without invoice: not_available, and no URL", async () => {
    const odd = { unmapped_totals: [{ code: "odd", title: "Odd", value: 3 }], total: 124 };
    await orderConnector(shop).send(aSentOrder("held", odd));
    const { status, data } = await access(edge, shop, { ...LINK, order_id: "held" });
    expect([status, data]).toEqual([200, { state: "not_available" }]);
  });

  test("costs one trip and one put, warm and cold", async () => {
    expect(await costOf(() => access(edge, shop, EMBED))).toEqual({ d1: 1, kv: "put" });
    await turnCold();
    expect(await costOf(() => access(edge, shop, EMBED))).toEqual({ d1: 1, kv: "put" });
  });

  test.each([
    ["no presentation", { order_id: "none" }, 422, "validation_failed"],
    ["another presentation", { ...LINK, presentation: "popup" }, 422, "validation_failed"],
    ["an origin of another type", { ...EMBED, origin: 7 }, 422, "validation_failed"],
    ["no origin to embed", { order_id: "none", presentation: "embed" }, 422, "origin_required"],
    ["an empty one", { ...EMBED, origin: " " }, 422, "origin_required"],
    [
      "a strange one, of an unknown order",
      { ...EMBED, order_id: "none", origin: "https://x.example" },
      422,
      "origin_not_allowed",
    ],
    ["an unknown order", { ...EMBED, order_id: "none" }, 404, "order_not_found"],
  ])("%s", async (_, body, status, code) => {
    expect(await access(edge, shop, body)).toMatchObject({ status, body: { error_code: code } });
    // Off outranks every other problem, and costs neither a row nor a snapshot.
    await switchTo(false);
    await access(edge, shop, LINK);
    expect(await costOf(() => access(edge, shop, body))).toEqual({ d1: 0, kv: "" });
    expect(await access(edge, shop, body)).toMatchObject({
      status: 403,
      body: { error_code: "customer_access_disabled" },
    });
  });

  test("an order of another connection is an unknown one", async () => {
    for (const options of [{ accountId: shop.accountId }, { ledger: "001" }] as const) {
      const other = await openShopWith(["B-1"], options);
      expect(await access(edge, other, LINK)).toMatchObject({ status: 404 });
      expect(await access(edge, other, { ...LINK, order_id: "B-1" })).toMatchObject({ status: 200 });
    }
  });

  test("a kind without orders has nothing to show", async () => {
    const other = await openShop({ connection: { kind: "accounting" }, consented: false });
    const refused = { status: 403, body: { error_code: "orders_not_supported_by_connection" } };
    expect(await access(edge, other, LINK)).toMatchObject(refused);
    expect(await access(edge, other, {})).toMatchObject(refused);
  });

  test.each([
    "null",
    "[]",
    "7",
    '"x"',
    "{}",
    '{"order_id":[]}',
    '{"order_id":"\\u0000","presentation":"link"}',
  ])("%s is no request, and no fault of ours", async (body) => {
    const response = await edge.app.request("https://api.example/api/v1/order/invoice-access", {
      method: "POST",
      headers: { "X-API-KEY": shop.key, "Content-Type": "application/json" },
      body,
    });
    expect(response.status).toBe(422);
  });
});

describe("origins", () => {
  const allowed = async (origin: string) =>
    (await access(edge, shop, { ...EMBED, origin })).body.error_code ?? "allowed";
  const add = (origin: string) => act(shop, { verb: "add_origin", origin });
  const remove = (origin: string) => act(shop, { verb: "remove_origin", origin });

  test("of a store as reported, exactly", async () => {
    expect(await allowed("https://tienda.example")).toBe("allowed");
    expect(await allowed("HTTPS://Tienda.Example:443")).toBe("allowed");
    for (const origin of [
      ...["https://tienda.example/", "https://tienda.example/es", "https://tienda.example:8443"],
      ...["http://tienda.example", "https://a@tienda.example", "https://*.example", "*", "null"],
      ...["https://tienda.example.attacker.example", "https://otra.example", "//tienda.example"],
      ...["https://tienda.example https://x.example", "https://tienda.example;script-src *"],
    ]) {
      expect([origin, await allowed(origin)]).toEqual([origin, "origin_not_allowed"]);
    }
  });

  test("registered ones count at once, and no longer when they are removed", async () => {
    expect(await add("https://Ñandú.example:8443")).toEqual({ outcome: "done" });
    expect(await add("https://xn--and-6ma2c.example:8443")).toEqual({ outcome: "done" });
    expect(await allowed("https://ñandú.example:8443")).toBe("allowed");
    expect(await allowed("https://ñandú.example")).toBe("origin_not_allowed");
    expect(await remove("https://ñandú.example:8443")).toEqual({ outcome: "done" });
    expect(await allowed("https://ñandú.example:8443")).toBe("origin_not_allowed");
    const lines = await env.LEDGER_000.prepare(
      "SELECT verb, facts FROM audit_log WHERE verb LIKE '%origin' ORDER BY rowid",
    ).raw();
    const facts = '{"origin":"https://xn--and-6ma2c.example:8443"}';
    expect(lines).toEqual([
      ["report_origin", '{"origin":"https://tienda.example","store_id":"1"}'],
      ["add_origin", facts],
      ["remove_origin", facts],
    ]);
  });

  test("one being removed is gone before D1 knows", async () => {
    await add("https://otra.example");
    await access(edge, shop, LINK);
    const held = faults.when((sql) => sql.some((text) => text.startsWith("delete")), gate());
    const removed = remove("https://otra.example");
    await held.reached();
    expect(await allowed("https://otra.example")).toBe("origin_not_allowed");
    held.open();
    expect(await removed).toEqual({ outcome: "done" });
  });

  test("an owner's mistake is reported, and there are at most 50", async () => {
    expect(await add("http://x.example")).toMatchObject({
      outcome: "refused",
      refusal: { code: "origin_invalid" },
    });
    for (let index = 0; index < 50; index++) await add(`https://s${index}.example`);
    expect(await add("https://s50.example")).toMatchObject({ refusal: { code: "too_many_origins" } });
    expect(await add("https://s49.example")).toEqual({ outcome: "done" });
  });
});

describe("the page", () => {
  test("shows the order's invoices, and each as PDF", async () => {
    await orderConnector(shop).send(
      aSentOrder("A-1", {
        shop: { id: "1" },
        reference: "R-A-1",
        correction_events: [aSentRefund("r", 50, 10.5, 21)],
      }),
    );
    const url = await viewerUrl(edge, shop, "A-1");
    const { status, text } = await look(url);
    expect(status).toBe(200);
    expect(text).toContain("Loza y Esparto");
    expect(text).toContain("R-A-1");
    const pdfs = [...text.matchAll(/href="(\/v\/[^"]+\.pdf)"/g)].map(([, path]) => path ?? "");
    expect(pdfs).toHaveLength(2);
    for (const path of pdfs) {
      const pdf = await look(`https://api.example${path}`);
      expect([pdf.status, pdf.text.slice(0, 5), pdf.headers.get("Content-Type")]).toEqual([
        200,
        "%PDF-",
        "application/pdf",
      ]);
      expect(pdf.headers.get("Content-Disposition")).toMatch(
        /^attachment; filename="PED-\w+-2026-\d{6}\.pdf"$/,
      );
    }
    expect((await look(`${url}/PED-1S-2026-000099.pdf`)).status).toBe(404);
  });

  test("a snapshot has the documents of the mint; without one they are the books' current ones", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    await orderConnector(shop).send(
      aSentOrder("A-1", { shop: { id: "1" }, correction_events: [aSentRefund("r", 50, 10.5, 21)] }),
    );
    expect((await look(url)).text).not.toContain("PED-1RS");
    kvCalls.suffer("misses");
    expect((await look(url)).text).toContain("PED-1RS");
  });

  test("costs one get and no trip, one when the object is cold", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    expect(await costOf(() => look(url))).toEqual({ d1: 0, kv: "get" });
    const pdf = /href="([^"]+\.pdf)"/.exec((await look(url)).text)?.[1] ?? "";
    await look(`https://api.example${pdf}`);
    // The documents, and the file that was drawn of them.
    expect(await costOf(() => look(`https://api.example${pdf}`))).toEqual({ d1: 0, kv: "get get" });
    await turnCold();
    expect(await costOf(() => look(url))).toEqual({ d1: 1, kv: "get" });
  });

  test.each(["misses", "down"] as const)("KV %s: one trip, warm and cold, and the page", async (trouble) => {
    const url = await viewerUrl(edge, shop, "A-1");
    const kept = await look(url);
    kvCalls.suffer(trouble);
    expect(await costOf(() => look(url))).toEqual({ d1: 1, kv: "get" });
    await turnCold();
    expect(await costOf(() => look(url))).toEqual({ d1: 1, kv: "get" });
    expect((await look(url)).text).toBe(kept.text);
  });

  test("access is given although KV takes nothing", async () => {
    kvCalls.suffer("down");
    const url = await viewerUrl(edge, shop, "A-1");
    expect(edge.lines.at(-1)).toMatchObject({ status: 200, cause: "snapshot_keep" });
    expect((await look(url)).status).toBe(200);
    expect(edge.lines.at(-1)).toMatchObject({ status: 200, cause: "snapshot_read", d1_trips: 1 });
  });

  test("KV holds nothing that can be read without the URL, for half an hour", async () => {
    kvCalls.take();
    const url = await viewerUrl(edge, shop, "A-1");
    const [put] = kvCalls.take();
    const bytes = new TextDecoder("latin1").decode(put?.value);
    expect(put?.name).toMatch(/^viewer\/[0-9a-f]{64}$/);
    expect(put?.ttlSeconds).toBe(1_800);
    for (const secret of ["PED-1", "Loza", "Ana", "A-1", url.slice(-20)]) expect(bytes).not.toContain(secret);
    expect(put?.name).not.toContain(url.slice(-20));
  });
});

describe("what ends a URL", () => {
  const notHere = async (url: string) => {
    const { status, text } = await look(url);
    return [status, text.includes("Este enlace ya no muestra ninguna factura"), text.includes("PED-1")];
  };

  test("switching off, at once and for ever", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    expect((await look(url)).status).toBe(200);
    await switchTo(false);
    expect(await notHere(url)).toEqual([404, true, false]);
    await switchTo(true);
    expect(await notHere(url)).toEqual([404, true, false]);
    await turnCold();
    expect(await notHere(url)).toEqual([404, true, false]);
    expect((await look(await viewerUrl(edge, shop, "A-1"))).status).toBe(200);
  });

  test("switching off before D1 has written it", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    const held = faults.when(
      (sql) => sql.some((text) => text.includes("customer_access") && text.startsWith("insert")),
      gate(),
    );
    const off = switchTo(false);
    await held.reached();
    expect(await notHere(url)).toEqual([404, true, false]);
    expect(await access(edge, shop, LINK)).toMatchObject({ status: 403 });
    held.open();
    expect(await off).toEqual({ outcome: "done" });
    expect(await notHere(url)).toEqual([404, true, false]);
  });

  test("off twice is off once, and on with nothing off is nothing", async () => {
    await switchTo(true);
    await switchTo(false);
    await switchTo(false);
    const row = await env.LEDGER_000.prepare("SELECT is_on, epoch FROM customer_access").raw();
    expect(row).toEqual([[0, 1]]);
    const lines = await env.LEDGER_000.prepare(
      "SELECT facts FROM audit_log WHERE verb = 'switch_customer_access'",
    ).raw();
    expect(lines).toEqual([['{"enabled":"false"}']]);
  });

  test("revoking the last key, not another", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    await act(shop, { verb: "open_key", id: "ky0000000000000000009", hash: "9".repeat(64) });
    await act(shop, { verb: "revoke_key", hash: "9".repeat(64) });
    expect((await look(url)).status).toBe(200);
    await act(shop, { verb: "revoke_key", hash: hashOfKey(shop.key) });
    expect(await notHere(url)).toEqual([404, true, false]);
    await act(shop, { verb: "open_key", id: "ky0000000000000000008", hash: "8".repeat(64) });
    expect(await notHere(url)).toEqual([404, true, false]);
  });

  test("half an hour: 410, and nothing is called", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-27T10:00:00Z") });
    const { data } = await access(edge, shop, LINK);
    expect(data.expires_at).toBe("2026-11-27T10:30:00Z");
    const url = String(data.viewer_url);
    vi.setSystemTime(Date.parse("2026-11-27T10:29:59.999Z"));
    expect((await look(url)).status).toBe(200);
    vi.setSystemTime(Date.parse("2026-11-27T10:30:00Z"));
    expect(await costOf(() => look(url))).toEqual({ d1: 0, kv: "" });
    expect(await notHere(url)).toEqual([410, true, false]);
  });

  test("while the object cannot load, nothing is shown", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    await turnCold();
    faults.next(failBefore(), { times: 2 });
    const { status, text, headers } = await look(url);
    expect([status, headers.get("Retry-After"), text.includes("PED-1")]).toEqual([
      503,
      expect.stringMatching(/^[1-9]\d*$/),
      false,
    ]);
    expect(text).toContain("Ahora no podemos mostrar la factura");
    const pdf = await look(`${url}/PED-1S-2026-000001.pdf`);
    expect(pdf.status).toBe(503);
    expect((await look(url)).status).toBe(200);
  });

  test("a miss while D1 is down shows nothing either", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    kvCalls.suffer("misses");
    faults.next(failBefore());
    expect((await look(url)).status).toBe(503);
    expect((await look(url)).status).toBe(200);
  });
});

describe("tokens that were never minted", () => {
  test("thousands of them touch neither KV nor object nor D1, and all see one page", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    const token = url.slice(url.lastIndexOf("/") + 1);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const random = () =>
      Array.from(crypto.getRandomValues(new Uint8Array(token.length)), (byte) => alphabet[byte & 63]).join(
        "",
      );
    const altered = Array.from(token, (character, at) => {
      const other = character === "A" ? "B" : "A";
      return token.slice(0, at) + other + token.slice(at + 1);
    });
    const cut = Array.from(token, (_, at) => token.slice(0, at)).slice(1);
    const grown = [`${token}A`, `${token}==`, `A${token}`, `${token}%20`, token + token];
    await turnCold();
    faults.take();
    kvCalls.take();
    const seen = new Set<string>();
    for (const forged of [...altered, ...cut, ...grown, ...Array.from({ length: 2_000 }, random)]) {
      const { status, text } = await look(`https://api.example/v/${forged}`);
      seen.add(`${status} ${text}`);
    }
    expect([...seen]).toHaveLength(1);
    expect([...seen][0]).toMatch(/^404 .*Este enlace ya no muestra ninguna factura/s);
    expect([faults.take(), kvCalls.take()]).toEqual([[], []]);
    expect((await look(url)).status).toBe(200);
  });

  test.each(["/v", "/v/", "/v/a/b/c", "/v/%FF", "/v/..%2Fx", "/v/x/y.pdf", `/v/${"x".repeat(5_000)}`])(
    "%s sees it, too",
    async (path) => {
      const { status, text } = await look(`https://api.example${path}`);
      expect([status, text.includes("Este enlace ya no muestra ninguna factura")]).toEqual([404, true]);
    },
  );

  test("one connection's token shows nothing of another's", async () => {
    const other = await openShopWith(["A-1"], { ledger: "001" });
    const [mine, theirs] = [await viewerUrl(edge, shop, "A-1"), await viewerUrl(edge, other, "A-1")];
    const { text } = await look(mine);
    const number = /PED-\w+-2026-\d{6}/.exec(text)?.[0];
    await act(other, { verb: "switch_customer_access", enabled: false });
    expect((await look(mine)).status).toBe(200);
    expect((await look(theirs)).status).toBe(404);
    expect((await look(`${theirs}/${number}.pdf`)).status).toBe(404);
  });

  test("no line of the log holds a token", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    await look(url);
    await look(`${url}/PED-1S-2026-000001.pdf`);
    await look(`${url}x`);
    await look(`${url}/a/b`);
    const written = JSON.stringify(edge.lines);
    expect(written).not.toContain(url.slice(-30));
    expect(edge.lines.slice(-4).map(({ route }) => route)).toEqual([
      "/v/{token}",
      "/v/{token}/{file}",
      "/v/{token}",
      "/v/*",
    ]);
  });
});

describe("headers", () => {
  test("a link cannot be framed; an embedded page by its origin alone", async () => {
    const link = await look(await viewerUrl(edge, shop, "A-1"));
    const embed = await look(await viewerUrl(edge, shop, "A-1", { presentation: "embed", origin: STORE }));
    const framing = ({ headers }: typeof link) => [
      /frame-ancestors ([^;]*)/.exec(headers.get("Content-Security-Policy") ?? "")?.[1],
      headers.get("X-Frame-Options"),
    ];
    expect(framing(link)).toEqual(["'none'", "DENY"]);
    expect(framing(embed)).toEqual([STORE, null]);
    for (const { headers } of [link, embed]) {
      expect([
        headers.get("Cache-Control"),
        headers.get("Referrer-Policy"),
        headers.get("X-Robots-Tag"),
      ]).toEqual(["no-store", "no-referrer", "noindex"]);
      expect(headers.get("Content-Security-Policy")).not.toContain("script");
    }
  });

  test("an embedded page that is over can say so in its frame", async () => {
    const url = await viewerUrl(edge, shop, "A-1", { presentation: "embed", origin: STORE });
    await switchTo(false);
    const { status, headers } = await look(url);
    expect([status, headers.get("X-Frame-Options")]).toEqual([404, null]);
    expect(headers.get("Content-Security-Policy")).toContain(`frame-ancestors ${STORE}`);
  });

  test.each(["/viewer.css", "/fonts/ibm-plex-sans-latin.woff2"])("%s is served", async (path) => {
    const { status, headers } = await look(`https://api.example${path}`);
    expect([status, headers.get("Cache-Control")?.startsWith("public")]).toEqual([200, true]);
  });

  test("English for a browser that prefers it", async () => {
    const url = await viewerUrl(edge, shop, "A-1");
    const response = await edge.app.request(url, { headers: { "Accept-Language": "en-GB,en;q=0.9" } });
    expect(await response.text()).toContain('<html lang="en">');
    expect((await look(url)).text).toContain('<html lang="es">');
  });
});
