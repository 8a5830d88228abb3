/** Accounts over two ledgers and one directory: half-made ones are invisible, an issuer has one account. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { finishAccounts } from "../../src/jobs/finish-accounts.ts";
import { accountStore } from "../../src/storage/account-store.ts";
import { directoryStore } from "../../src/storage/directory-store.ts";
import { addOwner, type OpenAccountDeps, openAccount } from "../../src/usecases/open-account.ts";
import { jobDeps } from "../../src/wiring.ts";
import { failBefore, loseAnswer } from "../support/fault-kinds.ts";
import { faults } from "../support/faults.ts";
import { clientOf } from "../support/ledger-client.ts";
import { aNif, openShop, openTestAccount } from "../support/shop.ts";
import { wrapEnv } from "../support/wrapped-d1.ts";

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
    expect(await directory.accountsOf("owner")).toEqual([{ accountId: opened.value, ledger: "001" }]);
  });

  test.each([
    ["the same spelling", aNif(1)],
    ["another spelling", ` es-${aNif(1).toLowerCase()}`],
  ])(
    "of an issuer who has one is refused, in any ledger, and nothing of it is visible: %s",
    async (_, nif) => {
      const first = await openAccount(issuer(), deps);
      const second = await openAccount(issuer({ nif, ledger: "001", ownerId: "second" }), deps);
      expect(second).toEqual({ ok: false, error: { code: "issuer_exists" } });
      expect((await listed()).results).toMatchObject([
        { account_id: first.ok && first.value, ledger: "000" },
      ]);
      expect(await directory.accountsOf("second")).toEqual([]);
    },
  );

  test("with an identifier that is none is refused before anything is written", async () => {
    faults.take();
    const opened = await openAccount(issuer({ nif: "12345678A" }), deps);
    expect(opened).toEqual({ ok: false, error: { code: "tax_identifier_invalid" } });
    expect(faults.trips()).toEqual([]);
  });

  test("is opened and listed once however often it is written", async () => {
    const { ledger, ownerId: _, ...account } = issuer();
    const row = { ...account, id: "ac0000000000000000001", openedAt: 1, openedBy: "owner" };
    const store = deps.accountsIn(ledger);
    await store.openAccount(row);
    await store.openAccount({ ...row, legalName: "Other" });
    expect(await directory.listAccount({ ...row, ledger })).toBe(true);
    expect(await directory.listAccount({ ...row, ledger })).toBe(true);
    expect(await directory.listAccount({ ...row, id: "ac0000000000000000002", ledger })).toBe(false);
    expect((await accountsIn(env.LEDGER_000)).results).toHaveLength(1);
    expect((await listed()).results).toHaveLength(1);
  });
});

describe("an account that was half made", () => {
  test("is invisible, and the job lists it, once", async () => {
    faults.next(failBefore(), { binding: "DIRECTORY" });
    await expect(openAccount(issuer({ ledger: "001" }), deps)).rejects.toThrow();
    expect((await listed()).results).toEqual([]);
    await finishAccounts(jobDeps(env));
    await finishAccounts(jobDeps(env));
    const [made] = (await accountsIn(env.LEDGER_001)).results;
    expect((await listed()).results).toEqual([{ account_id: made?.id, nif: aNif(1), ledger: "001" }]);
    expect(await directory.accountsOf("owner")).toEqual([{ accountId: made?.id, ledger: "001" }]);
  });

  test("of an owner who has another is marked as one of several by the job", async () => {
    const first = await openAccount(issuer({ nif: aNif(2) }), deps);
    faults.next(failBefore(), { binding: "DIRECTORY" });
    await expect(openAccount(issuer({ ledger: "001" }), deps)).rejects.toThrow();
    await finishAccounts(jobDeps(env));
    const [made] = (await accountsIn(env.LEDGER_001)).results;
    expect(made).toMatchObject({ multiple: 1 });
    expect(first.ok && (await isMultiple(env.LEDGER_000, first.value))).toBe(true);
  });

  test("stays invisible when its issuer has another", async () => {
    faults.next(failBefore(), { binding: "DIRECTORY" });
    await expect(openAccount(issuer(), deps)).rejects.toThrow();
    const opened = await openAccount(issuer({ ledger: "001" }), deps);
    await finishAccounts(jobDeps(env));
    expect((await listed()).results).toMatchObject([{ account_id: opened.ok && opened.value }]);
  });

  test("is whole when only the answer of the directory was lost", async () => {
    faults.next(loseAnswer(), { binding: "DIRECTORY" });
    await expect(openAccount(issuer(), deps)).rejects.toThrow();
    await finishAccounts(jobDeps(env));
    expect((await listed()).results).toHaveLength(1);
  });
});

describe("an owner of several issuers", () => {
  const multipleIn = async (client: ReturnType<typeof clientOf>, externalId: string) => {
    const issued = await client.issue(externalId);
    if (issued.outcome !== "issued") throw new Error(issued.outcome);
    return issued.invoice.alta.record.content.system.multipleIssuers;
  };

  test("says so in the next record of each, over all ledgers, and for ever", async () => {
    const first = await openShop({ account: { ownerId: "owner" } });
    const client = clientOf(first);
    expect(await multipleIn(client, "alone")).toBe(false);
    const second = await openShop({ ledger: "001", account: { ownerId: "owner" } });
    expect(await multipleIn(client, "no longer alone")).toBe(true);
    expect(await multipleIn(clientOf(second), "never alone")).toBe(true);
    await env.DIRECTORY.prepare("DELETE FROM account_owner WHERE account_id = ?")
      .bind(second.accountId)
      .run();
    await addOwner(first.accountId, "owner", deps);
    expect(await isMultiple(env.LEDGER_000, first.accountId)).toBe(true);
    expect(await isMultiple(env.LEDGER_001, second.accountId)).toBe(true);
  });

  test("may become one by joining an account of others; its other owners do not", async () => {
    const own = await openTestAccount("000", { ownerId: "joining" });
    const joined = await openTestAccount("001", { ownerId: "host" });
    const elsewhere = await openTestAccount("000", { ownerId: "stranger" });
    await addOwner(joined, "joining", deps);
    expect(await isMultiple(env.LEDGER_000, own)).toBe(true);
    expect(await isMultiple(env.LEDGER_001, joined)).toBe(true);
    expect(await isMultiple(env.LEDGER_000, elsewhere)).toBe(false);
  });
});
