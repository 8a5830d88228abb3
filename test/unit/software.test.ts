import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { softwareFrom } from "../../src/domain/verifactu/software.ts";

const CONFIGURED = {
  producerName: "Productor Ficticio SL",
  producerNif: "B12345674",
  producerAddress: "Calle Mayor 1, 28001 Madrid, España",
  name: "Cuadre",
  code: "CU",
  version: "1.0.0",
  declarationDate: "2026-11-28",
  declarationPlace: "Madrid, España",
};

test("the configured values are taken as they are", () => {
  expect(softwareFrom(JSON.stringify(CONFIGURED))).toEqual(CONFIGURED);
});

test("the configuration of wrangler.toml is valid", () => {
  const [, json = ""] = /^SOFTWARE = '''(.*?)'''/ms.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
  expect(softwareFrom(json).code).toBe("CU");
});

test.each([
  ["a NIF with a wrong control character", { producerNif: "B12345678" }],
  ["a code of three characters", { code: "CUA" }],
  ["a day that does not exist", { declarationDate: "2026-02-30" }],
  ["a name longer than the record takes", { name: "x".repeat(31) }],
  ["an empty version", { version: "" }],
  ["a number for a text", { version: 1 }],
])("%s is refused", (_, change) => {
  expect(() => softwareFrom(JSON.stringify({ ...CONFIGURED, ...change }))).toThrow("SOFTWARE");
});

test.each(["[]", "null", '"x"'])("%s is no configuration", (json) => {
  expect(() => softwareFrom(json)).toThrow("SOFTWARE");
});
