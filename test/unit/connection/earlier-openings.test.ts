/** Openings interrupted before NIFs were proven: they become as unproven as every other. */
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const FOLDER = "migrations/ledger";
/** The migration that knows of verification. */
const PROVEN = /_verification\.sql$/;

test("an interrupted opening is unverified after the migration, one with connections keeps its state", () => {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  const migrate = (isWanted: (name: string) => boolean) => {
    for (const name of files.filter(isWanted)) database.exec(readFileSync(`${FOLDER}/${name}`, "utf8"));
  };
  const first = files.find((name) => PROVEN.test(name)) ?? "";
  migrate((name) => name < first);
  for (const id of ["broken", "listed", "older"]) {
    database.exec(`INSERT INTO account (id, legal_name, nif, address1, postcode, city, time_zone, territory,
        opened_at, opened_by)
      VALUES ('${id}', 'SL', 'N', 'C', '28001', 'Madrid', 'Europe/Madrid', 'peninsula', 1, 'person')`);
  }
  database.exec(`
    INSERT INTO account_opening (account_id, tried_at) VALUES ('broken', 1), ('listed', 1);
    INSERT INTO connection (id, account_id, ordinal, kind, name, opened_at)
      VALUES ('cn', 'listed', 1, 'api', 'API', 1);
  `);
  migrate((name) => name >= first);
  const rows = database.prepare("SELECT id, verification, heard_seq AS heard FROM account ORDER BY id").all();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { id: "broken", verification: "unverified", heard: -1 },
    { id: "listed", verification: "verified", heard: 0 },
    { id: "older", verification: "verified", heard: 0 },
  ]);
});
