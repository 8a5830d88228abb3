import { expect, test } from "vitest";
import { pageToReturnTo } from "../../../src/web/app/page-to-return-to.ts";

test.each([
  ["a page of the console", "/e/ac1/facturas?mes=2026-11#abajo", "/e/ac1/facturas?mes=2026-11#abajo"],
  ["nothing", "", "/"],
  ["another site", "https://evil.example/", "/"],
  ["one without scheme", "//evil.example", "/"],
  ["a backslash", "/\\evil.example", "/"],
  ["a tab that browsers leave out", "/\t/evil.example", "/"],
  ["a line break before a backslash", "/\n\\evil.example", "/"],
  ["a script address", "javascript:alert(1)", "/"],
  ["no address", "//", "/"],
])("after signing in: %s", (_, back, page) => {
  expect(pageToReturnTo(new URLSearchParams({ volver: back }))).toBe(page);
});
