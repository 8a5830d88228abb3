import { readdirSync, readFileSync } from "node:fs";
import {
  type DrizzleSQLiteSnapshotJSON,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from "drizzle-kit/api";
import { describe, expect, test } from "vitest";
import { sourceFiles, withoutComments } from "../support/rules/sources.ts";

describe("the migrations", () => {
  const migrations = sourceFiles("migrations/**/*.sql");

  test("there are some for each kind of database", () => {
    const kinds = new Set(migrations.map(({ path }) => path.split("/")[1]));
    expect([...kinds]).toEqual(["directory", "ledger"]);
  });

  test.each(migrations.map(({ path, text }) => [path, text]))("%s leaves issued rows alone", (_, text) => {
    expect(migrationProblems(text)).toEqual([]);
  });
});

describe.each([
  [
    "ledger",
    [
      ...["ledger", "shop", "shops", "orders", "submission", "invoice-entry", "retention", "mailing"],
      ...["drafts", "review"],
    ],
  ],
  ["directory", ["directory"]],
])("the snapshots of %s", (kind, files) => {
  test("end with the schema that the code has: the next migration begins from there", async () => {
    const [newest] = readdirSync(`migrations/${kind}/meta`)
      .filter((name) => /^\d+_/.test(name))
      .toSorted()
      .reverse();
    const stored: DrizzleSQLiteSnapshotJSON = JSON.parse(
      readFileSync(`migrations/${kind}/meta/${newest}`, "utf8"),
    );
    const modules = await Promise.all(files.map((file) => import(`../../src/db/schema/${file}.ts`)));
    const schema = await generateSQLiteDrizzleJson(Object.assign({}, ...modules));
    expect(await generateSQLiteMigration(stored, schema)).toEqual([]);
  });
});

test("no SQL of the product uses REPLACE", () => {
  const files = sourceFiles("src/**/*.{ts,tsx,mjs}");
  expect(files.filter(({ text }) => REPLACES.test(withoutComments(text))).map(({ path }) => path)).toEqual(
    [],
  );
});

describe("the checker itself", () => {
  test.each([
    ["drops a table", "DROP TABLE `invoice`;"],
    ["drops a table", "drop table if exists record"],
    ["renames a table or a column", "ALTER TABLE `record` RENAME TO `record_old`"],
    ["renames a table or a column", 'ALTER TABLE "series" RENAME COLUMN code TO name'],
    ["drops a column", "ALTER TABLE invoice DROP COLUMN request_id"],
    ["puts another table in the place", "ALTER TABLE x RENAME TO ledger_head"],
    ["rebuilds a table", "CREATE TABLE `__new_invoice_link` (id text)"],
    ["copies rows", "INSERT INTO archive (id)\n  SELECT id FROM `invoice`"],
    ["writes rows", "INSERT INTO series VALUES (1)"],
    ["changes rows", "UPDATE record SET state = 'accepted'"],
    ["changes rows", "UPDATE OR IGNORE invoice SET number = 1"],
    ["deletes rows", "DELETE FROM invoice_document"],
    ["writes the schema by hand", "PRAGMA writable_schema = ON"],
    ["loses the trigger invoice_update", "DROP TRIGGER invoice_update;"],
    [
      "loses the trigger a",
      "CREATE TRIGGER a BEFORE UPDATE ON x BEGIN SELECT 1; END; DROP TRIGGER IF EXISTS a;",
    ],
    ["uses REPLACE", "INSERT OR REPLACE INTO account VALUES (1)"],
    ["uses REPLACE", "replace into account VALUES (1)"],
  ])("%s: %s", (problem, sql) => {
    expect(migrationProblems(sql)).toContain(problem);
  });

  test("a rebuild by drizzle-kit is refused at every step", () => {
    const rebuild = `PRAGMA foreign_keys=OFF;--> statement-breakpoint
      CREATE TABLE \`__new_record\` (\`id\` text);--> statement-breakpoint
      INSERT INTO \`__new_record\`("id") SELECT "id" FROM \`record\`;--> statement-breakpoint
      DROP TABLE \`record\`;--> statement-breakpoint
      ALTER TABLE \`__new_record\` RENAME TO \`record\`;`;
    expect(migrationProblems(rebuild)).toEqual([
      ...["drops a table", "puts another table in the place", "rebuilds a table", "copies rows"],
    ]);
  });

  test.each([
    ["a new column", "ALTER TABLE invoice ADD COLUMN note text"],
    ["a new index", "CREATE INDEX i ON record (state)"],
    ["another table", "DROP TABLE invoice_draft"],
    ["a trigger made anew", "DROP TRIGGER a; CREATE TRIGGER a BEFORE UPDATE ON invoice BEGIN SELECT 1; END"],
    ["a comment", "-- DROP TABLE invoice\nCREATE INDEX i ON record (state)"],
  ])("%s is allowed", (_, sql) => {
    expect(migrationProblems(sql)).toEqual([]);
  });
});

/** The statements forbidden to a migration on append-only tables. A rebuild loses their triggers. */

const APPEND_ONLY = "(?:invoice|invoice_document|invoice_link|record|series|ledger_head)";

const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\bDROP TABLE (?:IF EXISTS )?${APPEND_ONLY}\\b`, "i"), "drops a table"],
  [new RegExp(`\\bALTER TABLE ${APPEND_ONLY} RENAME\\b`, "i"), "renames a table or a column"],
  [new RegExp(`\\bALTER TABLE ${APPEND_ONLY} DROP\\b`, "i"), "drops a column"],
  [new RegExp(`\\bRENAME TO ${APPEND_ONLY}\\b`, "i"), "puts another table in the place"],
  [new RegExp(`\\bCREATE TABLE (?:IF NOT EXISTS )?__new_${APPEND_ONLY}\\b`, "i"), "rebuilds a table"],
  [
    new RegExp(
      `\\bINSERT (?:OR \\w+ )?INTO \\w+ ?(?:\\([^)]*\\) ?)?SELECT\\b.*?\\bFROM ${APPEND_ONLY}\\b`,
      "i",
    ),
    "copies rows",
  ],
  [new RegExp(`\\bINSERT (?:OR \\w+ )?INTO ${APPEND_ONLY}\\b`, "i"), "writes rows"],
  [new RegExp(`\\bUPDATE (?:OR \\w+ )?${APPEND_ONLY}\\b`, "i"), "changes rows"],
  [new RegExp(`\\bDELETE FROM ${APPEND_ONLY}\\b`, "i"), "deletes rows"],
  [/\bPRAGMA writable_schema\b/i, "writes the schema by hand"],
];

/** REPLACE erases a row and fires no DELETE trigger. Prose may say "or replaces". */
const REPLACES = /\b(?:INSERT|UPDATE)\s+OR\s+REPLACE\b|\bREPLACE\s+INTO\b/i;

/** Every rule that the migration breaks. */
function migrationProblems(sql: string): string[] {
  const text = sql
    .replace(/--[^\n]*/g, " ")
    .replace(/[`"[\]]/g, "")
    .replace(/\s+/g, " ");
  const statements = FORBIDDEN.filter(([pattern]) => pattern.test(text)).map(([, problem]) => problem);
  const replaces = REPLACES.test(text) ? ["uses REPLACE"] : [];
  return [...statements, ...lostTriggers(text), ...replaces];
}

/** A trigger is replaced by dropping it and creating it again afterwards, in the same file. */
function lostTriggers(text: string): string[] {
  return [...text.matchAll(/\bDROP TRIGGER (?:IF EXISTS )?(\w+)/gi)].flatMap((drop) => {
    const behind = text.slice(drop.index);
    const again = new RegExp(`\\bCREATE TRIGGER (?:IF NOT EXISTS )?${drop[1]}\\b`, "i");
    return again.test(behind) ? [] : [`loses the trigger ${drop[1]}`];
  });
}
