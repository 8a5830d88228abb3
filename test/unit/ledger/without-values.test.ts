/** What the operator's log may say of a fault: where it was, never what somebody sent. */
import { expect, test } from "vitest";
import { assertNever } from "../../../src/domain/shared/result.ts";
import { withoutValues } from "../../../src/ledger/core/without-values.ts";

const PERSON = { first_name: "Lucía", vat_number: "12345678Z" };

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test.each<[string, unknown, string]>([
  ["D1's own words", new Error("D1_ERROR: Network connection lost."), "D1_ERROR: Network connection lost."],
  [
    "a constraint with its columns",
    new Error("D1_ERROR: UNIQUE constraint failed: api_key.id: SQLITE_CONSTRAINT"),
    "D1_ERROR: UNIQUE constraint failed: api_key.id: SQLITE_CONSTRAINT",
  ],
  [
    "what D1 quotes is left out",
    new Error('D1_ERROR: fts5: syntax error near "Lucía": SQLITE_ERROR'),
    "D1_ERROR: fts5: syntax error near …",
  ],
  [
    "a value that D1 cannot take",
    new Error("D1_TYPE_ERROR: Type 'object' not supported for value 'Lucía's'"),
    "D1_TYPE_ERROR: Type …",
  ],
  [
    "an invariant says what it is about",
    new Error("invariant broken: there is a key"),
    "invariant broken: there is a key",
  ],
  [
    "the cause of a query, without its parameters",
    new Error("Failed query: select 1 params: 12345678Z", { cause: new Error("D1_ERROR: locked") }),
    "D1_ERROR: locked",
  ],
  ["a query without a cause", new Error("Failed query: insert params: Lucía"), "Error"],
  ["a text that is no JSON", thrownBy(() => JSON.parse("Lucía, 12345678Z")), "SyntaxError"],
  ["a case that nobody thought of", new Error(`unreachable: ${JSON.stringify(PERSON)}`), "Error"],
  ["a member of nothing", thrownBy(() => Reflect.get(Object(PERSON), "x").y), "TypeError"],
  ["something that is no error", PERSON, "unknown"],
])("%s", (_, error, told) => {
  expect(withoutValues(error)).toBe(told);
});

test("a case that nobody thought of is not told in the message either", () => {
  // What the compiler rules out, on purpose.
  const told = thrownBy(() => assertNever(PERSON as never));
  expect(String(told)).toBe("Error: unreachable: a case of type object");
});

test("is never long", () => {
  expect(withoutValues(new Error(`D1_ERROR: ${"x".repeat(5_000)}`)).length).toBeLessThanOrEqual(200);
});
