import { describe, expect, test } from "vitest";
import { readOptions } from "../../../src/ops/import-rates.ts";

const REMOTE = ["--remote", "--env", "production"];

describe("where the rates go", () => {
  test.each<[string, string[], NodeJS.ProcessEnv, object]>([
    ["to the state of npm start", [], {}, { stateDir: `${process.cwd()}/.local` }],
    ["to that of STATE_DIR", [], { STATE_DIR: "/state" }, { stateDir: "/state" }],
    ["to another", ["--local", "/other"], { STATE_DIR: "/state" }, { stateDir: "/other" }],
    ["to production", REMOTE, { STATE_DIR: "/state" }, { wranglerFlags: REMOTE }],
    ["to the account of the top level", ["--remote"], {}, { wranglerFlags: ["--remote"] }],
  ])("%s", (_, args, environment, target) => {
    expect(readOptions(["--file", "/a.csv", ...args], environment)).toEqual({ file: "/a.csv", target });
  });
});

describe("refused with its usage", () => {
  test.each<[string, string[]]>([
    ["no file", []],
    ["a file without name", ["--file"]],
    ["both places", ["--file", "a", "--local", "b", "--remote"]],
    ["an environment without --remote", ["--file", "a", "--env", "production"]],
    ["an unknown option", ["--file", "a", "--force"]],
    ["a file without --file", ["a"]],
  ])("%s", (_, args) => {
    expect(() => readOptions(args, {})).toThrow("npm run import-rates -- --file PATH");
  });
});
