/** `npm run verify`: what it takes, what it prints, and how it reads a database through wrangler. */
import { describe, expect, test } from "vitest";
import { proofStore } from "../../../src/db/books/proof-store.ts";
import { NOTHING_CHECKED, PROOF_CHECKS, withChecked } from "../../../src/domain/proof/checks.ts";
import { remoteDatabase, withValues } from "../../../src/ops/remote-database.ts";
import { HELP, readVerifyOptions } from "../../../src/ops/verify.ts";
import { reportOf } from "../../../src/ops/verify-report.ts";
import type { Verification } from "../../../src/work/books/verify-books.ts";

const ID = "cn0010123456789abcdef";

describe("options", () => {
  test.each<[string, string[], NodeJS.ProcessEnv, object]>([
    ["the state of npm start", [], {}, { stateDir: `${process.cwd()}/.local` }],
    ["that of STATE_DIR", [], { STATE_DIR: "/state" }, { stateDir: "/state" }],
    ["another", ["--local", "/other"], { STATE_DIR: "/state" }, { stateDir: "/other" }],
    [
      "production",
      ["--remote", "--env", "production"],
      {},
      { wranglerFlags: ["--remote", "--env", "production"] },
    ],
  ])("%s", (_, args, environment, target) => {
    expect(readVerifyOptions(["--connection", ID, ...args], environment)).toEqual({
      help: false,
      connectionId: ID,
      target,
    });
  });

  test("--help needs nothing else", () => {
    expect(readVerifyOptions(["--help"], {})).toEqual({ help: true });
    expect(HELP).toContain("--connection ID");
  });

  test.each([
    ["no connection", []],
    ["an id of another kind", ["--connection", "ac0010123456789abcdef"]],
    ["an id that is none", ["--connection", "'; DROP TABLE record; --"]],
    ["both places", ["--connection", ID, "--local", "x", "--remote"]],
    ["an environment without --remote", ["--connection", ID, "--env", "production"]],
    ["an unknown option", ["--connection", ID, "--force"]],
  ])("refused: %s", (_, args) => {
    expect(() => readVerifyOptions(args, {})).toThrow(/npm run verify|is not the id of a connection/);
  });
});

function aVerification(tally = NOTHING_CHECKED): Verification {
  return { chains: [], series: [], at: { walk: "done" }, tally };
}

describe("report", () => {
  test("of books that hold says so, and counts every check", () => {
    const report = reportOf(ID, aVerification());
    expect(report).toMatch(/Everything holds\.$/);
    for (const check of PROOF_CHECKS) expect(report).toMatch(new RegExp(`^ +0  ${check} `, "m"));
  });

  test.each(PROOF_CHECKS)("of a broken %s says where first, and what to do", (check) => {
    const place = { chain: "cn1 2026-11-28T10:00:00Z", position: 4_711 };
    const later = { series: "API-1-2026", number: 9 };
    const broken = { checked: [check], broken: [check] };
    const tally = withChecked(withChecked(NOTHING_CHECKED, broken, place), broken, later);
    const report = reportOf(ID, aVerification(tally));
    expect(report).toContain(
      `BROKEN ${check}: 2 of 2, first at position 4711 of installation cn1 2026-11-28T10:00:00Z.\n  `,
    );
    expect(report).toMatch(/1 check of 16 does not hold\.$/);
  });
});

describe("a database through wrangler", () => {
  test("values replace the question marks, and nothing else", () => {
    expect(withValues(`SELECT '?', "?", ? FROM "t" WHERE a = ? AND b > ?`, ["O'Hara; --", null, 5])).toBe(
      `SELECT '?', "?", 'O''Hara; --' FROM "t" WHERE a = NULL AND b > 5`,
    );
    expect(() => withValues("SELECT ?", [])).toThrow();
    expect(() => withValues("SELECT 1", [1])).toThrow();
  });

  test("one call reads the books, for any id", async () => {
    const sent: string[] = [];
    const database = remoteDatabase(async (sql) => {
      sent.push(sql);
      return JSON.stringify(Array.from({ length: 5 }, () => ({ results: [] })));
    });
    expect(await proofStore(database, "x' OR '1'='1").readBooks()).toBeUndefined();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain("'x'' OR ''1''=''1'");
  });

  test("an invalid answer is reported", async () => {
    const database = remoteDatabase(async () => JSON.stringify({ error: "no" }));
    await expect(proofStore(database, ID).readBooks()).rejects.toThrow("did not answer 5 results");
  });
});
