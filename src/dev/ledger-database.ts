import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { ledgerOfBinding } from "../storage/ledgers.ts";
import { remoteDatabase } from "./remote-database.ts";
import { root } from "./setup.mjs";
import { runWrangler } from "./wrangler.ts";

/** A ledger of the configuration, reached through wrangler; undefined where it has none of that number. */
export function remoteLedger(ledger: string | undefined, flags: readonly string[]): D1Database | undefined {
  const env = flags.includes("--env") ? flags[flags.indexOf("--env") + 1] : undefined;
  const config = join(root, "wrangler.toml");
  const configured = unstable_readConfig({ config, ...(env === undefined ? {} : { env }) });
  const databases: { readonly binding: string }[] = configured.d1_databases;
  const binding = databases
    .map((database) => database.binding)
    .find((name) => ledgerOfBinding(name) === ledger);
  return binding === undefined
    ? undefined
    : remoteDatabase((sql) =>
        runWrangler(["d1", "execute", binding, ...flags, "--yes", "--json", "--command", sql]),
      );
}
