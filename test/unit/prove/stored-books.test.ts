/** The databases of a local product are read as written, and the due work in them is found. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { dueProblems, storedBooks } from "../../prove/crash/stored-books.ts";
import { soundBooks } from "../../support/builders/sound-books.ts";
import { bookProblems } from "../../support/rules/book-rules.ts";
import { orderProblems } from "../../support/rules/order-rules.ts";
import { sourceFiles } from "../../support/rules/sources.ts";

const SOUND = soundBooks();
const IDS = { connection_id: "cn1", account_id: "ac1" };
const folder = mkdtempSync(join(tmpdir(), "cuadre-stored-books-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A ledger with those books; columns without a rule are left empty. */
function ledgerWith(books: typeof SOUND): DatabaseSync {
  const databases = join(folder, "wrangler/v3/d1/miniflare-D1DatabaseObject");
  mkdirSync(databases, { recursive: true });
  const database = new DatabaseSync(join(databases, "ledger.sqlite"), { enableForeignKeyConstraints: false });
  for (const { text } of sourceFiles("migrations/ledger/*.sql")) database.exec(text);
  const nothing = { request_id: "", kind: "api", name: "", ordinal: 1, opened_at: 0 };
  insert(database, "connection", { ...nothing, ...IDS, id: "cn1" });
  const installation_id = books.records[0]?.installation_id ?? "";
  const environment = { number: "1", environment: "test" };
  insert(database, "installation", { ...nothing, ...IDS, ...environment, id: installation_id });
  for (const code of new Set(books.invoices.map(({ series }) => series))) {
    insert(database, "series", { ...IDS, code, installation_id });
  }
  for (const { document, ...row } of books.invoices) {
    insert(database, "invoice", { ...nothing, ...IDS, ...row, invoice_type: "F2" });
    insert(database, "invoice_document", { invoice_id: row.id, document });
  }
  for (const link of books.links) insert(database, "invoice_link", { ...link });
  let previous = "";
  for (const row of books.records) {
    insert(database, "record", { ...nothing, ...IDS, ...row, previous_hash: previous });
    previous = row.hash;
  }
  for (const order of books.orders) {
    const json = { facts: order.facts, reasons: order.reasons, answers: order.answers, acted: order.acted };
    insert(database, "shop_order", {
      ...{ ...IDS, id_external: order.idExternal, state: order.state, order_day: "", due_date: "" },
      ...{ ordered_at: order.facts.orderedAt, status: order.facts.status ?? null, undecided: 0 },
      ...{
        waits_for_rate: 0,
        was_candidate: 1,
        warnings: "[]",
        created_at: 0,
        changed_at: 0,
        request_id: "",
      },
      ...{ sent_sha256: order.sentSha256, sold_fingerprint: order.soldFingerprint },
      ...Object.fromEntries(Object.entries(json).map(([name, value]) => [name, JSON.stringify(value)])),
    });
    insert(database, "shop_order_sent", { ...IDS, id_external: order.idExternal, sent: order.sent });
  }
  return database;
}

/** The members with a column in the table. */
function insert(
  database: DatabaseSync,
  table: string,
  members: Readonly<Record<string, SQLInputValue>>,
): void {
  const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => String(name)).filter((name) => name in members);
  const places = names.map(() => "?").join(", ");
  database
    .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`)
    .run(...names.map((name) => members[name] ?? null));
}

test("books are read whole, and open work is due", () => {
  const database = ledgerWith(SOUND);
  const [books, ...others] = storedBooks(folder);
  expect(others).toEqual([]);
  expect(books).toMatchObject({
    connectionId: "cn1",
    invoices: SOUND.invoices,
    records: SOUND.records,
    links: SOUND.links,
    orders: SOUND.orders.toSorted((one, other) => (one.idExternal < other.idExternal ? -1 : 1)),
  });
  expect(books && [...bookProblems(books), ...orderProblems(books)]).toEqual([]);
  expect(dueProblems(folder).map(({ what }) => what.replace(/^\d+ /, ""))).toEqual([
    "records that are not answered",
    "invoices without an entry in the lists",
    "chains with lists that are not up to date",
  ]);
  database.close();
});
