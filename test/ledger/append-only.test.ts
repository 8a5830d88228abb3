/** The refusals of the database, for any code above it. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import * as rows from "../support/worlds/rows.ts";
import { insertInto } from "../support/worlds/rows.ts";

const database = env.LEDGER_000;

beforeEach(async () => {
  await run(...rows.someBooks());
  await run(insertInto("ledger_head", rows.aHead({ settings_version: await settingsVersion() })));
});

async function run(...statements: readonly string[]): Promise<void> {
  await database.batch(statements.map((sql) => database.prepare(sql)));
}

async function settingsVersion(): Promise<number> {
  const account = database.prepare("SELECT settings_version AS version FROM account WHERE id = 'account-1'");
  return (await account.first<number>("version")) ?? 0;
}

/** The statement alone, and as the last of a batch with a first statement that would write. */
async function expectRefused(sql: string, text: string): Promise<void> {
  const before = await rows.everyRow(database);
  const whole = `D1_ERROR: ${text}: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_TRIGGER)`;
  await expect(run(sql)).rejects.toThrow(whole);
  const harmless = insertInto("connection", rows.aConnection({ id: "connection-9", ordinal: 9 }));
  await expect(run(harmless, sql)).rejects.toThrow(whole);
  expect(await rows.everyRow(database)).toEqual(before);
}

const otherInvoice = (change: rows.Row) => rows.anInvoice(3, change);
const otherRecord = (change: rows.Row) => rows.aRecord(3, change);

const APPEND_ONLY = ["invoice", "invoice_document", "invoice_link", "series"] as const;
const COLUMN = { invoice: "total_eur", invoice_document: "document", invoice_link: "taken", series: "code" };
const ROW: Record<(typeof APPEND_ONLY)[number] | "record", rows.Row> = {
  invoice: rows.anInvoice(1),
  invoice_document: rows.aDocument(1),
  invoice_link: rows.aLink(2, 1),
  series: rows.aSeries(),
  record: rows.aRecord(1),
};

describe("nothing issued is changed or erased", () => {
  test.each(APPEND_ONLY)("%s: no UPDATE, no UPDATE OR REPLACE", async (table) => {
    await expectRefused(`UPDATE ${table} SET ${COLUMN[table]} = 'other'`, `immutable: ${table}`);
    await expectRefused(`UPDATE OR REPLACE ${table} SET ${COLUMN[table]} = 'other'`, `immutable: ${table}`);
    await expectRefused(`UPDATE OR IGNORE ${table} SET ${COLUMN[table]} = 'other'`, `immutable: ${table}`);
    await expectRefused(`UPDATE OR REPLACE ${table} SET rowid = 99`, `immutable: ${table}`);
  });

  test.each([...APPEND_ONLY, "record", "ledger_head", "installation"])("%s: no DELETE", async (table) => {
    await expectRefused(`DELETE FROM ${table}`, `immutable: ${table}`);
  });

  test.each([...APPEND_ONLY, "record"] as const)(
    "%s: no REPLACE of a row, under any spelling",
    async (table) => {
      for (const verb of ["REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE", "INSERT"]) {
        await expectRefused(insertInto(table, ROW[table], verb), "fence:exists");
      }
    },
  );

  test.each([...APPEND_ONLY, "record"] as const)("%s: no upsert", async (table) => {
    const column = table === "record" ? "content" : COLUMN[table];
    const upsert = `${insertInto(table, ROW[table])} ON CONFLICT DO UPDATE SET ${column} = 'other'`;
    await expectRefused(upsert, "fence:exists");
    await expectRefused(`${insertInto(table, ROW[table])} ON CONFLICT DO NOTHING`, "fence:exists");
  });

  test.each([
    ["an invoice by its id", "invoice", otherInvoice({ id: "invoice-1" })],
    ["an invoice by its origin", "invoice", otherInvoice({ origin: "direct:1" })],
    ["an invoice by its number", "invoice", rows.anInvoice(1, { id: "other", origin: "direct:other" })],
    ["an invoice by an explicit rowid", "invoice", otherInvoice({ rowid: 1 })],
    ["an invoice by rowid under its other name", "invoice", otherInvoice({ _rowid_: 1 })],
    ["a document by an explicit rowid", "invoice_document", rows.aDocument(3, { rowid: 1 })],
    ["a link by an explicit rowid", "invoice_link", rows.aLink(1, 2, { rowid: 1 })],
    ["a series by an explicit rowid", "series", rows.aSeries({ code: "API-B1", oid: 1 })],
    ["a record by its origin", "record", otherRecord({ origin: "direct:1", invoice_id: "invoice-1" })],
    ["a record by its position", "record", rows.aRecord(2, { origin: "direct:other" })],
    ["a record by an explicit rowid", "record", otherRecord({ rowid: 1, invoice_id: "invoice-1" })],
    ["an installation by its id", "installation", rows.anInstallation({ number: "N9" })],
    [
      "an installation by its number",
      "installation",
      rows.anInstallation({ id: "installation-9", ordinal: 9 }),
    ],
    [
      "an installation that is open",
      "installation",
      rows.anInstallation({ id: "in-9", number: "N9", ordinal: 9 }),
    ],
    ["a head by an explicit rowid", "ledger_head", rows.aHead({ rowid: 1, connection_id: "connection-2" })],
  ])("REPLACE does not erase %s", async (_, table, row) => {
    const version = table === "ledger_head" ? { settings_version: await settingsVersion() } : {};
    await expectRefused(insertInto(table, { ...row, ...version }, "INSERT OR REPLACE"), "fence:exists");
  });
});

