/** The same statements, given to D1 in its runtime and to its replacement in plain Node. */
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryDatabase } from "../../support/worlds/sqlite-d1.ts";

const SCHEMA = [
  "CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, amount INTEGER CHECK (amount >= 0))",
  "CREATE TABLE child (id TEXT PRIMARY KEY, parent_id INTEGER NOT NULL REFERENCES parent (id), bytes BLOB)",
  "CREATE TABLE late (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)",
  "CREATE TABLE typed (id INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT",
  "CREATE TABLE mark (n INTEGER)",
  "CREATE TABLE fixed (id INTEGER PRIMARY KEY, n INTEGER)",
  "CREATE TRIGGER parent_insert AFTER INSERT ON parent BEGIN INSERT INTO mark VALUES (NEW.id); END",
  "CREATE TRIGGER parent_update BEFORE UPDATE ON parent BEGIN SELECT RAISE(ABORT, 'fence:stale_head'); END",
  "CREATE TRIGGER fixed_delete BEFORE DELETE ON fixed BEGIN SELECT RAISE(ABORT, 'append_only:fixed'); END",
  "INSERT INTO parent (id, name) VALUES (1, 'one')",
  "INSERT INTO typed VALUES (1, 2)",
  "INSERT INTO fixed VALUES (1, 1)",
  "CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='ascii')",
];

type Bound = readonly [sql: string, ...values: unknown[]];

const ones = (count: number) => [
  `SELECT ${Array(count).fill("?").join(" + ")} AS n`,
  ...Array(count).fill(1),
];
const unions = (count: number) => Array(count).fill("SELECT 1 AS n").join(" UNION ALL ");

/** Each is one batch on a new database. */
const BATCHES: readonly (readonly [name: string, ...statements: Bound[]])[] = [
  ["rows are written", ["INSERT INTO parent VALUES (?, ?, ?)", 5, "five", 5], ["SELECT * FROM parent"]],
  ["a trigger's changes count", ["INSERT INTO parent (id, name) VALUES (2, 'two'), (3, 'three')"]],
  ["nothing changes", ["DELETE FROM parent WHERE id = 99"]],
  [
    "a read after a write changes nothing",
    ["INSERT INTO mark VALUES (1)"],
    ["SELECT count(*) AS n FROM mark"],
  ],
  ["rows are returned", ["INSERT INTO typed VALUES (7, 2) RETURNING id, n + 0.5 AS half, NULL AS nothing"]],
  ["a conflict updates", ["INSERT INTO typed VALUES (1, 3) ON CONFLICT (id) DO UPDATE SET n = excluded.n"]],
  [
    "types of bound values",
    ["SELECT typeof(?) AS a, typeof(?) AS b, typeof(?) AS c, ? AS d", 1, "1", null, true],
  ],
  ["a number that is not whole", ["SELECT typeof(?) AS a, ? AS b", 1.5, 1.5]],
  ["a large whole number", ["SELECT ? AS n, typeof(?) AS t", 9007199254740991, 9007199254740991]],
  ["bytes", ["INSERT INTO child VALUES ('b', 1, ?)", Uint8Array.of(1, 2, 255)], ["SELECT bytes FROM child"]],
  ["a buffer", ["SELECT ? AS bytes", Uint8Array.of(7).buffer]],
  ["rows out of JSON", ["SELECT value ->> 'a' AS a FROM json_each(?)", '[{"a":1},{"a":"2"}]']],
  ["a column twice", ["SELECT 1 AS a, 2 AS a"]],
  ["full text", ["INSERT INTO words (rowid, text) VALUES (1, 'ana')"], ["SELECT rowid FROM words('an*')"]],
  ["dates and regular functions", ["SELECT unixepoch('2026-11-30') AS a, iif(1, 'b', 'c') AS b"]],
  ["a comparison of text without case", ["SELECT 'A' LIKE 'a' AS a, 'Á' LIKE 'á' AS b"]],
  ["settings", ["SELECT foreign_keys FROM pragma_foreign_keys"]],
  ["unique", ["INSERT INTO parent (id, name) VALUES (8, 'one')"]],
  [
    "a primary key of text",
    ["INSERT INTO child VALUES ('b', 1, NULL)"],
    ["INSERT INTO child VALUES ('b', 1, NULL)"],
  ],
  ["a primary key of numbers", ["INSERT INTO parent (id, name) VALUES (1, 'new')"]],
  ["not null", ["INSERT INTO parent (id) VALUES (8)"]],
  ["check", ["INSERT INTO parent VALUES (8, 'eight', -1)"]],
  ["a trigger refuses", ["UPDATE parent SET name = 'other' WHERE id = 1"]],
  ["foreign key", ["INSERT INTO child VALUES ('c', 77, NULL)"]],
  ["a deferred foreign key", ["INSERT INTO late VALUES (1, 77)"], ["SELECT 1"]],
  [
    "a deferred foreign key with its row in time",
    ["INSERT INTO late VALUES (2, 50)"],
    ["INSERT INTO parent (id, name) VALUES (50, 'fifty')"],
  ],
  ["a strict type", ["INSERT INTO typed VALUES (9, 'nine')"]],
  ["REPLACE fires the triggers of a deletion", ["REPLACE INTO fixed VALUES (1, 2)"]],
  ["no such table", ["SELECT * FROM nowhere"]],
  ["no such column", ["SELECT nothing FROM parent"]],
  ["no SQL", ["SELEC 1"]],
  ["too few values", ["SELECT ? AS a, ? AS b", 1]],
  ["too many values", ["SELECT ? AS a", 1, 2]],
  ["the beginning of a transaction", ["BEGIN"]],
  ["a savepoint", ["  savepoint a"]],
  ["a numbered value", ["SELECT ?1 AS a, ?1 AS b", 1]],
  ["a question mark in a text", ["SELECT '?' AS a, ? AS \"b?\" -- ?", 1]],
  ["malformed JSON", ["SELECT value FROM json_each(?)", "{"]],
  ["an overflow", ["SELECT abs(-9223372036854775807 - 1)"]],
  ["a hundred parameters", ones(100) as unknown as Bound],
  ["a hundred and one", ones(101) as unknown as Bound],
  ["a long statement", [`SELECT '${"x".repeat(99_900)}' IS NULL AS a`]],
  ["a statement that is too long", [`SELECT '${"x".repeat(100_100)}' IS NULL AS a`]],
  ["a large value", ["SELECT length(?) AS n", "x".repeat(1_900_000)]],
  ["a value that is too large", ["SELECT length(?) AS n", "x".repeat(2_200_001)]],
  [
    "a row that becomes too large",
    ["SELECT length(? || ?) AS n", "x".repeat(1_500_000), "x".repeat(1_500_000)],
  ],
  ["five terms", [unions(5)]],
  ["six terms", [unions(6)]],
  ["a hundred columns", [`SELECT ${Array(100).fill("1").join(", ")}`]],
  ["a hundred and one columns", [`SELECT ${Array(101).fill("1").join(", ")}`]],
  ["a deep expression", [`SELECT ${Array(102).fill("1").join(" + ")} AS n`]],
  ["a long pattern", ["SELECT 'a' LIKE ? AS a", "a".repeat(51)]],
];

