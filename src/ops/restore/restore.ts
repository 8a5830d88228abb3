import {
  closeSync,
  createWriteStream,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { companyRegister } from "../../db/companies/company-register.ts";
import { boundedSql } from "../../db/database.ts";
import { bindingOfLedger } from "../../db/ledgers.ts";
import { databasesIn } from "../local-databases.ts";
import { onDirectory, onLedger } from "../open-databases.ts";
import { SetupError } from "../setup.mjs";
import { runWrangler } from "../wrangler.ts";
import { accountsIn, type FrozenAccount, freezing, newInstallation, yearsLeft } from "./ledger-changes.ts";
import { CLOCKS_MS, putBackAccount } from "./put-back-account.ts";
import { HELP, type RestoreOptions, readRestoreOptions } from "./restore-options.ts";
import { BEGIN_TEXTS, END_TEXTS } from "./sql-text.ts";

/** `npm run restore`: the operator's steps around a restore of a ledger. See docs/runbooks/restore.md. */

type Options = Extract<RestoreOptions, { readonly help: false }>;
type Exporting = Extract<Options, { readonly verb: "export" }>;

const FIRST_LINE = "-- cuadre restore, ledger ([0-9a-z]{3}), accounts ([0-9a-z ]*)";
const SECOND_LINE = "-- years that left since: ([0-9a-z, ]*)";
const HEAD = new RegExp(`^${FIRST_LINE}\n${SECOND_LINE}\n`);
const NONE = "none";
/** Every account is named in it. */
const HEAD_BYTES = 1 << 20;
/** A file without it was not written to its end. */
export const END_TEXT = "-- complete\n";

try {
  const options = readRestoreOptions(process.argv.slice(2), process.env);
  if (options.help) console.log(HELP);
  else console.log(await onLedger(options, (db) => act(db, options)));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function act(db: D1Database, options: Options): Promise<string> {
  switch (options.verb) {
    case "freeze":
    case "thaw": {
      const isFreezing = options.verb === "freeze";
      const accounts = await accountsIn(db, options.accounts);
      await run(options, freezing(accounts, isFreezing ? 1 : 0));
      return isFreezing ? frozenReport(accounts) : `Thawed: ${many(accounts, "account")}.`;
    }
    case "export":
      return await exportTo(options.file, db, options);
    case "put-back":
      return await putBack(db, options, options.file);
    case "new-installation": {
      const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
      await run(
        options,
        await newInstallation(db, options, { ledger: options.ledger, now: Date.now(), random }),
      );
      return `${options.connectionId} has a new chain and new series from its next invoice on.`;
    }
  }
}

/** Accounts frozen for another reason must stay frozen when the others are thawed. */
function frozenReport(accounts: readonly FrozenAccount[]): string {
  const before = accounts.filter(({ frozen }) => frozen !== 0).map(({ id }) => id);
  const done = `Frozen: ${many(accounts, "account")}. Whatever would write for them is answered 503.`;
  return before.length === 0 ? done : `${done} Frozen before: ${before.join(", ")}.`;
}

/** Only a frozen ledger can be exported: rows written after their page was read would be missing. */
async function exportTo(
  file: string,
  db: D1Database,
  { accounts: chosen, since, ledger }: Exporting,
): Promise<string> {
  const accounts = await accountsIn(db, chosen);
  demandFrozen(accounts);
  const out = createWriteStream(file, { fd: createExport(file) });
  const failed = finished(out);
  let statements = 0;
  const write = (sql: string) => {
    statements += 1;
    if (!out.write(`${boundedSql(sql)};\n`)) return new Promise<void>((resume) => out.once("drain", resume));
    return undefined;
  };
  const left = await yearsLeft(db, accounts, since - CLOCKS_MS);
  const head = {
    ledger,
    accounts: accounts.map(({ id }) => id),
    yearsLeft: left.map(({ account_id: id, year }) => `${id} ${year}`),
  };
  out.write(headText(head));
  for (const sql of BEGIN_TEXTS) await write(sql);
  for (const { id: accountId } of accounts) {
    for await (const sql of putBackAccount(db, { accountId, since, now: Date.now() })) await write(sql);
  }
  for (const sql of END_TEXTS) await write(sql);
  out.end(END_TEXT);
  await failed;
  const done = `${many(accounts, "account")}, ${statements} statements in ${file}. It holds personal data.`;
  return done + retiredYearsText(head);
}

async function putBack(db: D1Database, options: Options, file: string): Promise<string> {
  if (!existsSync(file)) throw new SetupError(`There is no ${file}.`);
  const head = readHead(file);
  if (head?.ledger !== options.ledger) {
    throw new SetupError(`${file} is no export of ledger ${options.ledger}.`);
  }
  const existing = (await accountsIn(db, "all")).filter(({ id }) => head.accounts.includes(id));
  demandFrozen(existing);
  await execute(options, file);
  // The ledger takes over the directory's changes since the restore point again.
  await onDirectory(options.target, (directory) => companyRegister(directory).markUnsynced(head.accounts));
  const done = `Put back and still frozen: ${many(head.accounts, "account")}.`;
  return `${done} Verify each connection, then thaw.${retiredYearsText(head)}`;
}

/** Retired years that the restore brings back; no file deletes them. */
function retiredYearsText({ yearsLeft: left }: ExportHead): string {
  if (left.length === 0) return "";
  return `\nLeft since, and to be let go again after the thaw with npm run retention: ${left.join(", ")}.`;
}

function many(counted: readonly unknown[], one: string): string {
  return `${counted.length} ${one}${counted.length === 1 ? "" : "s"}`;
}

function demandFrozen(accounts: readonly FrozenAccount[]): void {
  const open = accounts.filter(({ frozen }) => frozen === 0).map(({ id }) => id);
  if (open.length > 0) throw new SetupError(`Freeze first; not frozen: ${open.join(", ")}.`);
}

async function run(options: Options, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), "cuadre-restore-"));
  try {
    const file = join(folder, "statements.sql");
    writeFileSync(file, statements.map((sql) => `${boundedSql(sql)};\n`).join(""), { mode: 0o600 });
    await execute(options, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same way for local and remote databases, so that local tests cover Cloudflare. */
async function execute({ ledger, target }: Options, file: string): Promise<void> {
  const where =
    "stateDir" in target ? ["--local", "--persist-to", databasesIn(target.stateDir)] : target.wranglerFlags;
  await runWrangler(["d1", "execute", bindingOfLedger(ledger), ...where, "--yes", "--file", file]);
}

/** The frame of an exported file: two comments before the statements, one after. */

export interface ExportHead {
  readonly ledger: string;
  readonly accounts: readonly string[];
  /** Years retired since the moment, as `ac... 2019`. */
  readonly yearsLeft: readonly string[];
}

export function headText({ ledger, accounts, yearsLeft }: ExportHead): string {
  return `-- cuadre restore, ledger ${ledger}, accounts ${accounts.join(" ")}
-- years that left since: ${yearsLeft.join(", ") || NONE}
`;
}

/** With a mode of its own, and never over another file. */
export function createExport(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    const why = isThere ? "it is there already" : "is there such a folder, and may you write in it?";
    throw new SetupError(`${file} cannot be written: ${why}`);
  }
}

/** Undefined for a file that is no export. */
export function readHead(file: string): ExportHead | undefined {
  const start = Buffer.alloc(HEAD_BYTES);
  const descriptor = openSync(file, "r");
  const size = readSync(descriptor, start);
  const end = Buffer.alloc(END_TEXT.length);
  readSync(descriptor, end, 0, end.length, Math.max(0, fstatSync(descriptor).size - end.length));
  closeSync(descriptor);
  const [, ledger, accounts, yearsLeft] = HEAD.exec(start.toString("utf8", 0, size)) ?? [];
  if (ledger === undefined || accounts === undefined || yearsLeft === undefined) return undefined;
  if (end.toString("utf8") !== END_TEXT) throw new SetupError(`${file} was not written to its end.`);
  return { ledger, accounts: listed(accounts, " "), yearsLeft: listed(yearsLeft, ", ") };
}

function listed(text: string, between: string): readonly string[] {
  return text === "" || text === NONE ? [] : text.split(between);
}
