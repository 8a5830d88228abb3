import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../src/console/setup/texts/legal-text.ts";
import { sha256Hex } from "../../src/domain/shared/hash.ts";
import { browser, newPerson, ownerOf } from "../support/worlds/console.ts";
import { aNif, openShop, verify } from "../support/worlds/shop.ts";

const COMPANY = {
  ...{ legal_name: "Loza y Esparto SL", nif: "B12345674", address1: "Calle de los Alfareros 14" },
  ...{ postcode: "46001", city: "Valencia", territory: "peninsula", default_regime: "01" },
  ...{ common_rules_apply: false, keeps_books_in_sii: false },
};

const DECLARED = { common_rules_apply: false, keeps_books_in_sii: false };

async function connected(kind: "commerce" | "api", proven?: { readonly nif: string }) {
  const owner = await newPerson();
  const { id: accountId } = (await owner.post("/api/accounts", { ...COMPANY, ...proven })).body.data;
  if (proven) await verify(accountId);
  const opened = await owner.post(`/api/accounts/${accountId}/connections`, { kind, name: "Tienda" });
  const { id, key } = opened.body.data;
  const base = `/api/accounts/${accountId}/connections/${id}`;
  return { owner, accountId, id, key, base };
}

function ledgerOf(accountId: string) {
  return env[accountId.startsWith("ac001") ? "LEDGER_001" : "LEDGER_000"];
}

async function reportInventory(key: string, stores: readonly object[]) {
  const { exports } = await import("cloudflare:workers");
  return exports.default.fetch("https://api.example/v1/inventory", {
    method: "POST",
    headers: { "X-API-KEY": key, "Content-Type": "application/json" },
    body: JSON.stringify({ stores, orders_total: 10 }),
  });
}

async function agreed(connection: Awaited<ReturnType<typeof connected>>, cutoff = "2026-01-01") {
  const { owner, base } = connection;
  const text = (await owner.get(`${base}/consent-text?cutoff_date=${cutoff}`)).body.data;
  const body = {
    ...{ consent_id: text.consentId, text_version: text.version, text_sha256: text.sha256 },
    ...{ cutoff_date: cutoff, ...DECLARED },
  };
  return { text, body, answer: await owner.post(`${base}/consent`, body) };
}

describe("the three steps of a shop", () => {
  test("wait for the inventory, the choice and the consent, each in its turn", async () => {
    const shop = await connected("commerce");
    const setup = async () => (await shop.owner.get(`${shop.base}/setup`)).body.data;
    expect(await setup()).toMatchObject({ setup: { state: "pending_inventory" }, stores: [] });
    await reportInventory(shop.key, [{ id: "1", name: "Centro", orders_count: 7 }, { id: "2" }]);
    expect(await setup()).toMatchObject({
      setup: { state: "pending_configuration" },
      stores: [{ id: "1", name: "Centro", ordersCount: 7 }, { id: "2" }],
      inventory: { ordersTotal: 10 },
    });
    const { stores: version } = (await setup()).versions;
    const choose = (ids: readonly string[]) =>
      shop.owner.call("PUT", `${shop.base}/stores`, { store_ids: ids, version });
    expect((await choose([])).body.error_code).toBe("no_store_chosen");
    await choose(["1"]);
    expect((await agreed(shop)).answer.status).toBe(200);
    expect(await setup()).toMatchObject({
      setup: { state: "configured", storeIds: "1" },
      consent: { grantedByName: "María Ferrer", textVersion: "1", cutoffDate: "2026-01-01" },
    });
  });

  test("show the next numbers of every family, as they will print, and another stem when it is chosen", async () => {
    const shop = await connected("commerce");
    const numbers = async () => (await shop.owner.get(`${shop.base}/setup`)).body.data.series;
    const year = new Date().getFullYear();
    expect(await numbers()).toMatchObject([
      {
        ...{ stem: "PED-1", isOfOrders: true, isNumbered: false },
        numbers: [
          { family: "full", next: `PED-1-${year}-000001` },
          { family: "simplified", next: `PED-1S-${year}-000001` },
          { family: "rectifying", next: `PED-1R-${year}-000001` },
          { family: "rectifying_simplified", next: `PED-1RS-${year}-000001` },
        ],
      },
    ]);
    const choose = async (stem: string) => {
      const { versions } = (await shop.owner.get(`${shop.base}/setup`)).body.data;
      return shop.owner.call("PUT", `${shop.base}/stem`, { stem, version: versions.stem });
    };
    await choose("LOZA");
    expect((await numbers())[0].numbers[0].next).toBe(`LOZA-${year}-000001`);
    expect((await choose("PED-9")).body).toMatchObject({
      error_code: "stem_reserved",
      details: [{ path: "stem" }],
    });
  });
});

