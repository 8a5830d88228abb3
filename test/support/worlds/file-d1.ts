/**
 * A D1 database over its SQLite file, in plain Node: the product's own stores write into it what they would write
 * into D1, schema and triggers in force. For files that no runtime has open.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export interface FileDatabase {
  readonly d1: D1Database;
  /** For reads beside the product. */
  readonly sqlite: DatabaseSync;
  /** Everything is on the disk, and the file is closed. */
  close(): void;
}

/** Batches that share a transaction: a state that is being made needs no flush for each of them. */
const BATCHES_A_TRANSACTION = 2_000;
const STATEMENTS_KEPT = 400;

export function fileDatabase(path: string): FileDatabase {
  const sqlite = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  // A state that is lost with the machine is made again.
  sqlite.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -1500000; PRAGMA temp_store = MEMORY");
  const file = new SqliteFile(sqlite);
  const database = {
    prepare: (sql: string) => new FileStatement(file, sql, []),
    batch: async (statements: FileStatement[]) => file.batch(statements),
  };
  return {
    // Whatever else a D1 database can do, the stores do not ask for.
    d1: database as unknown as D1Database,
    sqlite,
    close() {
      file.flush();
      sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      sqlite.close();
    },
  };
}

class SqliteFile {
  readonly #sqlite: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  #batches = 0;

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  /** All of them or nothing, as D1 has it. */
  batch(statements: readonly FileStatement[]): readonly object[] {
    this.#begin();
    this.#sqlite.exec("SAVEPOINT batch");
    try {
      const answers = statements.map((statement) => {
        const before = this.#changes();
        const rows = this.rows(statement);
        return answerOf(rows, this.#changes() - before);
      });
      this.#sqlite.exec("RELEASE batch");
      return answers;
    } catch (error) {
      this.#sqlite.exec("ROLLBACK TO batch; RELEASE batch");
      throw error;
    }
  }

  rows({ sql, values }: FileStatement): readonly object[] {
    return this.#statement(sql).all(...values);
  }

  #changes(): number {
    return Number(this.#statement("SELECT total_changes() AS n").get()?.n);
  }

  flush(): void {
    if (this.#batches > 0) this.#sqlite.exec("COMMIT");
    this.#batches = 0;
  }

  #begin(): void {
    if (this.#batches === BATCHES_A_TRANSACTION) this.flush();
    if (this.#batches === 0) this.#sqlite.exec("BEGIN");
    this.#batches += 1;
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const [oldest] = this.#prepared.keys();
    if (this.#prepared.size >= STATEMENTS_KEPT && oldest !== undefined) this.#prepared.delete(oldest);
    const statement = this.#sqlite.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

class FileStatement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
  readonly #file: SqliteFile;

  constructor(file: SqliteFile, sql: string, values: readonly SQLInputValue[]) {
    this.#file = file;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: (SQLInputValue | boolean)[]): FileStatement {
    return new FileStatement(
      this.#file,
      this.sql,
      values.map((value) => (typeof value === "boolean" ? Number(value) : value)),
    );
  }

  async all(): Promise<object> {
    const [answer] = this.#file.batch([this]);
    return answer ?? {};
  }

  async run(): Promise<object> {
    return this.all();
  }

  async first(column?: string): Promise<unknown> {
    const [row] = this.#file.rows(this);
    if (!row) return null;
    return column === undefined ? row : Reflect.get(row, column);
  }

  async raw(): Promise<readonly unknown[][]> {
    return this.#file.rows(this).map((row) => Object.values(row));
  }
}

function answerOf(results: readonly object[], changes: number): object {
  return { success: true, results, meta: { changes } };
}
