/** `npm run verify`: walks the books of one connection and prints what holds and what does not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { ledgerOf } from "../domain/connection/ids.ts";
import { brokenChecks } from "../domain/proof/proof.ts";
import { ledgerForConnection, ledgerOfBinding, ledgersOf } from "../storage/ledgers.ts";
import { proofStore } from "../storage/proof-store.ts";
import { beginVerification, isDone, type Verification, verifyPage } from "../usecases/verify-books.ts";
import { withLocalDatabases } from "./local-databases.ts";
import { remoteDatabase } from "./remote-database.ts";
import { root, SetupError } from "./setup.mjs";
import { HELP, readVerifyOptions } from "./verify-options.ts";
import { reportOf } from "./verify-report.ts";
import { runWrangler } from "./wrangler.ts";

try {
  const options = readVerifyOptions(process.argv.slice(2), process.env);
  if (options.help) {
    console.log(HELP);
  } else {
    const { connectionId, target } = options;
    const verified =
      "stateDir" in target
        ? await verifyLocally(connectionId, target.stateDir)
        : await verifyOn(remoteLedger(connectionId, target.wranglerFlags), connectionId);
    console.log(reportOf(connectionId, verified));
    process.exitCode = brokenChecks(verified.tally).length === 0 ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function verifyLocally(connectionId: string, dir: string): Promise<Verification> {
  const databases = join(dir, "wrangler");
  if (!existsSync(databases)) throw new SetupError(`${dir} holds no databases: run npm start once.`);
  return await withLocalDatabases({ dir, databases }, (env) =>
    verifyOn(ledgerForConnection(ledgersOf(env), connectionId), connectionId),
  );
}

function remoteLedger(connectionId: string, flags: readonly string[]): D1Database | undefined {
  const env = flags.includes("--env") ? flags[flags.indexOf("--env") + 1] : undefined;
  const config = join(root, "wrangler.toml");
  const configured = unstable_readConfig({ config, ...(env === undefined ? {} : { env }) });
  const databases: { readonly binding: string }[] = configured.d1_databases;
  const binding = databases
    .map((database) => database.binding)
    .find((name) => ledgerOfBinding(name) === ledgerOf(connectionId, "cn"));
  return binding === undefined
    ? undefined
    : remoteDatabase((sql) =>
        runWrangler(["d1", "execute", binding, ...flags, "--yes", "--json", "--command", sql]),
      );
}

async function verifyOn(ledger: D1Database | undefined, connectionId: string): Promise<Verification> {
  if (!ledger) throw new SetupError(`${connectionId} names a ledger that the configuration does not have.`);
  const store = proofStore(ledger, connectionId);
  const books = await store.readBooks();
  if (!books) throw new SetupError(`There is no connection ${connectionId} in its ledger.`);
  let verified = beginVerification(books);
  while (!isDone(verified)) verified = await verifyPage(verified, store);
  return verified;
}
