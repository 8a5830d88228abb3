import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { boundedSql } from "../db/database.ts";
import { ledgersOf } from "../db/ledgers.ts";
import { type AddedRates, type RateConflict, type RateLedger, rateStore } from "../db/rates/rate-store.ts";
import type { ReferenceRate } from "../domain/exchange/reference-rate.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import { decimal } from "../domain/shared/decimal.ts";
import { withoutValues } from "../platform/log.ts";
import { readEcbFile } from "../work/rates/ecb-file.ts";
import { importRates, type RateImport } from "../work/rates/import-rates.ts";
import { type DatabaseTarget, TARGET_OPTIONS, targetOf } from "./database-target.ts";
import { databasesIn, withLocalDatabases } from "./local-databases.ts";
import { remoteBindings } from "./open-databases.ts";
import { SetupError } from "./setup.mjs";
import { runWrangler } from "./wrangler.ts";

interface ImportRatesOptions {
  /** Absolute. */
  readonly file: string;
  readonly target: DatabaseTarget;
}

const USAGE = "npm run import-rates -- --file PATH [--local STATE_DIR | --remote --env production]";

/** Without a target it is the state of `npm start`. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): ImportRatesOptions {
  const { file, ...where } = parsed(args);
  if (file === undefined) throw new SetupError(`Say which file: ${USAGE}`);
  return { file: resolve(file), target: targetOf(where, environment, USAGE) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { file: { type: "string" }, ...TARGET_OPTIONS } }).values;
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}

/** The SQL of `npm run import-rates --remote`, which reaches databases through wrangler only. */

/** D1 takes 100 KB a statement; a row has 40 bytes. */
const ROWS_PER_STATEMENT = 1_000;

/** `npm run import-rates`: a file of the ECB into every ledger of the configuration. */

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

/** A row per day: a row per rate would be an answer of megabytes. */
export function storedRatesSql(rates: readonly ReferenceRate[]): string {
  const days = rates.map(({ day }) => day).sort();
  return (
    "SELECT day, json_group_object(currency, rate) AS rates FROM exchange_rate " +
    `WHERE day BETWEEN '${days[0]}' AND '${days.at(-1)}' GROUP BY day`
  );
}

/** Parses the output of `wrangler d1 execute --json`. */
export function storedRatesFrom(answer: string): ReferenceRate[] {
  const executed = JSON.parse(answer) as readonly {
    readonly results: readonly { readonly day: string; readonly rates: string }[];
  }[];
  return executed.flatMap(({ results }) =>
    results.flatMap(({ day, rates }) =>
      Object.entries(JSON.parse(rates) as Record<string, string>).map(([currency, rate]) => ({
        day: civilDate(day),
        currency,
        rate: decimal(rate),
      })),
    ),
  );
}

interface RateComparison {
  readonly fresh: readonly ReferenceRate[];
  readonly conflicts: readonly RateConflict[];
}

export function compareRates(
  offered: readonly ReferenceRate[],
  stored: readonly ReferenceRate[],
): RateComparison {
  const known = new Map(stored.map((row) => [keyOf(row), row.rate]));
  const conflicts = offered.flatMap(({ rate, ...row }) => {
    const kept = known.get(keyOf(row));
    return kept === undefined || kept === rate ? [] : [{ ...row, stored: kept, offered: rate }];
  });
  return { fresh: offered.filter((row) => !known.has(keyOf(row))), conflicts };
}

/** Days, codes and decimals contain no quotation marks. A concurrent earlier insert wins. */
export function insertRatesSql(rates: readonly ReferenceRate[]): string {
  const rows = rates.map(({ day, currency, rate }) => `('${day}','${currency}','${rate}')`);
  const statements: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const values = rows.slice(start, start + ROWS_PER_STATEMENT).join(",");
    const insert = `INSERT INTO exchange_rate (day, currency, rate) VALUES ${values} ON CONFLICT DO NOTHING`;
    statements.push(`${boundedSql(insert)};\n`);
  }
  return statements.join("");
}

function keyOf({ day, currency }: Pick<ReferenceRate, "day" | "currency">): string {
  return `${day} ${currency}`;
}
