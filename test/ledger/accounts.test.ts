/** Accounts over two ledgers and one directory: half-made ones are invisible, an issuer has one verified one. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { accountStore, directoryStore } from "../../src/db/accounts/account-store.ts";
import { type OpenAccountDeps, openAccount } from "../../src/db/accounts/opening.ts";
import { jobDeps } from "../../src/wiring.ts";
import { finishAccounts } from "../../src/work/finish-accounts.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapEnv } from "../support/faults/wrapped-d1.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { aNif, openShop, openTestAccount, verify } from "../support/worlds/shop.ts";

const bindings = wrapEnv(env);
const directory = directoryStore(bindings.DIRECTORY);
const ledgers = { "000": bindings.LEDGER_000, "001": bindings.LEDGER_001 };

const deps: OpenAccountDeps = {
  directory,
  accountsIn: (ledger) => accountStore(ledger === "000" ? ledgers["000"] : ledgers["001"]),
  now: () => Date.now(),
  random: (sizeBytes) => crypto.getRandomValues(new Uint8Array(sizeBytes)),
};

const issuer = (change = {}) => ({
  ledger: "000",
  ownerId: "owner",
  legalName: "Comercial del Norte SL",
  nif: aNif(1),
  address1: "Calle Mayor 1",
  postcode: "28013",
  city: "Madrid",
  timeZone: "Europe/Madrid" as const,
  territory: "peninsula" as const,
  defaultRegime: "01",
  ...change,
});

const listed = () =>
  env.DIRECTORY.prepare("SELECT account_id, nif, ledger FROM account_directory ORDER BY ledger").all();
const accountsIn = (ledger: D1Database) =>
  ledger.prepare("SELECT id, nif, multiple_issuers AS multiple FROM account").all();
const ownedBy = async (ownerId: string) => {
  const rows = await env.DIRECTORY.prepare("SELECT account_id AS id FROM account_owner WHERE owner_id = ?")
    .bind(ownerId)
    .all<{ id: string }>();
  return rows.results.map(({ id }) => id);
};
const verificationIn = (ledger: D1Database, id: string) =>
  ledger.prepare("SELECT verification FROM account WHERE id = ?").bind(id).first<string>("verification");
const isMultiple = async (ledger: D1Database, id: string) =>
  (await ledger
    .prepare("SELECT multiple_issuers AS multiple FROM account WHERE id = ?")
    .bind(id)
    .first<number>("multiple")) === 1;

describe("an account", () => {
  test("is in its ledger and in the directory, with its owner", async () => {
    const opened = await openAccount(issuer({ ledger: "001" }), deps);
    if (!opened.ok) throw new Error(opened.error.code);
    expect(opened.value).toMatch(/^ac001/);
    expect((await accountsIn(env.LEDGER_001)).results).toMatchObject([{ id: opened.value, nif: aNif(1) }]);
    expect((await accountsIn(env.LEDGER_000)).results).toEqual([]);
    expect(await ownedBy("owner")).toEqual([opened.value]);
    expect(await verificationIn(env.LEDGER_001, opened.value)).toBe("unverified");
    await verify(opened.value);
    expect(await verificationIn(env.LEDGER_001, opened.value)).toBe("verified");
  });

  test.each([
    ["the same spelling", aNif(1)],
    ["another spelling", ` es-${aNif(1).toLowerCase()}`],
  ])("reserves no NIF before it is proven: another is opened with the same, in %s", async (_, nif) => {
    const first = await openAccount(issuer(), deps);
    const second = await openAccount(issuer({ nif, ledger: "001", ownerId: "second" }), deps);
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect((await listed()).results).toMatchObject([{ nif: aNif(1) }, { nif: aNif(1) }]);
  });

  test("with an identifier that is none is refused before anything is written", async () => {
    faults.take();
    const opened = await openAccount(issuer({ nif: "12345678A" }), deps);
    expect(opened).toEqual({ ok: false, error: { code: "tax_identifier_invalid", facts: {} } });
    expect(faults.trips()).toEqual([]);
  });

  test("is opened and listed once however often it is written", async () => {
    const { ledger, ownerId: _, ...account } = issuer();
    const row = { ...account, id: "ac0000000000000000001", openedAt: 1, openedBy: "owner" };
    const store = deps.accountsIn(ledger);
    await store.openAccount(row);
    await store.openAccount({ ...row, legalName: "Other" });
    expect(await directory.listAccount({ ...row, ledger })).toEqual({ ok: true, value: row.id });
    expect(await directory.listAccount({ ...row, ledger })).toEqual({ ok: true, value: row.id });
    expect((await accountsIn(env.LEDGER_000)).results).toHaveLength(1);
    expect((await listed()).results).toHaveLength(1);
  });
});

describe("an account that was half made", () => {
  // The first request goes well: the listing fails.
  const listing = { ...deps, directory: { ...directory, companyQuota: async () => undefined } };

  test("is invisible, and the job lists it, once", async () => {
    faults.next(failBefore(), { binding: "DIRECTORY" });
    await expect(openAccount(issuer({ ledger: "001" }), listing)).rejects.toThrow();
    expect((await listed()).results).toEqual([]);
    await finishAccounts(jobDeps(apiOver(env)));
    await finishAccounts(jobDeps(apiOver(env)));
    const [made] = (await accountsIn(env.LEDGER_001)).results;
    expect((await listed()).results).toEqual([{ account_id: made?.id, nif: aNif(1), ledger: "001" }]);
    expect(await ownedBy("owner")).toEqual([made?.id]);
  });

  test("is whole when only the answer of the directory was lost", async () => {
    faults.next(loseAnswer(), { binding: "DIRECTORY" });
    await expect(openAccount(issuer(), listing)).rejects.toThrow();
    await finishAccounts(jobDeps(apiOver(env)));
    expect((await listed()).results).toHaveLength(1);
  });
});

describe("the companies that one person opens", () => {
  const openOne = (ownerId: string, at = 1_000_000, nif = 1) =>
    openAccount(issuer({ ownerId, nif: aNif(nif) }), { ...deps, now: () => at });
  const HOUR = 3_600_000;

  test("are ten while none is verified, however many are asked for at once", async () => {
    const opened = await Promise.all(Array.from({ length: 14 }, () => openOne("greedy")));
    expect(opened.filter(({ ok }) => ok)).toHaveLength(10);
    expect(opened.find(({ ok }) => !ok)).toMatchObject({ error: { code: "quota_exceeded" } });
    expect(await ownedBy("greedy")).toHaveLength(10);
    const later = await openOne("greedy", 100 * HOUR);
    expect(later).toMatchObject({ error: { facts: { limit: { most: { amount: "10" } } } } });
    expect(later).not.toHaveProperty("error.retryAt");
    expect((await openOne("another")).ok).toBe(true);
  });

  test("are fifty, and twenty a day, once one is verified", async () => {
    const first = await openOne("founder");
    await verify(first.ok ? first.value : "");
    for (let nth = 1; nth < 20; nth += 1) expect((await openOne("founder", 1_000_000 + nth)).ok).toBe(true);
    expect(await openOne("founder", 1_000_020)).toMatchObject({
      error: { code: "quota_exceeded", retryAt: 1_000_000 + 24 * HOUR },
    });
    expect((await openOne("founder", 1_000_000 + 24 * HOUR)).ok).toBe(true);
  });

  test("are fifty unverified ones, on however many days", async () => {
    const first = await openOne("patient");
    await verify(first.ok ? first.value : "");
    for (let nth = 0; nth < 50; nth += 1) {
      expect((await openOne("patient", 1_000_000 + (nth + 1) * 2 * HOUR)).ok).toBe(true);
    }
    const refused = await openOne("patient", 1_000_000 + 500 * HOUR);
    expect(refused).toMatchObject({ error: { facts: { limit: { most: { amount: "50" } } } } });
    expect(refused).not.toHaveProperty("error.retryAt");
  });

  test("a refused one leaves nothing that the job lists", async () => {
    await Promise.all(Array.from({ length: 14 }, () => openOne("greedy", Date.now())));
    await finishAccounts(jobDeps(apiOver(env)));
    expect(await ownedBy("greedy")).toHaveLength(10);
  });
});

describe("the connections of a company", () => {
  test("are twenty, however many are opened at once", async () => {
    const accountId = await openTestAccount();
    const opened = await Promise.allSettled(
      Array.from({ length: 24 }, () => openShop({ accountId, consented: false })),
    );
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(opened.find(({ status }) => status === "rejected")).toMatchObject({
      reason: new Error("quota_exceeded"),
    });
    const rows = await env.LEDGER_000.prepare(
      "SELECT ordinal FROM connection WHERE account_id = ? ORDER BY 1",
    )
      .bind(accountId)
      .all();
    expect(rows.results.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    for (const table of ["api_key", "installation"]) {
      const orphans = await env.LEDGER_000.prepare(
        `SELECT count(*) AS n FROM ${table} WHERE connection_id NOT IN (SELECT id FROM connection)`,
      ).first("n");
      expect(orphans).toBe(0);
    }
  });
});

describe("an owner of several issuers", () => {
  const multipleIn = async (client: ReturnType<typeof clientOf>, externalId: string) => {
    const issued = await client.issue(externalId);
    if (issued.outcome !== "issued") throw new Error(issued.outcome);
    return issued.invoice.alta.record.content.system.multipleIssuers;
  };

  test("says so in the next record of each once both are verified, over all ledgers, and for ever", async () => {
    const first = await openShop({ account: { ownerId: "owner" } });
    const client = clientOf(first);
    expect(await multipleIn(client, "alone")).toBe(false);
    const second = await openShop({ ledger: "001", account: { ownerId: "owner" }, verified: false });
    expect(await multipleIn(client, "still alone")).toBe(false);
    await verify(second.accountId);
    expect(await multipleIn(client, "no longer alone")).toBe(true);
    expect(await multipleIn(clientOf(second), "never alone")).toBe(true);
    await env.DIRECTORY.prepare("DELETE FROM account_owner WHERE account_id = ?")
      .bind(second.accountId)
      .run();
    expect(await isMultiple(env.LEDGER_000, first.accountId)).toBe(true);
    expect(await isMultiple(env.LEDGER_001, second.accountId)).toBe(true);
  });
});
