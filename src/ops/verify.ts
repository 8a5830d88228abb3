/** `npm run verify`: walks the books of one connection and prints the results of all checks. */

import { proofStore } from "../db/books/proof-store.ts";
import { ledgerOf } from "../domain/connection/ids.ts";
import { brokenChecks } from "../domain/proof/proof.ts";
import { beginVerification, isDone, type Verification, verifyPage } from "../work/books/verify-books.ts";
import { onLedger } from "./ledger-database.ts";
import { SetupError } from "./setup.mjs";
import { HELP, readVerifyOptions } from "./verify-options.ts";
import { reportOf } from "./verify-report.ts";

try {
  const options = readVerifyOptions(process.argv.slice(2), process.env);
  if (options.help) {
    console.log(HELP);
  } else {
    const { connectionId, target } = options;
    const ledger = ledgerOf(connectionId, "cn") ?? "";
    const verified = await onLedger({ target, ledger }, (db) => verifyOn(db, connectionId));
    console.log(reportOf(connectionId, verified));
    process.exitCode = brokenChecks(verified.tally).length === 0 ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function verifyOn(ledger: D1Database, connectionId: string): Promise<Verification> {
  const store = proofStore(ledger, connectionId);
  const books = await store.readBooks();
  if (!books) throw new SetupError(`There is no connection ${connectionId} in its ledger.`);
  let verified = beginVerification(books);
  while (!isDone(verified)) verified = await verifyPage(verified, store);
  return verified;
}
