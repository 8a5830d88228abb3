import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { boundedBinding } from "./bounded-sql.ts";

export type Database = DrizzleD1Database;

export function databaseOn(binding: D1Database): Database {
  return drizzle(boundedBinding(binding));
}