describe("consent", () => {
  test("is to the text as it was shown; who, when, its hash, the series and the address stay", async () => {
    const shop = await connected("commerce");
    const { text } = await agreed(shop);
    expect(sha256Hex(linesOf(text))).toBe(text.sha256);
    expect(text.intro).toContain("Loza y Esparto SL, con NIF B12345674");
    expect(text.clauses[0].body).toContain("1 de enero de 2026");
    const row = await ledgerOf(shop.accountId)
      .prepare("SELECT evidence, text_version FROM consent WHERE connection_id = ?")
      .bind(shop.id)
      .first<{ evidence: string; text_version: string }>();
    expect(JSON.parse(row?.evidence ?? "{}")).toMatchObject({
      textSha256: text.sha256,
      language: "es",
      series: expect.arrayContaining([`PED-1S-${new Date().getFullYear()}`]),
    });
  });

  test("can be read again word for word, after any change, and so can the grant", async () => {
    const shop = await connected("commerce", { nif: aNif(9_100_001) });
    const { text } = await agreed(shop);
    const read = async (path: string) => (await shop.owner.get(`${shop.base}${path}`)).body.data;
    const signer = { signer: "Ana Gil", signer_nif: "12345678Z", capacity: "director", power: "" };
    const grant = await read(`/representation-text?${new URLSearchParams(signer).toString()}`);
    await shop.owner.post(`${shop.base}/representation`, { ...signer, text_sha256: grant.sha256 });
    const { versions } = await read("");
    await shop.owner.call("PUT", `${shop.base}/name`, { name: "Otra", version: versions.name });
    const date = { cutoff_date: "2026-05-01", version: versions.cutoff };
    expect((await shop.owner.call("PUT", `${shop.base}/consent/cutoff`, date)).status).toBe(200);
    const { consents, grants } = await read("/evidence");
    expect(consents).toMatchObject([
      {
        ...{ givenByName: "María Ferrer", textVersion: "1", cutoffDate: "2026-01-01" },
        proof: { sha256: text.sha256, language: "es" },
      },
    ]);
    expect(grants).toMatchObject([{ signedBy: "Ana Gil", documentSha256: grant.sha256 }]);
    expect((await read(`/evidence/${consents[0].id}`)).text).toBe(linesOf(text));
    expect((await read(`/evidence/${grants[0].id}`)).text).toBe(linesOf(grant));
    expect((await shop.owner.get(`${shop.base}/evidence/co0`)).status).toBe(404);
  });

  test("that kept its hash alone is read again while names are what they were, and never otherwise", async () => {
    const shop = await connected("api");
    const { text } = await agreed(shop);
    await ledgerOf(shop.accountId)
      .prepare("UPDATE consent SET evidence = json_remove(evidence, '$.told') WHERE connection_id = ?")
      .bind(shop.id)
      .run();
    const read = async (path: string) => (await shop.owner.get(`${shop.base}${path}`)).body.data;
    const [{ id }] = (await read("/evidence")).consents;
    expect((await read(`/evidence/${id}`)).text).toBe(linesOf(text));
    const version = (await read("")).versions.name;
    await shop.owner.call("PUT", `${shop.base}/name`, { name: "Otra", version });
    expect((await read(`/evidence/${id}`)).text).toBeNull();
  });

  test("sent twice is one", async () => {
    const shop = await connected("api");
    const { body } = await agreed(shop);
    expect((await shop.owner.post(`${shop.base}/consent`, body)).status).toBe(200);
    const count = await ledgerOf(shop.accountId)
      .prepare("SELECT count(*) AS n FROM consent WHERE connection_id = ?")
      .bind(shop.id)
      .first<{ n: number }>();
    expect(count?.n).toBe(1);
  });

  test.each([
    ["another date than the text has", { cutoff_date: "2026-02-01" }, "consent_text_outdated"],
    ["another text", { text_sha256: "0".repeat(64) }, "consent_text_outdated"],
    ["an issuer in the SII", { keeps_books_in_sii: true }, "issuer_not_eligible"],
    ["an id of ours that is none", { consent_id: "co-1" }, "not_found"],
  ])("%s is refused", async (_, change, code) => {
    const shop = await connected("commerce");
    const text = (await shop.owner.get(`${shop.base}/consent-text?cutoff_date=2026-01-01`)).body.data;
    const body = {
      ...{ consent_id: text.consentId, text_version: text.version, text_sha256: text.sha256 },
      ...{ cutoff_date: "2026-01-01", ...DECLARED, ...change },
    };
    expect((await shop.owner.post(`${shop.base}/consent`, body)).body.error_code).toBe(code);
  });

  test("of an API connection speaks of requests, and says so in English too", async () => {
    const program = await connected("api");
    const asked = await program.owner.call(
      "GET",
      `${program.base}/consent-text?cutoff_date=2026-01-01`,
      undefined,
      { "Accept-Language": "en" },
    );
    expect(asked.body.data.clauses[0].body).toContain("each valid request issues a firm invoice");
  });
});

