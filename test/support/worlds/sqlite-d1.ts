/**
 * A D1 database over SQLite in plain Node: the product's own stores write what they would write into D1,
 * with schema and triggers in force, within D1's limits and with its error texts. It does not count the
 * rows read and written. A test gives the same statements to D1 itself
 * (test/unit/worlds/d1-contract.test.ts).
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export interface FileDatabase {
  readonly d1: D1Database;
  /** For reads without the product. */
  readonly sqlite: DatabaseSync;
  /** Everything is on the disk, and the file is closed. */
  close(): void;
}

export interface MemoryDatabase {
  readonly d1: D1Database;
  /** From here on it holds the content of the image; it is read with the first statement. */
  load(image: Uint8Array): void;
}

/** A statement on its way. */
export interface Sent {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Decides when the database runs a call, and when its answer comes. */
export type Travel = <T>(run: () => T, statements: readonly Sent[]) => Promise<T>;

export interface RewindableDatabase {
  d1(travel: Travel): D1Database;
  /** For reads without the product. */
  readonly sqlite: DatabaseSync;
  /** It holds again what the image holds; its statements stay prepared. */
  rewind(): void;
}

/** Batches that share a transaction: a state that is being made needs no flush for each of them. */
const BATCHES_A_TRANSACTION = 2_000;
const STATEMENTS_KEPT = 400;

/** The limits that D1's runtime sets. */
const LIMITS = {
  ...{ length: 2_200_000, sqlLength: 100_000, column: 100, exprDepth: 100, compoundSelect: 5 },
  ...{ vdbeOp: 25_000, functionArg: 127, attach: 0, likePatternLength: 50, variableNumber: 100 },
  triggerDepth: 10,
};

/** Kept, because tests replace the global one by a fake. */
const { setImmediate: nextTurn } = globalThis;

/** Like an answer of D1, it comes in a later turn of the event loop, and in the order of the calls. */
export const inNextTurn: Travel = async (run) => {
  await new Promise((resume) => nextTurn(resume));
  return run();
};

const atOnce: Travel = async (run) => run();

/** For files that no runtime has open. */
export function fileDatabase(path: string): FileDatabase {
  const sqlite = opened(path);
  // A state that is lost with the machine is made again.
  sqlite.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -1500000; PRAGMA temp_store = MEMORY");
  const file = new SqliteFile(sqlite, BATCHES_A_TRANSACTION);
  return {
    d1: d1Over(() => file, atOnce),
    sqlite,
    close() {
      file.flush();
      sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      sqlite.close();
    },
  };
}

/** Like in D1, each batch is a transaction of its own. */
export function memoryDatabase(travel: Travel = inNextTurn): MemoryDatabase {
  let image: Uint8Array | undefined;
  let file: SqliteFile | undefined;
  const open = () => {
    if (!file) {
      const sqlite = opened(":memory:");
      if (image) sqlite.deserialize(image);
      file = new SqliteFile(sqlite, 1);
    }
    return file;
  };
  return {
    d1: d1Over(open, travel),
    load(content) {
      file?.close();
      [image, file] = [content, undefined];
    },
  };
}

/** All batches since the last rewinding are one transaction, which is taken back. */
export function rewindableDatabase(image: Uint8Array): RewindableDatabase {
  const sqlite = opened(":memory:");
  sqlite.deserialize(image);
  const file = new SqliteFile(sqlite, Number.POSITIVE_INFINITY);
  file.begin();
  return {
    d1: (travel) => d1Over(() => file, travel),
    sqlite,
    rewind() {
      sqlite.exec("ROLLBACK");
      file.begin();
    },
  };
}

function opened(path: string): DatabaseSync {
  return new DatabaseSync(path, { enableForeignKeyConstraints: true, limits: LIMITS });
}

function d1Over(file: () => SqliteFile, travel: Travel): D1Database {
  // The stores call no other method of a D1 database.
  return new SqliteD1({ file, travel }) as unknown as D1Database;
}

class SqliteD1 {
  readonly #way: Way;

  constructor(way: Way) {
    this.#way = way;
  }

