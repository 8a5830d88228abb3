/** Connections, their sales settings, the company and its activity, as the console's owners reach them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { type Browser, newPerson, ownerOf } from "../support/worlds/console.ts";
import { objectOf } from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { settingsVersionOf } from "../support/worlds/owners.ts";
import { act, anInvoice, openShop, type Shop } from "../support/worlds/shop.ts";
import {
  completeSetup,
  connectorOf,
  inventoryReport,
  openGuidedShop,
} from "../support/worlds/shop-reports.ts";

type Owner = Browser & { readonly userId: string };

let shop: Shop;
let owner: Owner;

beforeEach(async () => {
  shop = await openCommerce();
  owner = await ownerOf(shop);
});

const account = () => `/api/accounts/${shop.accountId}`;
const connection = (of: Shop = shop) => `/api/accounts/${of.accountId}/connections/${of.connectionId}`;
const put = (path: string, body: object) => owner.call("PUT", path, body);
const remove = (path: string) => owner.call("DELETE", path);

/** The one refusal of an answer: status, code, and its field. */
function refusalIn({ status, body }: { readonly status: number; readonly body: unknown }) {
  const { error_code: code, details } = body as {
    readonly error_code: string;
    readonly details?: readonly { readonly path: string }[];
  };
  return [status, code, details?.[0]?.path];
}

/** Versions of the connection's forms. */
async function versions() {
  const [{ versions: ofPages }, setup, selling] = await Promise.all([
    detail(),
    owner.get(`${connection()}/setup`),
    owner.get(`${connection()}/profiles`),
  ]);
  const { orders } = selling.body.data;
  return { ...ofPages, ...setup.body.data.versions, sales: orders.version };
}

async function detail() {
  return (await owner.get(connection())).body.data;
}

/** The origins that may show invoices in a frame, or might. */
async function pages() {
  return (await owner.get(`${connection()}/origins`)).body.data.items;
}

