/** A D1 binding that counts its round trips and misbehaves as `faults` says. */
import { faults, travel } from "./faults.ts";

const BINDING = /^(LEDGER_\d+|DIRECTORY)$/;

const always = () => true;

/** The same bindings, every D1 database among them wrapped; without `isOwn` they answer no more. */
export function wrapEnv<E extends object>(env: E, isOwn = always): E {
  const wrapped = Object.entries(env)
    .filter(([name]) => BINDING.test(name))
    .map(([name, database]) => [name, wrapD1(name, database as D1Database, isOwn)]);
  return { ...env, ...Object.fromEntries(wrapped) };
}

export function wrapD1(binding: string, real: D1Database, isOwn = always): D1Database {
  const way = { binding, isOwn };
  return {
    ...queriesOf(way, real),
    exec: (sql) => travel({ ...way, kind: "exec", sql: [sql] }, () => real.exec(sql), noMeta),
    withSession(constraint) {
      const session = real.withSession(constraint);
      return { ...queriesOf(way, session), getBookmark: () => session.getBookmark() };
    },
    dump: () => real.dump(),
  };
}

type Queries = Pick<D1Database, "prepare" | "batch">;

interface Way {
  readonly binding: string;
  readonly isOwn: () => boolean;
}

function queriesOf(way: Way, real: Queries): Queries {
  return {
    prepare: (sql) => new WrappedStatement(way, sql, real.prepare(sql)),
    batch<T>(statements: D1PreparedStatement[]) {
      const wrapped = statements.map(unwrapped);
      const sql = wrapped.map((statement) => statement.sql);
      const call = () => real.batch<T>(wrapped.map((statement) => statement.real));
      return travel({ ...way, kind: "batch", sql }, call, (answers) => answers.map((one) => one.meta));
    },
  };
}

class WrappedStatement implements D1PreparedStatement {
  readonly way: Way;
  readonly sql: string;
  readonly real: D1PreparedStatement;

  constructor(way: Way, sql: string, real: D1PreparedStatement) {
    this.way = way;
    this.sql = sql;
    this.real = real;
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new WrappedStatement(this.way, this.sql, this.real.bind(...values));
  }

  run<T>(): Promise<D1Result<T>> {
    return travel(this.#start("run"), () => this.real.run<T>(), metaOf);
  }

  all<T>(): Promise<D1Result<T>> {
    return travel(this.#start("all"), () => this.real.all<T>(), metaOf);
  }

  first<T>(column?: string): Promise<T | null> {
    const call = () => (column === undefined ? this.real.first<T>() : this.real.first<T>(column));
    return this.#withoutMeta("first", call);
  }

  raw<T = unknown[]>(options: { columnNames: true }): Promise<[string[], ...T[]]>;
  raw<T = unknown[]>(options?: { columnNames?: false }): Promise<T[]>;
  raw<T = unknown[]>(options?: { columnNames?: boolean }): Promise<T[] | [string[], ...T[]]> {
    // The two overloads of the real statement differ only in the type of the first row.
    return this.#withoutMeta("raw", () => this.real.raw<T>(options as { columnNames?: false }));
  }

  /** Where all rows are counted, a read is made a second time, in the form that says how many it read. */
  #withoutMeta<T>(kind: "first" | "raw", call: () => Promise<T>): Promise<T> {
    let meta: readonly D1Meta[] = [];
    const real = async () => {
      if (faults.countsAll() && READS.test(this.sql)) meta = [(await this.real.all()).meta];
      return call();
    };
    return travel(this.#start(kind), real, () => meta);
  }

  #start<K extends "run" | "all" | "first" | "raw">(kind: K) {
    return { ...this.way, kind, sql: [this.sql] };
  }
}

function unwrapped(statement: D1PreparedStatement): WrappedStatement {
  if (statement instanceof WrappedStatement) return statement;
  throw new Error("a statement of an unwrapped database in a wrapped batch");
}

const READS = /^\s*(SELECT|WITH)\b/i;
const metaOf = (answer: D1Result<unknown>) => [answer.meta];
const noMeta = () => [];
