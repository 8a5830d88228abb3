import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import {
  brokenRules,
  bundledWith,
  circlesOf,
  EXCEPTIONS,
  loadedWith,
  problemOf,
} from "../support/rules/architecture.ts";
import { REPOSITORY, type SourceFile, sourceFiles } from "../support/rules/sources.ts";

test("src keeps its import directions, its purity and its sizes", () => {
  const files = sourceFiles("src/**/*.{ts,tsx,mjs}");
  expect(files.length).toBeGreaterThan(30);
  const textOf = textsOf(files);
  const allowed = EXCEPTIONS.map(problemOf);
  expect(files.flatMap((file) => brokenRules(file, textOf)).toSorted()).toEqual(allowed.toSorted());
});

test("no two files reach each other by their imports, types included", () => {
  const files = sourceFiles("src/**/*.{ts,tsx,mjs}");
  expect(circlesOf(files, "types too")).toEqual([]);
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

test("a start loads neither a font of pages, nor what signs people in", () => {
  const loaded = [...loadedWith("src/worker.ts", textsOf(sourceFiles("src/**/*.{ts,tsx}")))];
  expect(loaded).toContain("src/viewer/pdf/invoice-pdf.ts");
  expect(loaded.filter((path) => /fonts\/web.*json|^src\/console\//.test(path))).toEqual([]);
});

test("the API Worker imports code with its files only: on first use costs its start more than it saves", () => {
  const textOf = textsOf(sourceFiles("src/**/*.{ts,tsx}"));
  const isSource = (path: string) => /\.tsx?$/.test(path);
  const loaded = [...loadedWith("src/worker.ts", textOf)].filter(isSource);
  const bundled = [...bundledWith("src/worker.ts", textOf)].filter(isSource);
  expect(bundled.toSorted()).toEqual(loaded.toSorted());
});

test("an endpoint does not load the document that lists it", () => {
  const loaded = [...loadedWith("src/api/endpoint.ts", textsOf(sourceFiles("src/**/*.{ts,tsx}")))];
  expect(loaded).toContain("src/api/wire/problems.ts");
  expect(loaded.filter((path) => path.startsWith("src/api/openapi/"))).toEqual([]);
});

function textsOf(files: readonly SourceFile[]): (path: string) => string {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return (path) => texts.get(path) ?? `no file: ${path}`;
}

/** The imports of the checked files, for the checker's own test. */
const IMPORTED: Readonly<Record<string, string>> = {
  "src/domain/leaf.ts": 'import type { X } from "./x.ts"; import { type Y } from "./y.ts";',
  "src/domain/branch.ts": 'import { x } from "./x.ts";',
  "src/ledger/rpc.ts": 'import type { X } from "./core/outcomes.ts";',
};

describe("the checker itself", () => {
  test.each([
    ["domain may use its packages", "src/domain/a.ts", 'import Big from "big.js";', []],
    ["and no other", "src/domain/a.ts", 'import { z } from "zod";', ["imports the package zod"]],
    [
      "nor what works with the rules",
      "src/domain/a/b.ts",
      'import { x } from "../../work/x.ts";',
      ["imports work/x.ts"],
    ],
    ["not even by re-export", "src/domain/a.ts", 'export * from "../api/app.ts";', ["imports api/app.ts"]],
    ["nor the clock", "src/domain/a.ts", "const now = Date.now();", ["uses Date.now"]],
    ["nor an empty date", "src/domain/a.ts", "new Date( )", ["uses new Date( )"]],
    ["a date of facts is fine", "src/domain/a.ts", "new Date(ms)", []],
    ["nothing waits", "src/domain/a.ts", "async () => {}", ["uses async"]],
    ["not in a template either", "src/domain/a.ts", "`$" + "{await x}`", ["uses await"]],
    ["comments and texts may", "src/domain/a.ts", '/** async */ const a = "await"; // process', []],
    ["work reads the database", "src/work/a.ts", 'import type { X } from "../db/x.ts";', []],
    ["but not the object", "src/work/a.ts", 'import { x } from "../ledger/x.ts";', ["imports ledger/x.ts"]],
    ["and knows no binding", "src/work/a.ts", "let db: D1Database;", ["uses D1Database"]],
    [
      "the viewer does not know the runtime",
      "src/viewer/a.ts",
      'import { env } from "cloudflare:workers";',
      ["imports cloudflare:workers"],
    ],
    [
      "the object's class is wired",
      "src/ledger/core/connection-ledger.ts",
      'import { x } from "../../wiring.ts";',
      [],
    ],
    ["the API calls the object", "src/api/endpoints/a.ts", 'import { x } from "../../ledger/client.ts";', []],
    [
      "and never the console",
      "src/api/endpoints/a.ts",
      'import { x } from "../../console/app.ts";',
      ["imports console/app.ts"],
    ],
    ["the console shares the API's shapes", "src/console/a.ts", 'import { x } from "../api/wire/x.ts";', []],
    [
      "and nothing else of it",
      "src/console/a.ts",
      'import { x } from "../api/app.ts";',
      ["imports api/app.ts"],
    ],
    [
      "the database knows nothing above it",
      "src/db/a.ts",
      'import type { X } from "../ledger/x.ts";',
      ["imports type ledger/x.ts"],
    ],
    ["the wiring knows all", "src/wiring.ts", 'import { x } from "./api/x.ts";', []],
    ["env in types only", "src/db/a.ts", 'import { type Env } from "../env.ts";', []],
    ["not in values", "src/db/a.ts", 'import { Env } from "../env.ts";', ["imports env.ts"]],
    [
      "the site takes the type of the console",
      "src/web/a.tsx",
      'import type { X } from "../console/app.ts";',
      [],
    ],
    [
      "the inside of a part is not for others",
      "src/api/endpoints/a.ts",
      'import { x } from "../../ledger/core/core.ts";',
      ["imports ledger/core/core.ts, which is inside its part"],
    ],
    [
      "a type in a signature of the face is",
      "src/api/endpoints/a.ts",
      'import type { X } from "../../ledger/core/outcomes.ts";',
      [],
    ],
    [
      "a value next to that type is not",
      "src/api/endpoints/a.ts",
      'import { x } from "../../ledger/core/outcomes.ts";',
      ["imports ledger/core/outcomes.ts, which is inside its part"],
    ],
    [
      "the seed opens a ledger of its own",
      "src/dev/a.ts",
      'import { x } from "../ledger/core/ledger.ts";',
      [],
    ],
    ["no values", "src/web/a.tsx", 'import { X } from "../console/x.ts";', ["imports console/x.ts"]],
    [
      "the sandbox imports only itself",
      "src/sandbox/a.ts",
      'import { x } from "../domain/x.ts";',
      ["imports domain/x.ts"],
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
      "src/sandbox/a.ts",
      'import { X } from "../domain/leaf.ts";',
      ["imports domain/leaf.ts"],
    ],
    ["dynamic imports count", "src/work/a.ts", 'import("../api/x.ts")', ["imports api/x.ts"]],
    ["a long line", "src/env.ts", "x".repeat(111), ["line 1 is too long"]],
    ["a long file", "src/env.ts", "x\n".repeat(501), ["has 501 lines"]],
    ["a type argument across lines", "src/domain/a.ts", 'import {\n  type A,\n  b,\n} from "./b.ts";', []],
  ])("%s", (_, path, text, expected) => {
    const textOf = (imported: string) => IMPORTED[imported] ?? "";
    expect(brokenRules({ path, text }, textOf)).toEqual(expected.map((problem) => `${path}: ${problem}`));
  });

  test("a dynamic import is not loaded with the file, types are not loaded at all", () => {
    const texts: Readonly<Record<string, string>> = {
      "src/a.ts": 'import { b } from "./b/b.ts"; import type { T } from "./t.ts"; await import(\n"./d.ts");',
      "src/b/b.ts": 'export * from "../c.ts";\nimport "./e.json";',
    };
    const loaded = loadedWith("src/a.ts", (path) => texts[path] ?? "");
    expect([...loaded]).toEqual(["src/a.ts", "src/b/b.ts", "src/c.ts", "src/b/e.json"]);
  });

  test("files that import each other are one circle, and a type is a tie of its own", () => {
    const files = [
      { path: "src/a.ts", text: 'import { b } from "./b.ts";' },
      { path: "src/b.ts", text: 'import { c } from "./c.ts"; import type { D } from "./d.ts";' },
      { path: "src/c.ts", text: 'import { a } from "./a.ts";' },
      { path: "src/d.ts", text: 'import type { B } from "./b.ts";' },
      { path: "src/e.ts", text: 'import { a } from "./a.ts";' },
    ];
    expect(circlesOf(files, "values")).toEqual([["src/a.ts", "src/b.ts", "src/c.ts"]]);
    expect(circlesOf(files, "types too")).toEqual([["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"]]);
  });

  test("a folder without rules is refused", () => {
    expect(brokenRules({ path: "src/helpers/a.ts", text: "" }, () => "")).toEqual([
      "src/helpers/a.ts belongs to no layer",
    ]);
  });
});
