/** `npm run restore`: what it takes, and the SQL that it writes. */
import { closeSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createExport,
  END_TEXT,
  type ExportHead,
  headText,
  readHead,
} from "../../../src/ops/restore/restore.ts";
import { HELP, readRestoreOptions } from "../../../src/ops/restore/restore-options.ts";
import {
  BEGIN_TEXTS,
  deleteStale,
  insertAbsent,
  insertAllAbsent,
  keepOnly,
  type Row,
  stepUp,
  updateAllDifferent,
  updateDifferent,
} from "../../../src/ops/restore/sql-text.ts";
import {
  BOOKS,
  DERIVED,
  ERASURES,
  LAST,
  OF_RUNS,
  SETTINGS,
  type Table,
  TIMED,
} from "../../../src/ops/restore/tables.ts";
import { SetupError } from "../../../src/ops/setup.mjs";

describe("options", () => {
  const LEDGER = ["--ledger", "000"];

  test.each<[string, string[], object]>([
    ["freeze", ["freeze"], { verb: "freeze", accounts: "all" }],
    ["thaw one", ["thaw", "--account", "ac1"], { verb: "thaw", accounts: ["ac1"] }],
    [
      "export",
      ["export", "--since", "2026-11-28T10:00:00+01:00", "--to", "f.sql"],
      { verb: "export", since: Date.UTC(2026, 10, 28, 9), file: "f.sql", accounts: "all" },
    ],
    ["put-back", ["put-back", "--from", "f.sql"], { verb: "put-back", file: "f.sql" }],
    [
      "new-installation",
      ["new-installation", "--connection", "cn1", "--reason", "copia perdida"],
      { verb: "new-installation", connectionId: "cn1", reason: "copia perdida" },
    ],
  ])("%s", (_, args, told) => {
    expect(readRestoreOptions([...args, ...LEDGER], {})).toMatchObject({
      help: false,
      ledger: "000",
      ...told,
    });
  });

  test.each<[string, string[]]>([
    ["no verb", LEDGER],
    ["an unknown verb", ["drop", ...LEDGER]],
    ["two verbs", ["freeze", "thaw", ...LEDGER]],
    ["no ledger", ["freeze"]],
    ["a ledger that is none", ["freeze", "--ledger", "000; DROP"]],
    ["a moment without a zone", ["export", "--since", "2026-11-28T10:00:00", "--to", "f", ...LEDGER]],
    ["a day", ["export", "--since", "2026-11-28", "--to", "f", ...LEDGER]],
    ["no file", ["put-back", ...LEDGER]],
    ["no reason", ["new-installation", "--connection", "cn1", ...LEDGER]],
    ["both places", ["freeze", ...LEDGER, "--local", "x", "--remote"]],
  ])("refused: %s", (_, args) => {
    expect(() => readRestoreOptions(args, {})).toThrow(/npm run restore/);
  });

  test("--help needs nothing else", () => {
    expect(readRestoreOptions(["--help"], {})).toEqual({ help: true });
    expect(HELP).toContain("docs/runbooks/restore.md");
  });
});

describe("the head of a file", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "restore-head-"));
    return () => rmSync(folder, { recursive: true });
  });

  const fileOf = (text: string) => {
    const file = join(folder, "newer.sql");
    writeFileSync(file, text);
    return file;
  };

  test.each<[string, ExportHead]>([
    ["one account", { ledger: "000", accounts: ["ac1"], yearsLeft: [] }],
    ["years that left", { ledger: "0a1", accounts: ["ac1", "ac2"], yearsLeft: ["ac1 2018", "ac2 2019"] }],
    ["no account", { ledger: "000", accounts: [], yearsLeft: [] }],
    [
      "thousands of them",
      { ledger: "000", accounts: Array.from({ length: 20_000 }, (_, n) => `ac${n}`), yearsLeft: [] },
    ],
  ])("is read as it was written: %s", (_, head) => {
    expect(readHead(fileOf(`${headText(head)}SELECT 1;\n${END_TEXT}`))).toEqual(head);
  });

  test.each([
    ["nothing", ""],
    ["another file", "SELECT 1;\n"],
    ["an end in the middle", "-- cuadre restore, ledger 000, accounts ac1"],
  ])("is none: %s", (_, text) => {
    expect(readHead(fileOf(text))).toBeUndefined();
  });

  test("is not taken of a file that broke off", () => {
    const head = headText({ ledger: "000", accounts: ["ac1"], yearsLeft: [] });
    for (const text of [head, `${head}SELECT 1;\n`]) expect(() => readHead(fileOf(text))).toThrow(SetupError);
  });

  test("is written where nothing is", () => {
    closeSync(createExport(join(folder, "new.sql")));
    expect(statSync(join(folder, "new.sql")).mode & 0o777).toBe(0o600);
    expect(() => createExport(join(folder, "new.sql"))).toThrow("there already");
    expect(() => createExport(join(folder, "none", "new.sql"))).toThrow("such a folder");
  });
});