describe("connections", () => {
  test("each with its platform, state, keys and what came this month", async () => {
    const told = connectorOf(shop);
    await told({ resource: "module", module: { platform: "woocommerce" } });
    await orderConnector(shop).send(aSentOrder("A-1", { order_date: new Date().toISOString() }));
    await openShop({ accountId: shop.accountId, consented: false });
    const { connections } = (await owner.get(`${account()}/connections`)).body.data;
    expect(connections).toMatchObject([
      {
        ...{ id: shop.connectionId, name: "Tienda", kind: "commerce", platform: "woocommerce" },
        ...{ consent: "given", keys: 1, setup: { state: "configured", storeIds: null } },
        activity: { orders: 1, invoices: 1, lastOrderAt: expect.stringMatching(/^20\d\d-/) },
      },
      { name: "API", kind: "api", consent: "none", activity: { orders: 0, invoices: 0 } },
    ]);
  });

  test("invoices are counted from the first of the month on, without earlier ones", async () => {
    const api = await openShop({ accountId: shop.accountId });
    for (const id of ["a", "b", "c"]) {
      const caller = { connectionId: api.connectionId, keyHash: hashOfKey(api.key), requestId: id };
      await objectOf(api).issueInvoice(caller, anInvoice(id));
    }
    const { connections } = (await owner.get(`${account()}/connections`)).body.data;
    expect(connections[1].activity.invoices).toBe(3);
  });

  test("a store reported after the choice is new, an excluded one is not", async () => {
    shop = await openGuidedShop();
    owner = await ownerOf(shop);
    const told = connectorOf(shop);
    await told(inventoryReport({ id: "1", name: "Web", ordersCount: 5 }, "2"));
    await completeSetup(shop, { userId: "owner", storeIds: ["1"] });
    await env.LEDGER_000.prepare("UPDATE shop_setup SET chosen_at = chosen_at - 1").run();
    await env.LEDGER_000.prepare("UPDATE shop_store SET seen_at = seen_at - 1").run();
    await told(inventoryReport({ id: "1", name: "Web" }, "2", { id: "3", url: "https://outlet.example/es" }));
    const { stores, setup } = await detail();
    expect(stores).toMatchObject([
      { id: "1", name: "Web", isChosen: true, isNew: false },
      { id: "2", isChosen: false, isNew: false },
      { id: "3", isChosen: false, isNew: true },
    ]);
    expect(setup.state).toBe("configured");
    expect(await pages()).toMatchObject([
      { origin: "https://outlet.example", state: "reported", store: { id: "3" } },
    ]);
    expect(
      (await put(`${connection()}/stores`, { store_ids: "all", version: (await versions()).stores })).status,
    ).toBe(200);
    expect((await detail()).stores.map(({ isNew }: { isNew: boolean }) => isNew)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test.each([
    ["no store", { store_ids: [] }, [422, "no_store_chosen", "store_ids"]],
    ["an unreported one", { store_ids: ["9"] }, [422, "store_unknown", "store_ids"]],
    ["no choice", {}, [422, "validation_failed", "store_ids"]],
  ])("choosing %s is refused", async (_, body, refusal) => {
    await connectorOf(shop)(inventoryReport("1"));
    const version = (await versions()).stores;
    expect(refusalIn(await put(`${connection()}/stores`, { ...body, version }))).toEqual(refusal);
  });

  test("consent is shown with its text and cutoff, moved, and withdrawn by the name of the connection", async () => {
    expect((await detail()).consent).toMatchObject({
      ...{ givenBy: "owner", textVersion: "1", cutoffDate: "2026-01-01" },
    });
    const move = async (date: string) =>
      put(`${connection()}/consent/cutoff`, { cutoff_date: date, version: (await versions()).cutoff });
    await move("2026-06-01");
    expect((await detail()).consent.cutoffDate).toBe("2026-06-01");
    expect(refusalIn(await move("2031-01-01"))).toEqual([422, "cutoff_too_late", "cutoff_date"]);
    const path = `${connection()}/consent/withdrawal`;
    expect(refusalIn(await owner.post(path, { name: "tienda" }))).toEqual([422, "name_mismatch", "name"]);
    expect((await owner.post(path, { name: " Tienda " })).status).toBe(200);
    expect((await detail()).consent.withdrawnAt).toMatch(/^20/);
  });

  test("the next numbers are shown as they print", async () => {
    await orderConnector(shop).send(aSentOrder("A-1"));
    const { upcoming, series, stems } = await detail();
    expect(stems).toEqual({ orders: "PED-1", given: "PED-1" });
    const year = new Date().getFullYear();
    expect(upcoming).toMatchObject([
      { family: "full", next: `PED-1-${year}-000001` },
      { family: "simplified", next: `PED-1S-${year}-000002`, last: { number: `PED-1S-${year}-000001` } },
      { family: "rectifying", next: `PED-1R-${year}-000001` },
      { family: "rectifying_simplified", next: `PED-1RS-${year}-000001` },
    ]);
    expect(series).toMatchObject([{ code: `PED-1S-${year}`, family: "simplified" }]);
  });

  test("a switch off ends customer access, and pages are registered by their origin", async () => {
    await put(`${connection()}/access`, { enabled: false });
    const bad = await owner.post(`${connection()}/origins`, { origin: "http://tienda.example/x" });
    expect(refusalIn(bad)).toEqual([422, "origin_invalid", "origin"]);
    await owner.post(`${connection()}/origins`, { origin: "https://Tienda.example" });
    expect((await detail()).access.isOn).toBe(false);
    expect(await pages()).toMatchObject([{ origin: "https://tienda.example", state: "registered" }]);
    await remove(`${connection()}/origins?origin=${encodeURIComponent("https://tienda.example")}`);
    expect(await pages()).toEqual([]);
  });

  test("the shop's address is called, and its secret shown", async () => {
    const version = (await versions()).callback;
    const bad = await put(`${connection()}/callback`, { url: "http://tienda.es", version });
    expect(refusalIn(bad)).toEqual([422, "callback_url_not_https", "url"]);
    const kept = await put(`${connection()}/callback`, { url: "https://tienda.es/pull", version });
    expect(kept.body.data.secret).toMatch(/^whsec_|.{20,}/);
    expect((await detail()).callback).toMatchObject({ url: "https://tienda.es/pull" });
    expect((await owner.post(`${connection()}/callback/calls`)).status).toBe(202);
    await remove(`${connection()}/callback`);
    expect((await detail()).callback).toBeUndefined();
  });
});

describe("keys", () => {
  const works = async (key: string) => {
    const caller = { connectionId: shop.connectionId, keyHash: hashOfKey(key), requestId: "r" };
    return (await objectOf(shop).reportShop(caller, { resource: "module", module: {} })).outcome;
  };

  test("two are alive while one takes the place of the other", async () => {
    const made = await owner.post(`${connection()}/keys`);
    const { id, key, tail } = made.body.data;
    expect([made.status, key.endsWith(tail), tail.length]).toEqual([201, true, 4]);
    expect([await works(shop.key), await works(key)]).toEqual(["recorded", "recorded"]);
    expect(refusalIn(await owner.post(`${connection()}/keys`))).toEqual([409, "two_keys_alive", undefined]);
    const [first, second] = (await detail()).keys;
    expect([first.tail, second]).toEqual([shop.key.slice(-4), expect.objectContaining({ id, tail })]);
    expect((await remove(`${connection()}/keys/${first.id}`)).status).toBe(200);
    expect([await works(shop.key), await works(key)]).toEqual(["unauthorized", "recorded"]);
    expect((await detail()).keys).toHaveLength(1);
    expect((await remove(`${connection()}/keys/${first.id}`)).status).toBe(404);
  });
});

test("of two asked for at once one is made: a third is never alive", async () => {
  const answers = await Promise.all([owner.post(`${connection()}/keys`), owner.post(`${connection()}/keys`)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body.error_code).toBe("two_keys_alive");
  expect((await detail()).keys).toHaveLength(2);
  const alive = "INSERT INTO api_key (id, connection_id, hash, created_at) VALUES ('ky3', ?, 'x', 0)";
  const third = env.LEDGER_000.prepare(alive).bind(shop.connectionId).run();
  await expect(third).rejects.toThrow("overlap: api_key");
});

describe("webhooks", () => {
  test("are registered, changed, tried, renewed and removed", async () => {
    const path = `${connection()}/webhooks`;
    const bad = await owner.post(path, { url: "https://10.0.0.1/x", events: ["invoice.issued"] });
    expect(refusalIn(bad)).toEqual([422, "callback_url_ip_address", "url"]);
    const none = await owner.post(path, { url: "https://receptor.es/x", events: [] });
    expect(refusalIn(none)).toEqual([422, "webhook_events_missing", "events"]);
    const added = await owner.post(path, { url: "https://receptor.es/x", events: ["invoice.issued"] });
    const { id, secret } = added.body.data;
    const [{ version }] = (await owner.get(path)).body.data.webhooks;
    await put(`${path}/${id}`, { events: ["order.held", "invoice.issued"], version });
    const renewed = (await owner.post(`${path}/${id}/secrets`)).body.data;
    expect(renewed.secret).not.toBe(secret);
    const [listed] = (await owner.get(path)).body.data.webhooks;
    expect(listed).toMatchObject({ id, rotating: true, events: ["invoice.issued", "order.held"] });
    await remove(`${path}/${id}/secrets/previous`);
    expect((await owner.post(`${path}/${id}/tests`)).status).toBe(202);
    const { items, next } = (await owner.get(`${path}/${id}/deliveries`)).body.data;
    expect([items.length, items[0].event, next]).toEqual([1, "webhook.test", null]);
    expect((await owner.post(`${path}/deliveries/${items[0].id}/resends`)).status).toBe(202);
    await remove(`${path}/${id}`);
    expect((await owner.get(path)).body.data.webhooks[0].ended.because).toBe("removed");
  });
});

const A_PROFILE = { name: "Profesionales", channel: "B2B", stem: "B" };

describe("profiles", () => {
  test("one is made, changed with its sales in one request, and removed", async () => {
    await connectorOf(shop)(inventoryReport("1", "2"));
    const made = await owner.post(`${connection()}/profiles`, {
      ...{ ...A_PROFILE, issuing_mode: "review" },
      treatments: { cod_fee: { as: "fee", rate: "21.00" }, bono: { as: "payment" } },
    });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    const before = await settingsVersionOf(shop);
    const [{ version }] = (await owner.get(`${connection()}/profiles`)).body.data.profiles;
    const change = {
      version,
      channel: null,
      store_id: "2",
      destinations: { eu_consumer: "oss", outside_eu: "export" },
      treatments: { bono: null },
    };
    expect((await put(`${connection()}/profiles/${id}`, change)).status).toBe(200);
    expect(await settingsVersionOf(shop)).toBe(before + 1);
    const { connections } = (await owner.get(`${account()}/profiles`)).body.data;
    expect(connections[0].profiles).toMatchObject([
      {
        ...{ id, name: "Profesionales", channel: null, storeId: "2", stem: "B" },
        sales: {
          ...{ issuingMode: "review", zeroRateBasis: null },
          destinations: { euConsumer: "oss", euBusiness: null, outsideEu: "export", otherSpanish: null },
          treatments: [{ code: "cod_fee", as: "fee", rate: "21" }],
        },
      },
    ]);
    await remove(`${connection()}/profiles/${id}`);
    expect((await owner.get(`${connection()}/profiles`)).body.data.profiles).toEqual([]);
  });

  test.each([
    ["a name of nothing", { name: " " }, [422, "validation_failed", "name"]],
    ["every order", { channel: null }, [422, "profile_takes_everything", "channel"]],
    ["a stem of the service", { stem: "PED-9" }, [422, "stem_reserved", "stem"]],
    ["an unreported store", { store_id: "9" }, [422, "store_unknown", "store_id"]],
    [
      "a fee of no rate",
      { treatments: { x: { as: "fee", rate: "3" } } },
      [422, "fee_rate_not_allowed", "treatments.x"],
    ],
    [
      "an authorisation that is not there",
      { under_authorisation: true },
      [409, "authorisation_missing", "under_authorisation"],
    ],
    ["a rate of words", { treatments: { x: { as: "fee", rate: "x" } } }, [422, "validation_failed"]],
  ])("one of %s is refused next to its field", async (_, change, refusal) => {
    const answer = await owner.post(`${connection()}/profiles`, { ...A_PROFILE, ...change });
    expect(refusalIn(answer)).toEqual(refusal.length === 3 ? refusal : [...refusal, expect.any(String)]);
  });

  test("a stem that is being typed is judged, with its numbers as they would print", async () => {
    await owner.post(`${connection()}/profiles`, A_PROFILE);
    const checked = async (stem: string) =>
      (await owner.post(`${connection()}/profiles/stem/check`, { stem })).body.data;
    const year = new Date().getFullYear();
    const free = await checked("C");
    expect([free.problem, free.series[3].next]).toEqual([null, `CRS-${year}-000001`]);
    expect((await checked("BS")).problem).toContain("BS");
    expect((await checked("API-7")).problem).toMatch(/API-/);
    expect((await checked("A".repeat(55))).problem).toContain("60");
    const ofOrders = await owner.post(`${connection()}/stem/check`, { stem: "TIENDA" });
    expect(ofOrders.body.data.problem).toMatch(/perfiles/);
  });

  test("an order is tried against the profiles, and against one being edited", async () => {
    const test = async (asked: object) =>
      (await owner.post(`${connection()}/profiles/test`, asked)).body.data.goesTo;
    expect(await test({ channel: "web" })).toEqual({ match: "connection", stem: "PED-1" });
    await owner.post(`${connection()}/profiles`, A_PROFILE);
    expect(await test({ channel: " B2b " })).toEqual({
      ...{ match: "one", name: "Profesionales", stem: "B", isDraft: false },
    });
    expect(await test({ channel: "web" })).toEqual({ match: "none" });
    const draft = { name: "Todo b2b", channel: "b2b", store_id: "1", stem: "X" };
    expect(await test({ channel: "b2b", store_id: "1", draft })).toEqual({
      match: "several",
      names: ["Profesionales", "Todo b2b"],
    });
    await orderConnector(shop).send(aSentOrder("A-1", { source_channel: "B2B" }));
    expect(await test({ order: "A-1" })).toMatchObject({ match: "one", name: "Profesionales" });
    const unknown = await owner.post(`${connection()}/profiles/test`, { order: "A-2" });
    expect(refusalIn(unknown)).toEqual([422, "order_unknown", "order"]);
  });

  test("destinations are declared one by one, or all at once by the shorthand", async () => {
    const declare = async (sales: object) => {
      const { version } = (await owner.get(`${connection()}/profiles`)).body.data.orders;
      return put(`${connection()}/sales`, { ...sales, version });
    };
    const declared = async () =>
      (await owner.get(`${connection()}/profiles`)).body.data.orders.sales.destinations;
    await declare({ destinations: { eu_consumer: "oss", eu_business: "not_located" } });
    await declare({ destinations: { outside_eu: "export", eu_business: null } });
    expect(await declared()).toEqual({
      ...{ euConsumer: "oss", euBusiness: null, outsideEu: "export", otherSpanish: null },
    });
    const refused = await declare({ foreign_sales: "export", destinations: { outside_eu: "domestic" } });
    expect([refused.status, refused.body.error_code, refused.body.details[0].path]).toEqual([
      ...[422, "destinations_contradict", "destinations.outside_eu"],
    ]);
    expect((await declare({ destinations: { eu_business: "domestic" } })).status).toBe(422);
    await declare({ foreign_sales: "domestic" });
    expect(await declared()).toEqual({
      ...{ euConsumer: "domestic", euBusiness: "domestic", outsideEu: "domestic" },
      otherSpanish: "domestic",
    });
    await declare({ foreign_sales: null });
    expect(await declared()).toEqual({
      ...{ euConsumer: null, euBusiness: null, outsideEu: null, otherSpanish: null },
    });
  });

  test("the declarations of a connection, and its tag rules", async () => {
    const { sales, stem } = await versions();
    const declared = { voucher_kind: "single_purpose", zero_rate_basis: "E1", version: sales };
    await put(`${connection()}/sales`, declared);
    await put(`${connection()}/tags`, { tag: " Revisar ", action: "hold" });
    await put(`${connection()}/stem`, { stem: "TIENDA", version: stem });
    const selling = (await owner.get(`${connection()}/profiles`)).body.data;
    expect(selling.orders).toMatchObject({
      ...{ stem: "TIENDA", sales: { voucherKind: "single_purpose", zeroRateBasis: "E1" } },
    });
    expect(selling.tagRules).toEqual([{ tag: "revisar", action: "hold" }]);
    await remove(`${connection()}/tags?tag=REVISAR`);
    expect((await owner.get(`${connection()}/profiles`)).body.data.tagRules).toEqual([]);
  });
});

describe("the company", () => {
  const COMPANY = {
    ...{ legal_name: "Comercial del Sur SL", address1: "Calle Menor 2", postcode: "41001" },
    ...{ city: "Sevilla", default_regime: "01", registry: "", common_rules_apply: false },
  };
  const change = async (changed: object = {}) => {
    const { version } = (await owner.get(`${account()}/company`)).body.data;
    return put(`${account()}/company`, { ...COMPANY, ...changed, version });
  };

  test("name and domicile change for every connection at once", async () => {
    const before = await settingsVersionOf(shop);
    expect((await change()).status).toBe(200);
    expect(await settingsVersionOf(shop)).toBeGreaterThan(before);
    const { legalName, city } = (await owner.get(`${account()}/company`)).body.data;
    expect([legalName, city]).toEqual(["Comercial del Sur SL", "Sevilla"]);
    await orderConnector(shop).send(aSentOrder("A-1"));
    const document = await env.LEDGER_000.prepare("SELECT document AS v FROM invoice_document").first("v");
    expect(document).toContain("Comercial del Sur SL");
  });

  test.each([
    ["no postcode", { postcode: "99999" }, [422, "postcode_invalid", "postcode"]],
    ["one of another tax", { postcode: "35001" }, [422, "territory_mismatch", "postcode"]],
    ["a foral one", { postcode: "20001" }, [422, "issuer_not_eligible", undefined]],
  ])("%s is refused", async (_, changed, refusal) => {
    expect(refusalIn(await change(changed))).toEqual(refusal);
  });

  test("the register line prints on later invoices, and no longer once it is removed", async () => {
    const registry = "Registro Mercantil de Sevilla, tomo 1, folio 2, hoja SE-3";
    const printed = async () => {
      const { results } = await env.LEDGER_000.prepare(
        "SELECT document FROM invoice_document ORDER BY rowid",
      ).all<{
        document: string;
      }>();
      return results.map(({ document }) => JSON.parse(document).issuer.registry);
    };
    await orderConnector(shop).send(aSentOrder("A-1"));
    const before = await settingsVersionOf(shop);
    expect((await change({ registry: ` ${registry} ` })).status).toBe(200);
    expect(await settingsVersionOf(shop)).toBe(before + 1);
    await orderConnector(shop).send(aSentOrder("A-2"));
    expect((await owner.get(`${account()}/company`)).body.data.registry).toBe(registry);
    await change({ registry: "" });
    await orderConnector(shop).send(aSentOrder("A-3"));
    expect(await printed()).toEqual([undefined, registry, undefined]);
    expect(refusalIn(await change({ registry: "x".repeat(251) }))).toEqual([
      422,
      "validation_failed",
      "registry",
    ]);
  });

  test("an authorisation is opened, one at a time, and closed", async () => {
    const path = `${account()}/company/authorisations`;
    const unregistered = await owner.post(path, { number: "A-1", limit: "5000" });
    expect(refusalIn(unregistered)).toEqual([422, "agreement_number_required", "agreement_number"]);
    expect((await owner.post(path, { number: "A-1", limit: "2500.50" })).status).toBe(201);
    const second = await owner.post(path, { number: "A-2", limit: "100" });
    expect(refusalIn(second)).toEqual([409, "authorisation_active", "number"]);
    await remove(`${path}?number=A-1`);
    const { authorisations } = (await owner.get(`${account()}/company`)).body.data;
    const closedAt = expect.stringMatching(/^20/);
    expect(authorisations).toMatchObject([{ number: "A-1", limit: "2500.5", closedAt }]);
  });

  test("what belongs to the account needs a connection to be done at", async () => {
    const person = await newPerson();
    const opened = await person.post("/api/accounts", {
      ...{ legal_name: "Nueva SL", nif: "A58818501", address1: "C/ Una 1", postcode: "08001" },
      ...{ city: "Barcelona", territory: "peninsula", default_regime: "01" },
      ...{ common_rules_apply: false, keeps_books_in_sii: false },
    });
    const path = `/api/accounts/${opened.body.data.id}/company/authorisations`;
    const answer = await person.post(path, { number: "A-1", limit: "100" });
    expect(refusalIn(answer)).toEqual([409, "connection_needed", undefined]);
  });

  test("the statement of compliance is shown clause by clause", async () => {
    const { clauses, version } = (await owner.get("/api/declaration")).body.data;
    expect(clauses.map(({ letter }: { letter: string }) => letter).join("")).toBe("abcdefghijkl");
    expect(version).not.toBe("");
  });
});

describe("activity", () => {
  const activity = async (query = "") => (await owner.get(`${account()}/activity${query}`)).body.data;

  test("newest first, by pages both ways, with names", async () => {
    for (let count = 0; count < 30; count++) {
      await act(shop, { verb: "set_tag_rule", rule: { tag: `t${count}`, action: "hold" } }, owner.userId);
    }
    const first = await activity();
    expect([first.items.length, first.previous, first.items[0].name]).toEqual([25, null, "María Ferrer"]);
    expect(first.items[0]).toMatchObject({
      ...{ verb: "set_tag_rule", facts: { tag: "t29", action: "hold" } },
      connection: { id: shop.connectionId, name: "Tienda" },
    });
    const second = await activity(`?cursor=${first.next}`);
    expect([second.items.length, second.next]).toEqual([6, null]);
    expect((await activity(`?cursor=${second.previous}`)).items).toEqual(first.items);
  });

  test("by area, by person, by day, and all of it together", async () => {
    await put(`${connection()}/tags`, { tag: "a", action: "hold" });
    await put(`${connection()}/access`, { enabled: false });
    await act(shop, { verb: "add_origin", origin: "https://otra.example" }, "another");
    const verbs = async (query: string) =>
      (await activity(query)).items.map(({ verb }: { verb: string }) => verb);
    expect(await verbs("?area=access")).toEqual(["add_origin", "switch_customer_access"]);
    expect(await verbs(`?area=access&person=${owner.userId}`)).toEqual(["switch_customer_access"]);
    expect(await verbs(`?person=${owner.userId}`)).toEqual(["switch_customer_access", "set_tag_rule"]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await verbs(`?area=profiles&from=${today}`)).toEqual(["set_tag_rule"]);
    expect(await verbs("?to=2020-01-01")).toEqual([]);
    const { people } = (await owner.get(`${account()}/activity/people`)).body.data;
    expect(people).toEqual([{ id: owner.userId, name: "María Ferrer" }]);
  });

  test("filters of no meaning are refused", async () => {
    const answers = await Promise.all(
      ["?area=x", "?from=ayer", "?page=2"].map((query) => owner.get(`${account()}/activity${query}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect((await activity("?cursor=older.x")).items.length).toBeGreaterThan(0);
  });
});

describe("who may", () => {
  const WRITES: readonly (readonly [string, string, object?])[] = [
    ["PUT", "/stores", { store_ids: "all" }],
    ["POST", "/consent/withdrawal", { name: "Tienda" }],
    ["PUT", "/name", { name: "Otra" }],
    ["PUT", "/consent/cutoff", { cutoff_date: "2026-06-01" }],
    ["PUT", "/stem", { stem: "X" }],
    ["PUT", "/access", { enabled: false }],
    ["POST", "/origins", { origin: "https://a.example" }],
    ["DELETE", "/origins?origin=https%3A%2F%2Fa.example"],
    ["PUT", "/callback", { url: "https://a.es" }],
    ["DELETE", "/callback"],
    ["POST", "/callback/calls"],
    ["POST", "/keys"],
    ["DELETE", "/keys/ky0000000000000000000"],
    ["POST", "/profiles", A_PROFILE],
    ["PUT", "/profiles/pf0000000000000000000", { name: "X" }],
    ["DELETE", "/profiles/pf0000000000000000000"],
    ["PUT", "/sales", {}],
    ["PUT", "/tags", { tag: "a", action: "hold" }],
    ["DELETE", "/tags?tag=a"],
    ["POST", "/webhooks", { url: "https://a.es", events: ["invoice.issued"] }],
    ["PUT", "/webhooks/wh0", { events: ["invoice.issued"] }],
    ["DELETE", "/webhooks/wh0"],
    ["POST", "/webhooks/wh0/secrets"],
    ["DELETE", "/webhooks/wh0/secrets/previous"],
    ["POST", "/webhooks/wh0/tests"],
    ["POST", "/webhooks/deliveries/msg_0/resends"],
  ];
  const READS = ["", "/profiles", "/webhooks", "/webhooks/wh0/deliveries"];

  test("another tenant's connection does not exist, on any path", async () => {
    const other = await openCommerce();
    const path = `${account()}/connections/${other.connectionId}`;
    for (const [method, rest, body] of WRITES) {
      expect([rest, (await owner.call(method, `${path}${rest}`, body)).status]).toEqual([rest, 404]);
    }
    for (const rest of [...READS, "/stem/check", "/profiles/test"]) {
      const method = rest.endsWith("check") || rest.endsWith("test") ? "POST" : "GET";
      const answer = await owner.call(
        method,
        `${path}${rest}`,
        method === "POST" ? { stem: "X" } : undefined,
      );
      expect([rest, answer.status]).toEqual([rest, 404]);
    }
  });

  test("another tenant's account does not exist either", async () => {
    const other = await openCommerce();
    const path = `/api/accounts/${other.accountId}`;
    const paths = ["/connections", "/profiles", "/company", "/activity"];
    for (const rest of [...paths, "/activity/people", `/connections/${other.connectionId}`]) {
      expect([rest, (await owner.get(`${path}${rest}`)).status]).toEqual([rest, 404]);
    }
  });

  test("another tenant's key, profile, webhook and delivery are unknown here", async () => {
    const other = await openCommerce();
    const theirs = await ownerOf(other);
    const [key] = (await theirs.get(connection(other))).body.data.keys;
    const profile = (await theirs.post(`${connection(other)}/profiles`, A_PROFILE)).body.data;
    const hook = { url: "https://receptor.es/x", events: ["invoice.issued"] };
    const webhook = (await theirs.post(`${connection(other)}/webhooks`, hook)).body.data;
    await theirs.post(`${connection(other)}/webhooks/${webhook.id}/tests`);
    const log = `${connection(other)}/webhooks/${webhook.id}/deliveries`;
    const [delivery] = (await theirs.get(log)).body.data.items;
    expect((await remove(`${connection()}/keys/${key.id}`)).status).toBe(404);
    expect(
      refusalIn(await put(`${connection()}/profiles/${profile.id}`, { name: "X", version: "x" }))[1],
    ).toBe("profile_unknown");
    expect(refusalIn(await remove(`${connection()}/webhooks/${webhook.id}`))[1]).toBe("webhook_not_found");
    const resent = await owner.post(`${connection()}/webhooks/deliveries/${delivery.id}/resends`);
    expect(refusalIn(resent)[1]).toBe("webhook_delivery_not_found");
    const items = await owner.get(`${connection()}/webhooks/${webhook.id}/deliveries`);
    expect(items.body.data.items).toEqual([]);
  });

  test("an accountant reads all of it and changes none", async () => {
    const accountant = await ownerOf(shop, "accountant");
    for (const [method, rest, body] of WRITES) {
      const answer = await accountant.call(method, `${connection()}${rest}`, body);
      expect([rest, answer.body.error_code]).toEqual([rest, "read_only"]);
    }
    for (const rest of READS) {
      expect([rest, (await accountant.get(`${connection()}${rest}`)).status]).toEqual([rest, 200]);
    }
    const check = await accountant.post(`${connection()}/profiles/stem/check`, { stem: "X" });
    expect(check.status).toBe(200);
  });
});
