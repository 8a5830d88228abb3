import { fillPlaceholders, is, Param, Placeholder, QueryPromise, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import { invariant } from "../domain/shared/result.ts";
import { type Database, databaseOn, preparedOn } from "./database.ts";

/** A value of a statement, or the place where one comes each time that the statement is used. */
export type Bound<Value extends string | number = string> = Value | Placeholder;

/** The values of the places of a batch, by their names. */
export type Given = Readonly<Record<string, string | number>>;

/** A place for a value. */
export function place<Name extends string>(name: Name): Placeholder<Name> {
  return sql.placeholder(name);
}

type Read = RunnableQuery<unknown, "sqlite"> & PromiseLike<unknown> & { toSQL(): unknown };

/** The same reads with their values: to be taken into a batch, or awaited alone. */
type WithValues<Reads extends readonly Read[]> = {
  readonly [Index in keyof Reads]: KeptRead<Awaited<Reads[Index]>>;
};

/**
 * Selects that are written once and used with other values each time. Drizzle takes milliseconds to write the
 * statements of a cold load, which is more than the decision of its call takes.
 *
 * Every parameter must be a place: text that is kept can then hold no value of the call that it was first
 * written for.
 */
export function keptReads<const Reads extends readonly Read[]>(
  write: (db: Database) => Reads,
): (db: Database, given: Given) => WithValues<Reads> {
  const kept = shapedReads((db, _shape: "") => write(db));
  return (db, given) => kept(db, "", given);
}

/** The same with a text for each shape, of which there are few. */
export function shapedReads<Shape extends string, const Reads extends readonly Read[]>(
  write: (db: Database, shape: Shape) => Reads,
): (db: Database, shape: Shape, given: Given) => WithValues<Reads> {
  const kept = new Map<Shape, readonly Written[]>();
  return (db, shape, given) => {
    const written = kept.get(shape) ?? write(unbound(), shape).map(writtenOf);
    kept.set(shape, written);
    // One for each of the reads, in their order.
    return written.map((read) => new KeptRead(db, read, given)) as WithValues<Reads>;
  };
}

/** A select as Drizzle wrote it: its text, its places, and the function that makes objects of its rows. */
interface Written {
  readonly text: string;
  readonly places: readonly unknown[];
  readonly mapResult: (result: unknown) => unknown;
}

/** The part of a prepared statement that the batch of Drizzle's D1 session calls. */
interface Prepared {
  getQuery(): { readonly sql: string; readonly params: unknown[] };
  mapResult(result: unknown, isFromBatch: boolean): unknown;
}

/** Statements are only written with it, so that nothing of a request is kept. */
function unbound(): Database {
  const binding = { prepare: () => ({ bind: () => ({}) }), batch: () => Promise.resolve([]) };
  // Drizzle prepares on it and asks for nothing else while it writes.
  return databaseOn(binding as unknown as D1Database);
}

function writtenOf(read: Read): Written {
  // Internal to Drizzle, whose version is fixed; its batches call the same.
  const prepared = (read as unknown as { _prepare(): Prepared })._prepare();
  const { sql: text, params: places } = prepared.getQuery();
  invariant(places.every(isPlace), "a kept statement holds no value");
  return { text, places, mapResult: (result) => prepared.mapResult(result, true) };
}

function isPlace(parameter: unknown): boolean {
  return is(parameter, Placeholder) || (is(parameter, Param) && is(parameter.value, Placeholder));
}

class KeptRead<Rows> extends QueryPromise<Rows> implements RunnableQuery<Rows, "sqlite"> {
  declare readonly _: { readonly dialect: "sqlite"; readonly result: Rows };
  readonly #db: Database;
  readonly #written: Written;
  readonly #given: Given;

  constructor(db: Database, written: Written, given: Given) {
    super();
    this.#db = db;
    this.#written = written;
    this.#given = given;
  }

  /** Drizzle's batch calls it. A value without a place is not sent; a place without a value throws. */
  _prepare() {
    const { text, places, mapResult } = this.#written;
    const query = { sql: text, params: fillPlaceholders([...places], this.#given) };
    return { getQuery: () => query, stmt: preparedOn(this.#db, text), mapResult };
  }

  async execute(): Promise<Rows> {
    const [rows] = await this.#db.batch([this]);
    return rows;
  }
}

/** A list as one parameter. */
export function json(values: readonly unknown[]): string {
  return JSON.stringify(values);
}