describe("tables", () => {
  /** The result of the migrations, except the full-text table, which is made with entries. */
  function tablesOfLedger(): string[] {
    const database = new DatabaseSync(":memory:");
    for (const file of readdirSync("migrations/ledger")
      .filter((name) => name.endsWith(".sql"))
      .toSorted()) {
      database.exec(readFileSync(`migrations/ledger/${file}`, "utf8"));
    }
    const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return rows.map(({ name }) => String(name)).filter((name) => !/^(sqlite_|invoice_search)/.test(name));
  }

  test("every one has its place in the put-back, or is made again automatically", () => {
    const { order } = ERASURES;
    const placed = [...SETTINGS, ...Object.values(BOOKS), order, ...TIMED, ...LAST].map(({ name }) => name);
    expect([...placed, ...OF_RUNS, ...DERIVED].toSorted()).toEqual(tablesOfLedger().toSorted());
  });
});

describe("statements", () => {
  const NOTE: Table = { name: "note", key: ["owner", "id"], columns: ["owner", "id", "text", "size"] };
  const HEAD: Table = { name: "head", key: ["id"], columns: ["id", "seq", "state"] };
  let database: DatabaseSync;

  beforeEach(() => {
    database = new DatabaseSync(":memory:");
    database.exec(`CREATE TABLE note (owner TEXT, id INTEGER, text TEXT, size REAL, PRIMARY KEY (owner, id));
      CREATE TABLE head (id TEXT PRIMARY KEY, seq INTEGER, state TEXT);
      CREATE TRIGGER once BEFORE INSERT ON note BEGIN SELECT RAISE(ABORT, 'there') WHERE EXISTS
        (SELECT 1 FROM note WHERE owner = NEW.owner AND id = NEW.id); END;
      CREATE TRIGGER step BEFORE INSERT ON head BEGIN SELECT RAISE(ABORT, 'gap') WHERE NEW.seq <> 1 +
        coalesce((SELECT seq FROM head WHERE id = NEW.id), 0); END;
      CREATE TRIGGER touched BEFORE UPDATE ON note WHEN NEW.text IS OLD.text BEGIN SELECT RAISE(ABORT, 'same'); END;`);
    for (const sql of BEGIN_TEXTS) database.exec(sql);
  });

  const run = (statements: readonly string[]) => {
    for (const sql of statements) database.exec(sql);
  };
  const notes = () => database.prepare("SELECT * FROM note ORDER BY id").all();
  const aNote = (change: Row = {}): Row => ({ owner: "a", id: 1, text: "one", size: 1.5, ...change });

  test.each<[string, string]>([
    ["quotes", "it's \"so\" -- '; DROP TABLE note; --"],
    ["a question mark and a backslash", "¿? \\ \\n"],
    ["line breaks", "a\nb\r\nc"],
    ["longer than a statement", "€'".repeat(150_000)],
    ["characters of two units at every cut", `x${"🧾".repeat(90_000)}`],
    ["nothing", ""],
  ])("bring back text with %s", (_, text) => {
    run(insertAbsent(NOTE, aNote({ text })));
    expect(notes()).toEqual([aNote({ text })]);
    run(insertAbsent(NOTE, aNote({ id: 2, text: "short" })));
    run(updateDifferent(NOTE, aNote({ id: 2, text: `${text}!` }), NOTE.columns));
    expect(notes()[1]).toEqual(aNote({ id: 2, text: `${text}!` }));
  });

  test("keep existing rows, and leave equal ones untouched", () => {
    run(insertAbsent(NOTE, aNote()));
    run(insertAbsent(NOTE, aNote({ text: "another" })));
    run(updateDifferent(NOTE, aNote(), NOTE.columns));
    expect(notes()).toEqual([aNote()]);
    run(updateDifferent(NOTE, aNote({ text: null }), NOTE.columns));
    expect(notes()).toEqual([aNote({ text: null })]);
  });

  test("step up, from nothing, from the middle, and not at all", () => {
    const reached = { id: "h", seq: 2_000, state: "late" };
    database.exec(stepUp(HEAD, { ...reached, seq: 3, state: "early" }));
    database.exec(stepUp(HEAD, reached));
    database.exec(stepUp(HEAD, { ...reached, seq: 5, state: "old" }));
    expect(database.prepare("SELECT * FROM head").all()).toEqual([reached]);
  });

  const bytesOf = (sql: string) => new TextEncoder().encode(sql).length;

  test("remove the removed rows", () => {
    const rule: Table = {
      name: "tag_rule",
      key: ["connection_id", "tag"],
      columns: ["connection_id", "account_id", "tag"],
    };
    database.exec("CREATE TABLE tag_rule (connection_id TEXT, account_id TEXT, tag TEXT)");
    database.exec("INSERT INTO tag_rule VALUES ('c', 'a', 'old'), ('c', 'a', 'it''s'), ('d', 'b', 'old')");
    run([...deleteStale(rule, "a", [{ connection_id: "c", tag: "it's" }])]);
    expect(database.prepare("SELECT tag FROM tag_rule").all()).toEqual([{ tag: "it's" }, { tag: "old" }]);
    run([...deleteStale(rule, "a", [])]);
    expect(database.prepare("SELECT account_id FROM tag_rule").all()).toEqual([{ account_id: "b" }]);
  });

  test("remove all but the remaining ones, in any number", async () => {
    const kept = Array.from({ length: 9_000 }, (_, n) => `it's "${n}" €`);
    const client: Table = { name: "client", key: [], columns: [] };
    database.exec("CREATE TABLE client (connection_id TEXT, id_external TEXT)");
    const insert = database.prepare("INSERT INTO client VALUES (?, ?)");
    for (const id of kept) insert.run("c", id);
    insert.run("c", "erased");
    insert.run("d", "erased");
    async function* pages(): AsyncGenerator<readonly string[]> {
      yield kept;
    }
    const statements: string[] = [];
    for await (const sql of keepOnly(client, "c", { pages: pages(), more: "1" })) statements.push(sql);
    for (const sql of statements) expect(bytesOf(sql)).toBeLessThanOrEqual(90_000);
    run(statements);
    const left = database.prepare("SELECT connection_id AS c, count(*) AS many FROM client GROUP BY 1").all();
    expect(left).toEqual([
      { c: "c", many: 9_000 },
      { c: "d", many: 1 },
    ]);
  });

  test("put back ten thousand rows in a hundred statements, some of them long", () => {
    database.exec("DROP TRIGGER once; DROP TRIGGER touched");
    database.exec(
      "CREATE TABLE account_note (account_id TEXT, id TEXT, text TEXT, PRIMARY KEY (account_id, id))",
    );
    const table: Table = {
      name: "account_note",
      key: ["account_id", "id"],
      columns: ["account_id", "id", "text"],
    };
    const rows = Array.from({ length: 10_000 }, (_, n) => ({
      account_id: "a",
      id: `it's "${n}" \u0001 €`,
      text: n % 1_000 === 7 ? "€'".repeat(20_000) : `¿${n}?`,
    }));
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      INSERT INTO account_note SELECT 'a', 'stale ' || i, 'old' FROM n`);
    run([
      ...insertAllAbsent(
        table,
        rows.slice(0, 3).map((row) => ({ ...row, text: "older" })),
      ),
    ]);
    const statements = [
      ...deleteStale(table, "a", rows),
      ...updateAllDifferent(table, rows, table.columns),
      ...insertAllAbsent(table, rows),
    ];
    expect(statements.length).toBeLessThan(150);
    for (const sql of statements) expect(bytesOf(sql)).toBeLessThanOrEqual(90_000);
    for (const times of [1, 2]) {
      run(statements);
      expect(database.prepare("SELECT * FROM account_note").all(), `${times} times`).toHaveLength(10_000);
    }
    const stored = new Map(
      database
        .prepare("SELECT id, text FROM account_note")
        .all()
        .map(({ id, text }) => [id, text]),
    );
    expect(rows.filter(({ id, text }) => stored.get(id) !== text)).toEqual([]);
  });

  test("refuse a row that no statement could hold", () => {
    const wide: Table = {
      name: "wide",
      key: ["id"],
      columns: ["id", ...Array.from({ length: 12 }, (_, n) => `c${n}`)],
    };
    const row = Object.fromEntries(wide.columns.map((column) => [column, "x".repeat(7_900)]));
    expect(() => insertAbsent(wide, row)).toThrow("too wide");
  });
});
