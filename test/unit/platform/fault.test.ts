/** The log about a fault: its place in the code, never a caller's data. */
import { expect, test } from "vitest";
import { assertNever } from "../../../src/domain/shared/result.ts";
import { faultOf, framesOf, namedFault, withoutValues } from "../../../src/platform/log.ts";

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
    "D1's quotations are left out",
    new Error('D1_ERROR: fts5: syntax error near "Lucía": SQLITE_ERROR'),
    "D1_ERROR: fts5: syntax error near …",
  ],
  [
    "a value that D1 cannot take",
    new Error("D1_TYPE_ERROR: Type 'object' not supported for value 'Lucía's'"),
    "D1_TYPE_ERROR: Type …",
  ],
  [
    "an invariant names its subject",
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
  ["an unexpected case", new Error(`unreachable: ${JSON.stringify(PERSON)}`), "Error"],
  ["a member of nothing", thrownBy(() => Reflect.get(Object(PERSON), "x").y), "TypeError"],
  ["something that is no error", PERSON, "unknown"],
])("%s", (_, error, told) => {
  expect(withoutValues(error)).toBe(told);
});

test("an unexpected case is not quoted in the message either", () => {
  // Excluded by the compiler, done on purpose.
  const told = thrownBy(() => assertNever(PERSON as never));
  expect(String(told)).toBe("Error: unreachable: a case of type object");
});

test("is never long", () => {
  expect(withoutValues(new Error(`D1_ERROR: ${"x".repeat(5_000)}`)).length).toBeLessThanOrEqual(200);
});

/** As V8 writes it; the second frame of a bundle, the third of a library. */
function anError(message: string, ...calls: readonly string[]): Error {
  const error = new TypeError(message);
  error.stack = [`TypeError: ${message}`, ...calls.map((call) => `    at ${call}`)].join("\n");
  return error;
}

test("frames are functions, files and lines, the innermost first", () => {
  const error = anError(
    "x",
    "settle (file:///home/me/cuadre/src/ledger/core/settle.ts:40:12)",
    "async Object.fetch (file:///worker.js:2310:7)",
    "async Promise.all (index 0)",
    "/app/node_modules/@noble/hashes/sha2.js?v=1:3:4",
    "new Big (file:///home/me/cuadre/node_modules/big.js/big.mjs:9:1)",
    "Ana Pérez 12345678Z (src/a.ts:1:2)",
  );
  expect(framesOf(error).frames?.split(" < ")).toEqual([
    "settle (src/ledger/core/settle.ts:40:12)",
    "Object.fetch (worker.js:2310:7)",
    "node_modules/@noble/hashes/sha2.js:3:4",
    "Big (node_modules/big.js/big.mjs:9:1)",
    "src/a.ts:1:2",
  ]);
});

test("a message that looks like calls adds no frame", () => {
  const forged = "Lucía\n    at Perez (src/12345678Z.ts:1:2)";
  expect(framesOf(anError(forged, "f (src/a.ts:1:2)"))).toEqual({ frames: "f (src/a.ts:1:2)" });
  const changed = anError(forged, "f (src/a.ts:1:2)");
  changed.message = "another one";
  expect(framesOf(changed)).toEqual({});
});

test("our own error says so", () => {
  const { cause, frames = "" } = faultOf(thrownBy(() => JSON.parse("Lucía, 12345678Z")));
  expect(cause).toBe("SyntaxError");
  expect(frames).toContain("test/unit/platform/fault.test.ts:");
  expect(frames).not.toMatch(/Luc|12345678Z/);
});

test.each<[string, unknown]>([
  ["no error", PERSON],
  ["no stack", Object.assign(new Error("x"), { stack: undefined })],
  ["a stack of no calls", anError("x")],
])("%s: no frames", (_, error) => {
  expect(framesOf(error)).toEqual({});
});

test("a deep stack is cut", () => {
  const calls = Array.from({ length: 40 }, (_, index) => `f (src/a.ts:${index}:1)`);
  expect(namedFault(anError("x", ...calls)).frames?.split(" < ")).toHaveLength(12);
});
