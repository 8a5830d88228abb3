/** Two people at one form: saving over the other's newer version is refused, and changes nothing. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { type Browser, type ConsoleAnswer, ownerOf } from "../support/worlds/console.ts";
import { openCommerce } from "../support/worlds/order-calls.ts";
import type { Shop } from "../support/worlds/shop.ts";
import { connectorOf, inventoryReport } from "../support/worlds/shop-reports.ts";

let shop: Shop;
let ana: Browser;
let luis: Browser;
let base: string;
let account: string;

beforeEach(async () => {
  shop = await openCommerce();
  [ana, luis] = [await ownerOf(shop), await ownerOf(shop)];
  account = `/api/accounts/${shop.accountId}`;
  base = `${account}/connections/${shop.connectionId}`;
});

const TOLD =
  "Otra persona ha cambiado estos datos mientras los editabas. Revisa los cambios antes de guardar.";

const COMPANY = {
  ...{ legal_name: "Comercial del Norte SL", address1: "Calle Menor 2", postcode: "28001", city: "Madrid" },
  ...{ default_regime: "01", registry: "", common_rules_apply: false },
};

interface Form {
  readonly path: () => string;
  /** The version that the form was filled from. */
  readonly version: () => Promise<string>;
  readonly standing: () => Promise<unknown>;
  readonly first: object;
  readonly second: object;
  readonly prepare?: () => Promise<unknown>;
}

const read = async (path: string) => (await ana.get(path)).body.data;
const selling = () => read(`${base}/profiles`);
const setup = () => read(`${base}/setup`);
const detail = () => read(base);
const hook = async () => (await read(`${base}/webhooks`)).webhooks[0];

let profile = "";

const FORMS: Readonly<Record<string, Form>> = {
  "a profile": {
    path: () => `${base}/profiles/${profile}`,
    version: async () => (await selling()).profiles[0].version,
    standing: async () => (await selling()).profiles[0].name,
    first: { name: "Al por mayor" },
    second: { name: "Mayoristas", issuing_mode: "review" },
    prepare: async () => {
      const made = await ana.post(`${base}/profiles`, { name: "Profesionales", channel: "b2b", stem: "B" });
      profile = made.body.data.id;
    },
  },
  "what is declared of sales": {
    path: () => `${base}/sales`,
    version: async () => (await selling()).orders.version,
    standing: async () => (await selling()).orders.sales.destinations.euConsumer,
    first: { foreign_sales: "oss" },
    second: { foreign_sales: "domestic" },
  },
  "the choice of shops": {
    path: () => `${base}/stores`,
    version: async () => (await setup()).versions.stores,
    standing: async () => (await setup()).setup.storeIds,
    first: { store_ids: ["1"] },
    second: { store_ids: ["2"] },
    prepare: () => connectorOf(shop)(inventoryReport("1", "2")),
  },
  "the stem of the series": {
    path: () => `${base}/stem`,
    version: async () => (await setup()).versions.stem,
    standing: async () => (await selling()).orders.stem,
    first: { stem: "TIENDA" },
    second: { stem: "OTRA" },
  },
  "the start date": {
    path: () => `${base}/consent/cutoff`,
    version: async () => (await detail()).versions.cutoff,
    standing: async () => (await detail()).consent.cutoffDate,
    first: { cutoff_date: "2026-06-01" },
    second: { cutoff_date: "2026-07-01" },
  },
  "the name of the connection": {
    path: () => `${base}/name`,
    version: async () => (await detail()).versions.name,
    standing: async () => (await detail()).name,
    first: { name: "Tienda del centro" },
    second: { name: "Tienda web" },
  },
  "the address of the shop": {
    path: () => `${base}/callback`,
    version: async () => (await detail()).versions.callback,
    standing: async () => (await detail()).callback.url,
    first: { url: "https://tienda.es/uno" },
    second: { url: "https://tienda.es/dos" },
  },
  "the events of a webhook": {
    path: () => `${base}/webhooks/${profile}`,
    version: async () => (await hook()).version,
    standing: async () => (await hook()).events,
    first: { events: ["order.held"] },
    second: { events: ["order.invoiced"] },
    prepare: async () => {
      const body = { url: "https://receptor.es/x", events: ["invoice.issued"] };
      profile = (await ana.post(`${base}/webhooks`, body)).body.data.id;
    },
  },
  "the company": {
    path: () => `${account}/company`,
    version: async () => (await read(`${account}/company`)).version,
    standing: async () => (await read(`${account}/company`)).city,
    first: { ...COMPANY, city: "Sevilla" },
    second: { ...COMPANY, city: "Soria" },
  },
  "how the company is paid and reached": {
    path: () => `${account}/company/contact`,
    version: async () => (await read(`${account}/company`)).contact.version,
    standing: async () => (await read(`${account}/company`)).contact.dueDays,
    first: { due_days: 15 },
    second: { due_days: 30 },
  },
};