describe("the numbers of a series have no gap and no step back in time", () => {
  test.each([
    ["a number is left out", rows.anInvoice(4)],
    [
      "a new series does not begin at 1",
      rows.anInvoice(2, { id: "n", origin: "direct:n", series: "API-B1" }),
    ],
    ["the date is before that of the predecessor", rows.anInvoice(3, { issue_date: "2026-11-27" })],
    ["the series belongs to another connection", rows.anInvoice(3, { connection_id: "connection-2" })],
    ["the series does not exist", rows.anInvoice(1, { id: "n", origin: "direct:n", series: "API-C1" })],
  ])("%s", async (_, row) => {
    await expectRefused(insertInto("invoice", row), "fence:link");
    await expectRefused(insertInto("invoice", row, "INSERT OR REPLACE"), "fence:link");
  });

  test("the next number of the same day is taken", async () => {
    await run(insertInto("invoice", rows.anInvoice(3)));
  });

  test("a full number that is not series and number is refused", async () => {
    const row = rows.anInvoice(3, { full_number: `${rows.SERIES}-000001` });
    await expect(run(insertInto("invoice", row))).rejects.toThrow(
      "CHECK constraint failed: invoice_full_number",
    );
  });
});

describe("the chain has one beginning, no gap and no fork", () => {
  beforeEach(async () => {
    await run(insertInto("invoice", rows.anInvoice(3)));
  });

  test.each([
    ["a position is left out", rows.aRecord(4, { invoice_id: "invoice-3" })],
    [
      "a position is left out, with the last hash",
      otherRecord({ position: 4, previous_hash: rows.hashAt(2) }),
    ],
    ["the link leads to another record", otherRecord({ previous_hash: rows.hashAt(1) })],
    ["a later record says that it is the first", otherRecord({ previous_hash: "" })],
    ["the installation is not of the connection", otherRecord({ connection_id: "connection-2" })],
    ["the installation is not of the account", otherRecord({ account_id: "account-2" })],
    ["the invoice does not exist", otherRecord({ invoice_id: "invoice-9" })],
    ["the record claims to be submitted already", otherRecord({ state: "accepted" })],
  ])("%s", async (_, row) => {
    await expectRefused(insertInto("record", row), "fence:link");
  });

  test.each([
    ["two records follow the same one", rows.aRecord(2, { origin: "direct:3", invoice_id: "invoice-3" })],
    ["there is a second first record", rows.aRecord(1, { origin: "direct:3", invoice_id: "invoice-3" })],
  ])("%s", async (_, row) => {
    await expectRefused(insertInto("record", { ...row, hash: rows.hashAt(9) }), "fence:exists");
  });

  test("a first record has '' before it, never NULL", async () => {
    const sql = insertInto("record", otherRecord({ previous_hash: null }));
    await expect(run(sql)).rejects.toThrow("fence:link");
  });

  test("a closed installation takes no more records", async () => {
    await run("UPDATE installation SET closed_at = 1");
    await expectRefused(insertInto("record", rows.aRecord(3)), "fence:link");
    await expectRefused("UPDATE installation SET closed_at = NULL", "immutable: installation");
  });

  test("the next record is taken", async () => {
    await run(insertInto("record", rows.aRecord(3)));
  });
});

