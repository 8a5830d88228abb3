import type { DatabaseTarget } from "./database-target.ts";
import { databasesIn, withLocalDatabases } from "./local-databases.ts";
import { remoteDatabase } from "./remote-database.ts";
import { runWrangler } from "./wrangler.ts";

/** The directory, on this machine or on Cloudflare. */
export async function onDirectory<T>(
  target: DatabaseTarget,
  use: (db: D1Database) => Promise<T>,
): Promise<T> {
  if ("stateDir" in target) {
    const { stateDir: dir } = target;
    const state = { dir, databases: databasesIn(dir) };
    return await withLocalDatabases<{ readonly DIRECTORY: D1Database }, T>(state, ({ DIRECTORY }) =>
      use(DIRECTORY),
    );
  }
  const { wranglerFlags: flags } = target;
  return await use(
    remoteDatabase((sql) =>
      runWrangler(["d1", "execute", "DIRECTORY", ...flags, "--yes", "--json", "--command", sql]),
    ),
  );
}