/** A batch that fails leaves nothing of it, and the next one is served. */
const UNDONE: readonly Bound[] = [
  ["INSERT INTO mark VALUES (1000)"],
  ["INSERT INTO parent (id, name) VALUES (9, 'one')"],
];

const UNBINDABLE: readonly unknown[] = [undefined, 1n];

const runtime = new Miniflare(
  convertV4MiniflareOptions({
    modules: true,
    script: "export default { fetch: () => new Response() }",
    compatibilityDate: "2026-08-15",
    d1Databases: { DB: "contract" },
  }),
);
let d1: D1Database;
const memory = memoryDatabase();

beforeAll(async () => {
  d1 = (await runtime.getD1Database("DB")) as unknown as D1Database;
  for (const database of [d1, memory.d1]) for (const sql of SCHEMA) await database.prepare(sql).run();
});

afterAll(() => runtime.dispose());

/** Both get the same statements; the rows of one batch are there for the next. */
async function both<T>(ask: (database: D1Database) => Promise<T>): Promise<void> {
  const [real, ours] = [await answerOf(() => ask(d1)), await answerOf(() => ask(memory.d1))];
  expect(ours).toEqual(real);
}

async function answerOf(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    return String(error).replace(/ at offset \d+/, "");
  }
}

const bound = (database: D1Database, [sql, ...values]: Bound) => database.prepare(sql).bind(...values);

async function runBatch(database: D1Database, statements: readonly Bound[]) {
  const answers = await database.batch(statements.map((statement) => bound(database, statement)));
  return answers.map(({ success, results, meta }) => ({ success, results, changes: meta.changes }));
}

test.each(BATCHES.map(([name, ...statements]) => [name, statements] as const))(
  "a batch: %s",
  async (_, statements) => {
    await both((database) => runBatch(database, statements));
  },
);

test("a batch that fails leaves nothing, and the next one is served", async () => {
  await both((database) => runBatch(database, UNDONE));
  await both((database) => runBatch(database, [["SELECT count(*) AS n FROM mark WHERE n = 1000"]]));
});

test("batches that come together are served one after the other", async () => {
  await both((database) =>
    Promise.all(
      [1, 2, 3].map((n) =>
        runBatch(database, [
          ["INSERT INTO mark VALUES (?)", n],
          ["SELECT max(n) AS n FROM mark WHERE n < 4"],
        ]),
      ),
    ),
  );
});

test("statements sent alone are answered in their three forms", async () => {
  const one = (database: D1Database) => database.prepare("SELECT id, name FROM parent WHERE id = ?").bind(1);
  const none = (database: D1Database) => database.prepare("SELECT id FROM parent WHERE id = 99");
  await both((database) => one(database).first());
  await both((database) => one(database).first("name"));
  await both((database) => none(database).first());
  await both((database) => none(database).first("id"));
  await both((database) => one(database).raw());
  await both((database) => one(database).raw({ columnNames: true }));
  await both((database) => none(database).raw());
  await both((database) => database.prepare("SELECT 1 AS a, 2 AS a").raw());
  await both((database) => database.prepare("SELECT * FROM nowhere").first());
  await both((database) => database.prepare("SELECT * FROM nowhere").raw());
  await both(async (database) => (await database.prepare("DELETE FROM mark").run()).meta.changes);
});

test.each(UNBINDABLE.map((value) => [typeof value, value] as const))(
  "a value of type %s cannot be bound",
  async (_, value) => {
    await both((database) => database.prepare("SELECT ? AS a").bind(value).run());
  },
);

test("exec runs several statements", async () => {
  await both(
    async (database) => (await database.exec("INSERT INTO mark VALUES (5);\nDELETE FROM mark")).count,
  );
  await both((database) => database.exec("SELECT * FROM nowhere"));
});

test("a session answers like the database", async () => {
  await both((database) =>
    database.withSession("first-primary").prepare("SELECT id FROM parent").first("id"),
  );
});
