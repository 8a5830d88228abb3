import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Amounts, rates, counts and dates have one writer, `words/format.ts`, so that they read the same everywhere. */
const BARE = /\bIntl\.|\.toFixed\(|\.toLocale\w*\(|\.localeCompare\(/;

test("numbers and dates of the console are written by format.ts alone", () => {
  const files = globSync("src/web/**/*.{ts,tsx}").filter((file) => !file.includes("/dist/"));
  const bare = files.filter((file) => BARE.test(readFileSync(file, "utf8")));
  expect(files.length).toBeGreaterThan(100);
  expect(bare).toEqual(["src/web/words/format.ts"]);
});
