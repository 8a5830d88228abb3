import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { brokenRules, loadedWith } from "../support/architecture.ts";
import { REPOSITORY, type SourceFile, sourceFiles } from "../support/sources.ts";

test("src keeps its import directions, its purity and its sizes", () => {
  const files = sourceFiles("src/**/*.{ts,tsx,mjs}");
  expect(files.length).toBeGreaterThan(30);
  const textOf = textsOf(files);
  expect(files.flatMap((file) => brokenRules(file, textOf))).toEqual([]);
});

test("the top level holds what the customer allows, and dot files", () => {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: REPOSITORY, encoding: "utf8" }).split("\0");
  const names = new Set(listed.map((path) => path.split("/")[0] ?? ""));
  const allowed = [
    ...["package.json", "package-lock.json", "wrangler.toml", "tsconfig.json"],
    ...["src", "migrations", "test", "docs", "README.md"],
  ];
  const others = [...names].filter((name) => name !== "" && !name.startsWith(".") && !allowed.includes(name));
  expect(others).toEqual([]);
});

test("a start loads neither what draws PDFs, nor a font, nor what signs people in", () => {
  const loaded = [...loadedWith("src/worker.ts", textsOf(sourceFiles("src/**/*.{ts,tsx}")))];
  expect(loaded).toContain("src/viewer/viewer.tsx");
  expect(loaded.filter((path) => /viewer\/pdf\/|fonts\/.*json|identity\/|http\/console/.test(path))).toEqual(
    [],
  );
});

function textsOf(files: readonly SourceFile[]): (path: string) => string {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return (path) => texts.get(path) ?? `no file: ${path}`;
}

/** What the checked files import, as the checker's own test has it. */
const IMPORTED: Readonly<Record<string, string>> = {
  "src/domain/leaf.ts": 'import type { X } from "./x.ts"; import { type Y } from "./y.ts";',
  "src/domain/branch.ts": 'import { x } from "./x.ts";',
};

describe("the checker itself", () => {
  test.each([
    ["domain may use its packages", "src/domain/a.ts", 'import Big from "big.js";', []],
    ["and no other", "src/domain/a.ts", 'import { z } from "zod";', ["imports the package zod"]],
    [
      "nor a use case",
      "src/domain/a/b.ts",
      'import { x } from "../../usecases/x.ts";',
      ["imports usecases/x.ts"],
    ],
    ["not even by re-export", "src/domain/a.ts", 'export * from "../http/app.ts";', ["imports http/app.ts"]],
    ["nor the clock", "src/domain/a.ts", "const now = Date.now();", ["uses Date.now"]],
    ["nor an empty date", "src/domain/a.ts", "new Date( )", ["uses new Date( )"]],
    ["a date of facts is fine", "src/domain/a.ts", "new Date(ms)", []],
    ["nothing waits", "src/domain/a.ts", "async () => {}", ["uses async"]],
    ["not in a template either", "src/domain/a.ts", "`$" + "{await x}`", ["uses await"]],
    ["comments and texts may", "src/domain/a.ts", '/** async */ const a = "await"; // process', []],
    ["a use case reaches down", "src/usecases/a.ts", 'import { x } from "../domain/x.ts";', []],
    [
      "not to storage",
      "src/usecases/a.ts",
      'import type { X } from "../storage/x.ts";',
      ["imports type storage/x.ts"],
    ],
    ["and knows no binding", "src/usecases/a.ts", "let db: D1Database;", ["uses D1Database"]],
    [
      "nor the runtime",
      "src/jobs/a.ts",
      'import { env } from "cloudflare:workers";',
      ["imports cloudflare:workers"],
    ],
    [
      "the ledger knows no store",
      "src/ledger/a.ts",
      'import { x } from "../storage/x.ts";',
      ["imports storage/x.ts"],
    ],
    ["its class is wired", "src/ledger/core/connection-ledger.ts", 'import { x } from "../wiring.ts";', []],
    ["http sees the stub", "src/api/endpoints/a.ts", 'import { x } from "../../ledger/client.ts";', []],
    [
      "only it",
      "src/api/endpoints/a.ts",
      'import { x } from "../../ledger/ledger.ts";',
      ["imports ledger/ledger.ts"],
    ],
    [
      "nothing imports http",
      "src/db/a.ts",
      'import type { X } from "../http/x.ts";',
      ["imports type http/x.ts"],
    ],
    ["but the wiring", "src/wiring.ts", 'import { x } from "./http/x.ts";', []],
    ["env in types only", "src/db/a.ts", 'import { type Env } from "../env.ts";', []],
    ["not in values", "src/db/a.ts", 'import { Env } from "../env.ts";', ["imports env.ts"]],
    ["the wizard takes types", "src/web/a.tsx", 'import type { X } from "../http/contract/x.ts";', []],
    [
      "no values",
      "src/web/a.tsx",
      'import { X } from "../http/contract/x.ts";',
      ["imports http/contract/x.ts"],
    ],
    [
      "values of the domain from files that load no others",
      "src/web/a.tsx",
      'import { X } from "../domain/leaf.ts";',
      [],
    ],
    [
      "and from none that does",
      "src/web/a.tsx",
      'import { X } from "../domain/branch.ts";',
      ["imports domain/branch.ts"],
    ],
    [
      "which is the console's alone",
      "src/platform/a.ts",
      'import { X } from "../domain/leaf.ts";',
      ["imports domain/leaf.ts"],
    ],
    ["dynamic imports count", "src/usecases/a.ts", 'import("../http/x.ts")', ["imports http/x.ts"]],
    ["a long line", "src/env.ts", "x".repeat(111), ["line 1 is too long"]],
    ["a long file", "src/env.ts", "x\n".repeat(501), ["has 501 lines"]],
    ["a type argument across lines", "src/domain/a.ts", 'import {\n  type A,\n  b,\n} from "./b.ts";', []],
  ])("%s", (_, path, text, expected) => {
    const textOf = (imported: string) => IMPORTED[imported] ?? "";
    expect(brokenRules({ path, text }, textOf)).toEqual(expected.map((problem) => `${path}: ${problem}`));
  });

  test("what is imported on demand is not loaded with the file, types are not loaded at all", () => {
    const texts: Readonly<Record<string, string>> = {
      "src/a.ts": 'import { b } from "./b/b.ts"; import type { T } from "./t.ts"; await import(\n"./d.ts");',
      "src/b/b.ts": 'export * from "../c.ts";\nimport "./e.json";',
    };
    const loaded = loadedWith("src/a.ts", (path) => texts[path] ?? "");
    expect([...loaded]).toEqual(["src/a.ts", "src/b/b.ts", "src/c.ts", "src/b/e.json"]);
  });

  test("a folder without rules is refused", () => {
    expect(brokenRules({ path: "src/helpers/a.ts", text: "" }, () => "")).toEqual([
      "src/helpers/a.ts belongs to no layer",
    ]);
  });
});