describe("of a record only the state of its submission changes", () => {
  const become = (state: string, changedSeq: number | null) =>
    database
      .prepare("UPDATE record SET state = ?, changed_seq = ? WHERE position = 1")
      .bind(state, changedSeq)
      .run();

  test.each([
    ["submitted", null],
    ["accepted", 2],
    ["accepted_with_errors", 2],
    ["rejected", 2],
  ])("to %s", async (state, changedSeq) => {
    await become(state, changedSeq);
    const stored = database.prepare("SELECT state FROM record ORDER BY position");
    expect(await stored.raw()).toEqual([[state], ["pending_submission"]]);
  });

  test("back to waiting while the authority has not decided", async () => {
    await become("submitted", null);
    await become("pending_submission", null);
  });

  test.each(["accepted", "accepted_with_errors", "rejected"])("never from %s", async (state) => {
    await become(state, 2);
    for (const [other, seq] of [
      ["pending_submission", null],
      ["submitted", null],
      ["rejected", 3],
      ["accepted", 3],
    ] as const) {
      await expect(become(other, seq)).rejects.toThrow("immutable: record state");
    }
    await expectRefused("UPDATE record SET standing = '{}' WHERE position = 1", "immutable: record state");
  });

  test("an end has its place among the changes of the chain, and only an end", async () => {
    await expect(become("accepted", null)).rejects.toThrow("immutable: record state");
    await expect(become("submitted", 2)).rejects.toThrow("immutable: record state");
  });

  test("not even where a duplicate was declared another's", async () => {
    const rejected = `UPDATE record SET state = 'rejected', changed_seq = 2,
      standing = '{"code":3000,"hold":"foreign_duplicate"}' WHERE position = 1`;
    await database.prepare(rejected).run();
    await expect(become("accepted", 3)).rejects.toThrow("immutable: record state");
  });

  describe("the owner's finding about a duplicate is added to it", () => {
    const HELD = { code: 3000, hold: "foreign_duplicate" };
    const tell = (standing: object) =>
      database
        .prepare("UPDATE record SET standing = ? WHERE position = 1")
        .bind(JSON.stringify(standing))
        .run();

    test.each<[string, object, readonly string[], boolean]>([
      ["ours", HELD, ["ours"], true],
      ["another's", HELD, ["foreign"], true],
      ["another's, and then ours", HELD, ["foreign", "ours"], true],
      ["ours, and then another's", HELD, ["ours", "foreign"], false],
      ["neither", HELD, ["perhaps"], false],
      ["of a company without a waiting claim", { code: 3000 }, ["ours"], false],
    ])("%s", async (_, held, findings, isTaken) => {
      const settle = `UPDATE record SET state = 'rejected', changed_seq = 2, standing = ? WHERE position = 1`;
      await database.prepare(settle).bind(JSON.stringify(held)).run();
      for (const found of findings.slice(0, -1)) await tell({ ...held, found });
      const last = tell({ ...held, found: findings.at(-1) });
      if (isTaken) await last;
      else await expect(last).rejects.toThrow("immutable: record state");
      await expect(tell({ ...held, code: 1, found: "ours" })).rejects.toThrow("immutable: record state");
    });

    test("and is not taken back", async () => {
      const settle = `UPDATE record SET state = 'rejected', changed_seq = 2, standing = ? WHERE position = 1`;
      await database.prepare(settle).bind(JSON.stringify(HELD)).run();
      await tell({ ...HELD, found: "foreign" });
      await expect(tell(HELD)).rejects.toThrow("immutable: record state");
    });
  });

  test.each([
    ...[
      "position = 9",
      "origin = 'x'",
      "invoice_id = 'invoice-2'",
      "kind = 'ANULACION'",
      "previous_hash = 'x'",
    ],
    ...[`hash = '${"F".repeat(64)}'`, "content = '[]'", "content = CAST(content AS BLOB)", "reason = 'x'"],
    ...["request_id = 'x'", "account_id = 'x'", "connection_id = 'x'", "installation_id = 'x'", "rowid = 99"],
    ...["state = 'forgotten', changed_seq = 2", "state = 'accepted', changed_seq = 2, content = '[]'"],
  ])("not by SET %s", async (assignment) => {
    await expectRefused(`UPDATE record SET ${assignment} WHERE position = 1`, "immutable: record");
    await expectRefused(`UPDATE OR REPLACE record SET ${assignment} WHERE position = 1`, "immutable: record");
  });
});

