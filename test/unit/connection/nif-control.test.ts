import { expect, test } from "vitest";
import { nifFault } from "../../../src/domain/shared/nif-control.ts";
import { nifFrom } from "../../../src/domain/shared/tax-identifier.ts";

test.each([
  ["an entity's digit", "B23456783", undefined],
  ["typed with spaces, dots and a prefix", "es b-23.456 783", undefined],
  ["a wrong digit", "B23456784", "letter"],
  ["a person's letter", "12345678Z", undefined],
  ["a wrong letter", "12345678A", "letter"],
  ["a foreigner's number", "X1234567L", undefined],
  ["a public body's letter", "Q2826000H", undefined],
  ["too short", "B2345678", "shape"],
  ["nothing", "", "shape"],
  ["a kind of entity that does not exist", "O1234567A", "shape"],
])("%s", (_, typed, fault) => {
  expect(nifFault(typed)).toBe(fault);
});

test("what a form takes for a correct NIF is what the server takes, for every kind and ending", () => {
  const kinds = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const numbers = ["0000000", "0012345", "1234567", "2826000", "9999999", "7654321"];
  for (const kind of kinds)
    for (const number of numbers)
      for (const end of kinds) {
        const nif = `${kind}${number}${end}`;
        expect(`${nif} ${nifFault(nif) === undefined}`).toBe(`${nif} ${nifFrom(nif) !== undefined}`);
      }
});