  prepare(sql: string): Statement {
    return new Statement(this.#way, sql, []);
  }

  async batch(statements: readonly Statement[]): Promise<readonly object[]> {
    return this.#way.travel(() => this.#way.file().batch(statements), statements);
  }

  async exec(sql: string): Promise<object> {
    return this.#way.travel(() => this.#way.file().exec(sql), [{ sql, values: [] }]);
  }

  withSession() {
    return Object.assign(new SqliteD1(this.#way), { getBookmark: () => null });
  }
}

class SqliteFile {
  readonly #sqlite: DatabaseSync;
  readonly #batchesATransaction: number;
  readonly #prepared = new Map<string, Prepared>();
  #batches = 0;

  constructor(sqlite: DatabaseSync, batchesATransaction: number) {
    this.#sqlite = sqlite;
    this.#batchesATransaction = batchesATransaction;
  }

  /** A transaction for the batches that follow. */
  begin(): void {
    this.#sqlite.exec("BEGIN");
    this.#batches = 0;
  }

  /** One transaction, as in D1. */
  batch(statements: readonly Statement[]): readonly object[] {
    if (!this.#sqlite.isTransaction) this.begin();
    this.#batches += 1;
    this.#sqlite.exec("SAVEPOINT batch");
    let answers: readonly object[];
    try {
      answers = statements.map((statement) => this.#answer(statement));
      this.#sqlite.exec("RELEASE batch");
    } catch (error) {
      this.#undo();
      throw asD1(error);
    }
    if (this.#batches >= this.#batchesATransaction) this.flush();
    return answers;
  }

  arrays(statement: Statement): readonly unknown[][] {
    return asking(() => {
      const prepared = this.#prepare(statement);
      prepared.setReturnArrays(true);
      const rows = prepared.all(...statement.values) as unknown as readonly unknown[][];
      return rows.map((row) => row.map(plainValue));
    });
  }

  columns(statement: Statement): string[] {
    return this.#prepare(statement)
      .columns()
      .map(({ name }) => name);
  }

  /** Like D1, it takes each line for a statement. */
  exec(sql: string): object {
    const lines = sql.trim().split("\n");
    for (const [index, line] of lines.entries()) {
      try {
        this.#sqlite.exec(line);
      } catch (error) {
        throw asD1(error, `D1_EXEC_ERROR: Error in line ${index + 1}: ${line}: `);
      }
    }
    return { count: lines.length, duration: 0 };
  }

  flush(): void {
    try {
      if (this.#batches > 0) this.#sqlite.exec("COMMIT");
    } catch (error) {
      // A constraint that is deferred to the end of the transaction.
      this.#sqlite.exec("ROLLBACK");
      throw asD1(error, AT_COMMIT);
    } finally {
      this.#batches = 0;
    }
  }

  close(): void {
    this.#prepared.clear();
    this.#sqlite.close();
  }

  #answer(statement: Statement): object {
    const before = this.#changes();
    const prepared = this.#prepare(statement);
    prepared.setReturnArrays(false);
    const results = prepared.all(...statement.values).map(plainRow);
    return { success: true, results, meta: this.#meta(this.#changes() - before) };
  }

  /** D1 counts the rows of indexes too, so only no row at all is a known number. */
  #meta(changes: number): object {
    const size = () =>
      this.#sqlite.prepare("SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size");
    return {
      changes,
      ...(changes === 0 ? { rows_written: 0 } : {}),
      get size_after() {
        return size().get()?.n;
      },
    };
  }

  #changes(): number {
    return Number(this.#statement("SELECT total_changes() AS n").prepared.get()?.n);
  }

  /** Takes the batch back, and nothing of the others in its transaction. */
  #undo(): void {
    if (this.#batchesATransaction > 1 && this.#sqlite.isTransaction) {
      this.#sqlite.exec("ROLLBACK TO batch; RELEASE batch");
      return;
    }
    if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
    this.#batches = 0;
  }

  #prepare({ sql, values }: Statement): StatementSync {
    const { prepared, parameters } = this.#statement(sql);
    if (values.length === parameters) return prepared;
    throw new Refusal("Wrong number of parameter bindings for SQL query.");
  }

  #statement(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    if (Buffer.byteLength(sql) > LIMITS.sqlLength) throw new Refusal("statement too long: SQLITE_TOOBIG");
    if (OWN_TRANSACTION.test(sql)) throw new Refusal(NO_TRANSACTION);
    const prepared = this.#sqlite.prepare(sql);
    if (/[^\s;]/.test(withoutTexts(sql.slice(prepared.sourceSQL.length)))) {
      throw new Error(`only the first of these statements would run: ${sql}`);
    }
    const [oldest] = this.#prepared.keys();
    if (this.#prepared.size >= STATEMENTS_KEPT && oldest !== undefined) this.#prepared.delete(oldest);
    const statement = { prepared, parameters: parametersOf(sql) };
    this.#prepared.set(sql, statement);
    return statement;
  }
}

interface Prepared {
  readonly prepared: StatementSync;
  readonly parameters: number;
}

const OWN_TRANSACTION = /^\s*(?:BEGIN|SAVEPOINT)\b/i;
const NO_TRANSACTION =
  "To execute a transaction, please use the state.storage.transaction() or state.storage.transactionSync() APIs " +
  "instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements. The JavaScript API is safer because it will " +
  "automatically roll back on exceptions, and because it interacts correctly with Durable Objects' automatic " +
  "atomic write coalescing.";

function withoutTexts(sql: string): string {
  return sql.replace(/'[^']*'|"[^"]*"|`[^`]*`|--.*|\/\*[\s\S]*?\*\//g, "");
}

function parametersOf(sql: string): number {
  let [count, highest] = [0, 0];
  for (const [, number] of withoutTexts(sql).matchAll(/\?(\d*)/g)) {
    if (number) highest = Math.max(highest, Number(number));
    else count += 1;
  }
  return Math.max(count, highest);
}

type Bound = SQLInputValue | boolean | ArrayBuffer | readonly number[];

interface Way {
  readonly file: () => SqliteFile;
  readonly travel: Travel;
}

class Statement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
  readonly #way: Way;

  constructor(way: Way, sql: string, values: readonly SQLInputValue[]) {
    this.#way = way;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: Bound[]): Statement {
    return new Statement(this.#way, this.sql, values.map(boundValue));
  }

  async all(): Promise<object> {
    const [answer] = await this.#way.travel(() => this.#way.file().batch([this]), [this]);
    return answer ?? {};
  }

  run(): Promise<object> {
    return this.all();
  }

  async first(column?: string): Promise<unknown> {
    const { results } = (await this.all()) as { readonly results: readonly object[] };
    const [row] = results;
    if (!row) return null;
    return column === undefined ? row : Reflect.get(row, column);
  }

  async raw({ columnNames = false }: { columnNames?: boolean } = {}): Promise<readonly unknown[][]> {
    const file = this.#way.file;
    return this.#way.travel(() => {
      const rows = file().arrays(this);
      return columnNames ? [file().columns(this), ...rows] : rows;
    }, [this]);
  }
}

/** A value as D1 binds it; a value of another type is refused at once. */
function boundValue(value: Bound): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (Array.isArray(value)) return Uint8Array.from(value);
  const isBindable =
    value === null || ["string", "number"].includes(typeof value) || ArrayBuffer.isView(value);
  if (isBindable) return value as SQLInputValue;
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`);
}

function plainRow(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

/** D1 answers bytes as a list of numbers. */
function plainValue(value: unknown): unknown {
  return value instanceof Uint8Array ? [...value] : value;
}

/** A limit that SQLite itself reports in other words. */
class Refusal extends Error {}

function asking<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw asD1(error);
  }
}

const CODES: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
};

const EXTENDED: Readonly<Record<number, string>> = {
  275: "SQLITE_CONSTRAINT_CHECK",
  787: "SQLITE_CONSTRAINT_FOREIGNKEY",
  1299: "SQLITE_CONSTRAINT_NOTNULL",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  1811: "SQLITE_CONSTRAINT_TRIGGER",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
  2579: "SQLITE_CONSTRAINT_ROWID",
  3091: "SQLITE_CONSTRAINT_DATATYPE",
};

const D1_ERROR = "D1_ERROR: ";
const AT_COMMIT =
  "Durable Object was reset and rolled back to its last known good state because the application left the database " +
  "in a state where constraints were violated: ";

/** The product reads the texts of D1's errors, because they have no code. */
function asD1(error: unknown, begins = D1_ERROR): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof Refusal) return d1Error(begins, error.message);
  const code: unknown = Reflect.get(error, "errcode");
  if (typeof code !== "number") return error;
  const extended = EXTENDED[code];
  const primary = CODES[code & 0xff] ?? `SQLITE_${code & 0xff}`;
  return d1Error(begins, `${error.message}: ${primary}${extended ? ` (extended: ${extended})` : ""}`);
}

function d1Error(begins: string, text: string): Error {
  return new Error(`${begins}${text}`, { cause: new Error(text) });
}
