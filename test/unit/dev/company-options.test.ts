/** An operator's actions on a company, and the refusals before any database is opened. */
import { describe, expect, test } from "vitest";
import { readCompanyOptions } from "../../../src/ops/company-changes.ts";

const ACCOUNT = `ac000${"a".repeat(16)}`;
const PROOF = `pr000${"a".repeat(16)}`;
const CLAIM = `cl000${"a".repeat(16)}`;
const WORD = ["--operator", "Ruiz", "--reason", "caso 7"];

const read = (...args: string[]) => readCompanyOptions(args, {});

describe("the command of companies", () => {
  test.each([
    ["a document that was read", ["verify", ACCOUNT, "--proof", PROOF], { verb: "verify", proofId: PROOF }],
    ["an operator's word alone", ["verify", ACCOUNT], { verb: "verify" }],
    ["a claim", ["grant", CLAIM], { verb: "grant", id: CLAIM }],
  ])("takes %s", (_, args, expected) => {
    expect(read(...args, ...WORD)).toMatchObject({ help: false, ...expected });
  });

  test("lists from the beginning, or from a number", () => {
    expect(read("list")).not.toHaveProperty("from");
    expect(read("list", "--from", "50")).toMatchObject({ verb: "list", from: 50 });
    expect(() => read("list", "--from", "all")).toThrow("--from is a number");
    expect(() => read("verify", ACCOUNT, "--from", "1", ...WORD)).toThrow("of list alone");
  });

  test("names no document where none was read", () => {
    expect(read("verify", ACCOUNT, ...WORD)).not.toHaveProperty("proofId");
  });

  test.each([
    ["an id of another kind as document", ["verify", ACCOUNT, "--proof", CLAIM]],
    ["a document of a claim", ["grant", CLAIM, "--proof", PROOF]],
    ["a claim where an account is asked for", ["refuse", CLAIM]],
  ])("refuses %s", (_, args) => {
    expect(() => read(...args, ...WORD)).toThrow("npm run company");
  });

  test("refuses a verb without who has looked", () => {
    expect(() => read("verify", ACCOUNT)).toThrow("--operator and --reason");
  });
});
