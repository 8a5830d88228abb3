import type { DatabaseTarget } from "./database-target.ts";
import { databasesIn, withLocalDatabases } from "./local-databases.ts";
import { databaseOverWrangler } from "./remote-database.ts";

/** The directory, on this machine or on Cloudflare. */
export async function onDirectory<T>(
  target: DatabaseTarget,
  use: (db: D1Database) => Promise<T>,
): Promise<T> {
  if (!("stateDir" in target)) return await use(databaseOverWrangler("DIRECTORY", target.wranglerFlags));
  const { stateDir: dir } = target;
  const state = { dir, databases: databasesIn(dir) };
  return await withLocalDatabases<{ readonly DIRECTORY: D1Database }, T>(state, ({ DIRECTORY }) =>
    use(DIRECTORY),
  );
}
