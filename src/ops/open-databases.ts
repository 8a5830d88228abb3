import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { ledgerOfBinding, ledgersOf } from "../db/ledgers.ts";
import type { LedgerNumber } from "../domain/connection/ids.ts";
import type { DatabaseTarget } from "./database-target.ts";
import { databasesIn, withLocalDatabases } from "./local-databases.ts";
import { databaseOverWrangler } from "./remote-database.ts";
import { root, SetupError } from "./setup.mjs";

/** The ledger of that number, on this machine or on Cloudflare. */
export async function onLedger<T>(
  { target, ledger }: { readonly target: DatabaseTarget; readonly ledger: LedgerNumber },
  use: (db: D1Database) => Promise<T>,
): Promise<T> {
  if (!("stateDir" in target)) return await use(known(remoteLedger(ledger, target.wranglerFlags), ledger));
  const { stateDir: dir } = target;
  return await withLocalDatabases({ dir, databases: databasesIn(dir) }, (env) =>
    use(known(ledgersOf(env).get(ledger), ledger)),
  );
}

function known(db: D1Database | undefined, ledger: LedgerNumber): D1Database {
  if (!db) throw new SetupError(`The configuration has no ledger ${ledger}.`);
  return db;
}

function remoteLedger(ledger: LedgerNumber, flags: readonly string[]): D1Database | undefined {
  const binding = remoteBindings(flags).get(ledger);
  return binding === undefined ? undefined : databaseOverWrangler(binding, flags);
}

/** Wrangler's names of the configured ledgers. */
export function remoteBindings(flags: readonly string[]): ReadonlyMap<LedgerNumber, string> {
  const env = flags.includes("--env") ? flags[flags.indexOf("--env") + 1] : undefined;
  const config = join(root, "wrangler.toml");
  const configured = unstable_readConfig({ config, ...(env === undefined ? {} : { env }) });
  const databases: { readonly binding: string }[] = configured.d1_databases;
  return new Map(
    databases.flatMap(({ binding }) => {
      const ledger = ledgerOfBinding(binding);
      return ledger === undefined ? [] : [[ledger, binding] as const];
    }),
  );
}

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
