/** The databases of `npm start`, in the files of `wrangler dev --persist-to`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig, unstable_splitSqlQuery } from "wrangler";
import type { LocalState } from "../dev/state.ts";
import { root, SetupError } from "./setup.mjs";

const CONFIG = join(root, "wrangler.toml");

/** Only databases and values: the proxy complains about an object without its class. */
export async function withLocalDatabases<Bindings extends object, T>(
  state: Pick<LocalState, "dir" | "databases">,
  use: (env: Bindings) => Promise<T>,
): Promise<T> {
  const { name, compatibility_date, d1_databases, vars } = unstable_readConfig({ config: CONFIG });
  const configPath = join(state.dir, "seed.wrangler.json");
  writeFileSync(configPath, JSON.stringify({ name, compatibility_date, d1_databases, vars }));
  const persist = { path: join(state.databases, "v3") };
  const proxy = await getPlatformProxy<Record<string, unknown> & Bindings>({ configPath, persist });
  try {
    return await use(proxy.env);
  } finally {
    await proxy.dispose();
  }
}

/** The databases of a state folder. */
export function databasesIn(dir: string): string {
  const databases = join(dir, "wrangler");
  if (!existsSync(databases)) throw new SetupError(`${dir} holds no databases: run npm start once.`);
  return databases;
}

interface Migrations {
  readonly binding: string;
  readonly folder: string;
  /** In the order in which they apply. */
  readonly files: readonly string[];
}

type Configured = { readonly binding: string; readonly migrations_dir?: string };

export function knownMigrations(): readonly Migrations[] {
  const databases: Configured[] = unstable_readConfig({ config: CONFIG }).d1_databases;
  return databases.map(({ binding, migrations_dir: dir }) => {
    const folder = join(root, dir ?? "migrations");
    return {
      binding,
      folder,
      files: readdirSync(folder)
        .filter((name) => name.endsWith(".sql"))
        .sort(),
    };
  });
}

/** The same as `wrangler d1 migrations apply --local`, which starts a runtime for each migration. */
export function migrateLocalDatabases(state: Pick<LocalState, "dir" | "databases">): Promise<void> {
  return withLocalDatabases<Record<string, D1Database>, void>(state, async (env) => {
    for (const migrations of knownMigrations()) {
      const database = env[migrations.binding];
      if (!database) throw new SetupError(`The local runtime has no database ${migrations.binding}.`);
      await migrate(database, migrations);
    }
  });
}

/** Wrangler's own table. */
const NOTED =
  "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, " +
  "applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)";

async function migrate(database: D1Database, { binding, folder, files }: Migrations): Promise<void> {
  await database.prepare(NOTED).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const file of files.filter((name) => !applied.has(name))) {
    const statements = unstable_splitSqlQuery(readFileSync(join(folder, file), "utf8"));
    const note = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(file);
    try {
      await database.batch([...statements.map((sql) => database.prepare(sql)), note]);
    } catch (error) {
      throw new SetupError(
        `${binding}: ${file} was not applied: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
}
