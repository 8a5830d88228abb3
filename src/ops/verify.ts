import { parseArgs } from "node:util";
import { proofStore } from "../db/books/proof-store.ts";
import { ledgerOf } from "../domain/connection/ids.ts";
import { brokenChecks } from "../domain/proof/checks.ts";
import { beginVerification, isDone, type Verification, verifyPage } from "../work/books/verify-books.ts";
import { type DatabaseTarget, TARGET_OPTIONS, targetOf } from "./database-target.ts";
import { onLedger } from "./open-databases.ts";
import { SetupError } from "./setup.mjs";
import { reportOf } from "./verify-report.ts";

type VerifyOptions =
  | { readonly help: true }
  | { readonly help: false; readonly connectionId: string; readonly target: DatabaseTarget };

const USAGE = "npm run verify -- --connection ID [--local STATE_DIR | --remote --env production]";

export const HELP = `${USAGE}

Walks the books of one connection from their beginning: every chain from its first record, every series from
its first number. Recomputes hashes and links, positions, times, numbers, dates, the SHA-256 of documents and
what records repeat of them, and prints what was checked. Nothing is written.

  --connection ID   the connection, cn and 19 characters; demo.json names those of npm start
  --local DIR       the state of a local server; by default STATE_DIR, or .local
  --remote          the databases of Cloudflare, through wrangler
  --env NAME        with --remote: the environment of wrangler.toml

Ends with 0 when everything holds, 1 when something is broken or cannot be read.`;

export function readVerifyOptions(args: readonly string[], environment: NodeJS.ProcessEnv): VerifyOptions {
  const { connection, help, ...where } = parsed(args);
  if (help) return { help };
  if (connection === undefined) throw new SetupError(`Say which connection: ${USAGE}`);
  if (ledgerOf(connection, "cn") === undefined) {
    throw new SetupError(
      `${JSON.stringify(connection)} is not the id of a connection: cn and 19 characters.`,
    );
  }
  return { help: false, connectionId: connection, target: targetOf(where, environment, USAGE) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { connection: { type: "string" }, help: { type: "boolean" }, ...TARGET_OPTIONS },
    }).values;
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}

/** `npm run verify`: walks the books of one connection and prints the results of all checks. */

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