describe("the fence", () => {
  const upsert = (change: rows.Row) =>
    `${insertInto("ledger_head", rows.aHead(change))} ON CONFLICT (connection_id) DO UPDATE
      SET seq = excluded.seq, settings_version = excluded.settings_version`;

  test("the next number under the settings of today passes", async () => {
    const version = await settingsVersion();
    await run(upsert({ seq: 2, settings_version: version }));
    expect(await database.prepare("SELECT seq FROM ledger_head").first("seq")).toBe(2);
  });

  test.each([
    ["a number that was taken", { seq: 1 }],
    ["a number too far on", { seq: 3 }],
    ["a first number that is not 1", { seq: 2, connection_id: "connection-2" }],
  ])("stale head: %s", async (_, change) => {
    await expectRefused(upsert({ settings_version: await settingsVersion(), ...change }), "fence:stale_head");
  });

  test("stale head: an UPDATE that skips a number", async () => {
    await expectRefused("UPDATE ledger_head SET seq = seq + 2", "fence:stale_head");
    await expectRefused("UPDATE OR REPLACE ledger_head SET seq = seq + 1, rowid = 9", "fence:stale_head");
  });

  test("stale settings: an older or a newer version", async () => {
    const version = await settingsVersion();
    await expectRefused(upsert({ seq: 2, settings_version: version - 1 }), "fence:stale_settings");
    await expectRefused(upsert({ seq: 2, settings_version: version + 1 }), "fence:stale_settings");
  });

  test("stale settings: a frozen account", async () => {
    await run("UPDATE account SET frozen = 1");
    await expectRefused(
      upsert({ seq: 2, settings_version: await settingsVersion() }),
      "fence:stale_settings",
    );
  });

  test("the settings of another account do not count", async () => {
    await run(insertInto("account", rows.anAccount({ id: "account-2" })));
    await expectRefused(upsert({ seq: 2, settings_version: 1, account_id: "account-2" }), "fence:link");
  });

  test("a refused statement later in the batch takes the fence back with it", async () => {
    const passes = upsert({ seq: 2, settings_version: await settingsVersion() });
    const gap = insertInto("invoice", rows.anInvoice(4));
    const before = await rows.everyRow(database);
    await expect(run(passes, gap)).rejects.toThrow("fence:link");
    expect(await rows.everyRow(database)).toEqual(before);
  });
});

describe("settings: every change that decisions depend on raises the version", () => {
  const consent = {
    id: "co",
    ...rows.OWNER,
    granted_by: "o",
    granted_at: 0,
    text_version: "1",
    cutoff_date: "d",
  };
  const authorisation = {
    id: "au",
    account_id: rows.OWNER.account_id,
    number: "1",
    limit_eur: "1",
    active_from: 0,
  };
  const ossRate = {
    account_id: rows.OWNER.account_id,
    area: "FR",
    rate: "8",
    from_date: "d",
    kept_at: 0,
  };

  test.each([
    ["the account", "UPDATE account SET legal_name = 'Other SL'"],
    ["the connection", "UPDATE connection SET name = 'other' WHERE id = 'connection-1'"],
    ["consent given", insertInto("consent", { ...consent, id: "other" })],
    ["consent withdrawn", "UPDATE consent SET withdrawn_at = 1"],
    ["consent removed", "DELETE FROM consent"],
    ["another authorisation", insertInto("authorisation", { ...authorisation, id: "other", closed_at: 1 })],
    ["the authorisation closed", "UPDATE authorisation SET closed_at = 1"],
    ["the authorisation removed", "DELETE FROM authorisation"],
    ["another rate of the one-stop shop", insertInto("oss_rate", { ...ossRate, rate: "9" })],
    ["the rate from another day", "UPDATE oss_rate SET from_date = 'e'"],
    ["the rate removed", "DELETE FROM oss_rate"],
    ["the installation closed", "UPDATE installation SET closed_at = 1"],
  ])("%s", async (_, sql) => {
    await run(
      insertInto("consent", consent),
      insertInto("authorisation", authorisation),
      insertInto("oss_rate", ossRate),
    );
    const before = await settingsVersion();
    await run(sql);
    expect(await settingsVersion()).toBe(before + 1);
  });
});