describe("the grant of representation", () => {
  const SIGNER = { signer: "María Ferrer", signer_nif: "12345678Z", capacity: "director", power: "" };

  test("is read, signed by its hash, kept word for word, and withdrawn", async () => {
    const shop = await connected("commerce", { nif: aNif(9_100_002) });
    const query = new URLSearchParams(SIGNER).toString();
    const text = (await shop.owner.get(`${shop.base}/representation-text?${query}`)).body.data;
    expect(text.intro).toContain("María Ferrer, con NIF 12345678Z, en calidad de administrador");
    const signed = await shop.owner.post(`${shop.base}/representation`, {
      ...SIGNER,
      text_sha256: text.sha256,
    });
    expect(signed.status).toBe(200);
    const kept = await env.EVIDENCE.get(`representation/${shop.accountId}/${text.sha256}.txt`);
    expect(await kept?.text()).toBe(linesOf(text));
    const { representation } = (await shop.owner.get(`${shop.base}/setup`)).body.data;
    expect(representation).toMatchObject({ signedBy: "María Ferrer" });
    await shop.owner.post(`${shop.base}/representation/withdraw`);
    expect((await shop.owner.get(`${shop.base}/setup`)).body.data.representation).toBeUndefined();
  });

  test("through any connection it is given and taken back at the first, so that one fence orders both", async () => {
    const first = await connected("api", { nif: aNif(9_100_011) });
    const opened = { name: "Otra", kind: "api" };
    const { body } = await first.owner.post(`/api/accounts/${first.accountId}/connections`, opened);
    const second = `/api/accounts/${first.accountId}/connections/${body.data.id}`;
    const query = new URLSearchParams(SIGNER).toString();
    const { sha256 } = (await first.owner.get(`${second}/representation-text?${query}`)).body.data;
    await first.owner.post(`${second}/representation`, { ...SIGNER, text_sha256: sha256 });
    await first.owner.post(`${second}/representation/withdraw`);
    const lines = await ledgerOf(first.accountId)
      .prepare(`SELECT connection_id AS at, verb FROM audit_log
        WHERE account_id = ? AND verb LIKE '%_representation' ORDER BY rowid`)
      .bind(first.accountId)
      .all();
    expect(lines.results).toEqual([
      { at: first.id, verb: "grant_representation" },
      { at: first.id, verb: "withdraw_representation" },
    ]);
  });

  test.each([
    ["a wrong NIF", { signer_nif: "12345678A" }, "nif_invalid", "signer_nif"],
    ["an attorney without a power", { capacity: "attorney" }, "power_missing", "power"],
  ])("%s is shown at its field", async (_, change, code, path) => {
    const shop = await connected("commerce");
    const query = new URLSearchParams({ ...SIGNER, ...change }).toString();
    const answer = await shop.owner.get(`${shop.base}/representation-text?${query}`);
    expect(answer.body).toMatchObject({ error_code: code, details: [{ path }] });
  });

  test("the signed grant is shown with its signer, can be read again, and with its withdrawal", async () => {
    const { owner, accountId, id, base } = await connected("commerce", { nif: aNif(9_100_004) });
    const company = async () => (await owner.get(`/api/accounts/${accountId}/company`)).body.data;
    const signer = { signer: "Ana Gil", signer_nif: "12345678Z", capacity: "director", power: "" };
    const asked = new URLSearchParams(signer).toString();
    const { sha256 } = (await owner.get(`${base}/representation-text?${asked}`)).body.data;
    await owner.post(`${base}/representation`, { ...signer, text_sha256: sha256 });
    const { firstConnection, representation } = await company();
    expect(firstConnection).toBe(id);
    expect(representation).toMatchObject({ signedBy: "Ana Gil", documentSha256: sha256 });
    const document = await owner.get(`/api/accounts/${accountId}/company/representation/document`);
    expect(document.body.data.text).toContain("Ana Gil");
    await owner.post(`${base}/representation/withdraw`);
    expect((await company()).representation.withdrawnAt).toMatch(/^20/);
  });

  test("another text than the one shown is not signed", async () => {
    const shop = await connected("commerce", { nif: aNif(9_100_003) });
    const answer = await shop.owner.post(`${shop.base}/representation`, {
      ...{ ...SIGNER, text_sha256: "0".repeat(64) },
    });
    expect(answer.body.error_code).toBe("representation_document_invalid");
  });
});

test("no one but an owner sets up a connection", async () => {
  const shop = await connected("commerce");
  const stranger = await newPerson();
  const other = await openShop();
  const neighbour = await ownerOf(other);
  const accountant = await ownerOf({ accountId: shop.accountId }, "accountant");
  const paths = ["/setup", "/consent-text?cutoff_date=2026-01-01"];
  for (const path of paths) {
    expect((await browser().get(`${shop.base}${path}`)).status).toBe(401);
    expect((await stranger.get(`${shop.base}${path}`)).status).toBe(404);
    const crossed = `/api/accounts/${other.accountId}/connections/${shop.id}${path}`;
    expect((await neighbour.get(crossed)).status).toBe(404);
    expect((await accountant.get(`${shop.base}${path}`)).status).toBe(200);
  }
  const refused = await accountant.call("PUT", `${shop.base}/stores`, { store_ids: "all" });
  expect([refused.status, refused.body.error_code]).toEqual([403, "read_only"]);
});
