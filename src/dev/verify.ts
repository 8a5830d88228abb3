/** `npm run verify`: walks the books of one connection and prints what holds and what does not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ledgerOf } from "../domain/connection/ids.ts";
import { brokenChecks } from "../domain/proof/proof.ts";
import { ledgerForConnection, ledgersOf } from "../storage/ledgers.ts";
import { proofStore } from "../storage/proof-store.ts";
import { beginVerification, isDone, type Verification, verifyPage } from "../usecases/verify-books.ts";
import { withLocalDatabases } from "./local-databases.ts";
import { remoteLedger } from "./remote-ledger.ts";
import { SetupError } from "./setup.mjs";
import { HELP, readVerifyOptions } from "./verify-options.ts";
import { reportOf } from "./verify-report.ts";

try {
  const options = readVerifyOptions(process.argv.slice(2), process.env);
  if (options.help) {
    console.log(HELP);
  } else {
    const { connectionId, target } = options;
    const verified =
      "stateDir" in target
        ? await verifyLocally(connectionId, target.stateDir)
        : await verifyOn(remoteLedger(ledgerOf(connectionId, "cn"), target.wranglerFlags), connectionId);
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

async function verifyOn(ledger: D1Database | undefined, connectionId: string): Promise<Verification> {
  if (!ledger) throw new SetupError(`${connectionId} names a ledger that the configuration does not have.`);
  const store = proofStore(ledger, connectionId);
  const books = await store.readBooks();
  if (!books) throw new SetupError(`There is no connection ${connectionId} in its ledger.`);
  let verified = beginVerification(books);
  while (!isDone(verified)) verified = await verifyPage(verified, store);
  return verified;
}
