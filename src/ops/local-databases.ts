import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig } from "wrangler";
import type { LocalState } from "../dev/state.ts";
import { root, SetupError } from "./setup.mjs";

/**
 * Opens the files of `wrangler dev --persist-to`. The configuration is cut to databases and values, because
 * the proxy complains about an object without its class.
 */
export async function withLocalDatabases<Bindings extends object, T>(
  state: Pick<LocalState, "dir" | "databases">,
  use: (env: Bindings) => Promise<T>,
): Promise<T> {
  const config = join(root, "wrangler.toml");
  const { name, compatibility_date, d1_databases, vars } = unstable_readConfig({ config });
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