function refusalIn({ status, body }: ConsoleAnswer) {
  return [status, body.error_code, body.error];
}

async function linesOfAudit() {
  return env.LEDGER_000.prepare("SELECT count(*) AS n FROM audit_log WHERE account_id = ?")
    .bind(shop.accountId)
    .first<number>("n");
}

describe.each(Object.entries(FORMS))("%s", (_, { path, version, standing, first, second, prepare }) => {
  test("is saved over the version that was read, and over no newer one", async () => {
    await prepare?.();
    const seen = await version();
    expect((await ana.call("PUT", path(), { ...first, version: seen })).status).toBe(200);
    const saved = await standing();
    const lines = await linesOfAudit();
    const late = await luis.call("PUT", path(), { ...second, version: seen });
    expect(refusalIn(late)).toEqual([409, "changed_meanwhile", TOLD]);
    expect([await standing(), await linesOfAudit()]).toEqual([saved, lines]);
    const looked = await luis.call("PUT", path(), { ...second, version: await version() });
    expect([looked.status, looked.body]).toMatchObject([200, { success: true }]);
    expect(await standing()).not.toEqual(saved);
  });

  test("a request for the current state is a repeat, from any version", async () => {
    await prepare?.();
    const seen = await version();
    await ana.call("PUT", path(), { ...first, version: seen });
    const lines = await linesOfAudit();
    expect((await ana.call("PUT", path(), { ...first, version: seen })).status).toBe(200);
    expect(await linesOfAudit()).toBe(lines);
  });

  test("has the version it was filled from", async () => {
    await prepare?.();
    const answer = await ana.call("PUT", path(), first);
    expect(refusalIn(answer).slice(0, 2)).toEqual([422, "validation_failed"]);
  });
});

test("of two saves at once one is refused", async () => {
  const { version, path } = FORMS["the company"] as Form;
  const seen = await version();
  const cities = ["Soria", "Sevilla", "Segovia"];
  const saved = await Promise.all(
    cities.map((city) => ana.call("PUT", path(), { ...COMPANY, city, version: seen })),
  );
  expect(saved.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const changes = await env.LEDGER_000.prepare(
    "SELECT count(*) AS n FROM audit_log WHERE account_id = ? AND verb = 'change_company'",
  )
    .bind(shop.accountId)
    .first<number>("n");
  expect(changes).toBe(1);
});

test("a connection is renamed with its line, and not without a name", async () => {
  const { version } = FORMS["the name of the connection"] as Form;
  const rename = async (name: string) => ana.call("PUT", `${base}/name`, { name, version: await version() });
  const answers = [await rename("  "), await rename("x".repeat(81))];
  expect(answers.map(({ status, body }) => [status, body.details?.[0]?.path])).toEqual([
    [422, "name"],
    [422, "name"],
  ]);
  await rename(" Tienda del centro ");
  const { items } = await read(`${account}/activity?area=connections`);
  expect(items[0]).toMatchObject({
    verb: "rename_connection",
    facts: { name: "Tienda del centro", name_before: "Tienda" },
    connection: { name: "Tienda del centro" },
  });
});
