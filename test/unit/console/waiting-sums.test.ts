/** Amounts of waiting orders are added up by the database in whole thousandths: as exact as decimals are. */
import { DatabaseSync } from "node:sqlite";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { thousandthsOf } from "../../../src/console/orders/waiting.ts";
import { written } from "../../../src/db/database.ts";
import { decimal, multiply, round } from "../../../src/domain/shared/decimal.ts";
import { chanceOf } from "../../bench/books/chance.ts";

const database = new DatabaseSync(":memory:");
database.exec("CREATE TABLE sold (total TEXT NOT NULL)");
const insert = database.prepare("INSERT INTO sold (total) VALUES (?)");

function summed(...totals: readonly string[]): string {
  database.exec("DELETE FROM sold");
  for (const total of totals) insert.run(total);
  const statement = written(
    sql`SELECT CAST(sum(${thousandthsOf(sql.raw("total"))}) AS TEXT) AS sum FROM sold`,
  );
  return String(Object(database.prepare(statement.sql).get()).sum);
}

test.each([
  ["a whole amount", "121", "121000"],
  ["cents", "-121.01", "-121010"],
  ["nothing", "0", "0"],
  ["an order without a total", "", "0"],
  ["less than one", "-0.004", "-4"],
  ["a half that a double is below", "1.0005", "1001"],
  ["the same below zero", "-1.0005", "-1001"],
  ["a half that a double is above", "2.6744999", "2674"],
  ["a carry through all nines", "0.9996", "1000"],
  ["more digits than a double has", "9007199254740.993", "9007199254740993"],
  ["the same and a half", "123456789012345.6785", "123456789012345679"],
])("%s", (_, total, thousandths) => {
  expect(summed(total)).toBe(thousandths);
});

test("a sum is exact beyond what a double holds", () => {
  expect(summed("9007199254740.992", "0.001", "9007199254740.992")).toBe("18014398509481985");
});

test("any amount is what decimals make of it", () => {
  const chance = chanceOf(20_261_129);
  const digits = (most: number) => String(Math.floor(chance.next() * 10 ** Math.ceil(chance.next() * most)));
  for (let tries = 0; tries < 3_000; tries++) {
    const amount = decimal(`${chance.next() < 0.5 ? "-" : ""}${digits(12)}.${digits(6).padStart(4, "0")}`);
    expect([amount, summed(amount)]).toEqual([amount, round(multiply(amount, decimal("1000")), 0)]);
  }
});
