import { type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach } from "vitest";
import { shiftClock } from "./clock.ts";
import { faults } from "./faults.ts";
import { mendPool } from "./pool-mends.ts";

mendPool();
shiftClock();

// All files share one workerd; every test gets empty, migrated databases.
beforeEach(async () => {
  shiftClock();
  faults.reset();
  await everyDatabase((database) => database.prepare("SELECT 1").run());
  // It empties what is in memory: a database that was asked for nothing for some seconds has left it.
  await reset();
  await everyDatabase(migrate);
});

function everyDatabase(act: (database: D1Database, migrations: readonly D1Migration[]) => Promise<unknown>) {
  const { ledger, directory } = env.TEST_MIGRATIONS;
  return Promise.all([
    act(env.LEDGER_000, ledger),
    act(env.LEDGER_001, ledger),
    act(env.DIRECTORY, directory),
  ]);
}

/** What wrangler does in many trips, in one. */
function migrate(database: D1Database, migrations: readonly D1Migration[]): Promise<unknown> {
  const texts = [
    ...migrations.flatMap(({ queries }) => queries),
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
    ...migrations.map(({ name }) => `INSERT INTO d1_migrations (name) VALUES ('${name}')`),
  ];
  return database.batch(texts.map((text) => database.prepare(text)));
}
