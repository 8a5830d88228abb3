/** `npm run import-rates`: a file of the ECB into every ledger of the configuration. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ledgersOf } from "../db/ledgers.ts";
import { rateStore } from "../db/rates/rate-store.ts";
import type { ReferenceRate } from "../domain/exchange/ecb-currencies.ts";
import { withoutValues } from "../platform/fault.ts";
import { readEcbFile } from "../work/rates/ecb-file.ts";
import {
  type AddedRates,
  importRates,
  type RateImport,
  type RateLedger,
} from "../work/rates/import-rates.ts";
import { readOptions } from "./import-rates-options.ts";
import { remoteBindings } from "./ledger-database.ts";
import { databasesIn, withLocalDatabases } from "./local-databases.ts";
import { compareRates, insertRatesSql, storedRatesFrom, storedRatesSql } from "./rate-sql.ts";
import { SetupError } from "./setup.mjs";
import { runWrangler } from "./wrangler.ts";

try {
  const { file, target } = readOptions(process.argv.slice(2), process.env);
  const rows = await readRates(file);
  const imported =
    "stateDir" in target
      ? await importLocally(rows, target.stateDir)
      : await importInto(remoteLedgers(target.wranglerFlags), rows);
  process.exitCode = report(imported) ? 0 : 1;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function readRates(file: string): Promise<readonly ReferenceRate[]> {
  if (!existsSync(file)) throw new SetupError(`There is no file ${file}.`);
  const read = await readEcbFile(readFileSync(file));
  if (read.ok) return read.value;
  throw new SetupError(`${file} is no file of the ECB: ${JSON.stringify(read.error)}. Nothing was stored.`);
}

async function importLocally(rows: readonly ReferenceRate[], dir: string): Promise<RateImport> {
  return await withLocalDatabases({ dir, databases: databasesIn(dir) }, (env) => {
    const ledgers = [...ledgersOf(env)].map(([ledger, binding]) => ({ ledger, ...rateStore(binding) }));
    return importInto(ledgers, rows);
  });
}

function remoteLedgers(flags: readonly string[]): RateLedger[] {
  return [...remoteBindings(flags)].map(([ledger, binding]) => ({
    ledger,
    add: (rates) => addRemotely(binding, flags, rates),
  }));
}

async function addRemotely(
  binding: string,
  flags: readonly string[],
  rates: readonly ReferenceRate[],
): Promise<AddedRates> {
  if (rates.length === 0) return { added: 0, conflicts: [] };
  const execute = ["d1", "execute", binding, ...flags, "--yes"];
  const answer = await runWrangler([...execute, "--json", "--command", storedRatesSql(rates)]);
  const { fresh, conflicts } = compareRates(rates, storedRatesFrom(answer));
  if (fresh.length === 0) return { added: 0, conflicts };
  const folder = mkdtempSync(join(tmpdir(), "cuadre-rates-"));
  try {
    writeFileSync(join(folder, "rates.sql"), insertRatesSql(fresh));
    await runWrangler([...execute, "--file", join(folder, "rates.sql")]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { added: fresh.length, conflicts };
}

async function importInto(
  ledgers: readonly RateLedger[],
  rows: readonly ReferenceRate[],
): Promise<RateImport> {
  const imported = await importRates({ rows }, { ledgers, now: () => Date.now() });
  if (imported.ok) return imported.value;
  throw new SetupError(`The file has rates of ${imported.error.day}, a day to come. Nothing was stored.`);
}

/** True if the databases now match the file. */
function report({ needed, leftOut, written, failed }: RateImport): boolean {
  console.log(`${needed} rates, ${leftOut} left out: before 2024, or of a day on which TARGET is closed.`);
  for (const { ledger, added, conflicts } of written) {
    console.log(`${ledger}: ${added} new, ${needed - added - conflicts.length} known`);
    for (const { day, currency, stored, offered } of conflicts) {
      console.error(`${ledger}: ${day} ${currency} is ${stored} and stays so; the file says ${offered}`);
    }
  }
  for (const { ledger, error } of failed) {
    console.error(
      `${ledger}: not written. ${error instanceof SetupError ? error.message : withoutValues(error)}`,
    );
  }
  return failed.length === 0 && written.every(({ conflicts }) => conflicts.length === 0);
}
