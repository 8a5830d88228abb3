/** What the documents on security and operation point at is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const documents = [
  "docs/operation.md",
  "docs/security.md",
  ...readdirSync("docs/runbooks").map((name) => `docs/runbooks/${name}`),
];

describe.each(documents)("%s", (path) => {
  const text = readFileSync(path, "utf8");

  test("names files that exist", () => {
    const named = [...text.matchAll(/`((?:src|test|docs|migrations|\.ci)\/[\w./-]+)`/g)].map(
      ([, file = ""]) => file,
    );
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("links to documents that exist", () => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) => `${folder}/${link}`);
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  test("has tables that are whole: no line of one stands behind an empty one", () => {
    const lines = text.split("\n");
    const torn = lines.filter(
      (line, index) =>
        line.startsWith("|") && !lines[index - 1]?.startsWith("|") && !lines[index + 1]?.startsWith("|---"),
    );
    expect(torn).toEqual([]);
  });
});

test("the runbook of secrets has every secret of the Worker", () => {
  const config = readFileSync("src/platform/config.ts", "utf8");
  const secrets = [...config.matchAll(/\/\*\* Secret.*\*\/\n {2}(\w+):/g)].map(([, name = ""]) => name);
  expect(secrets.length).toBeGreaterThan(2);
  const runbook = readFileSync("docs/runbooks/secrets.md", "utf8");
  expect(secrets.filter((name) => !runbook.includes(`\`${name}\``))).toEqual([]);
});

test("no file of the repository names a host that packages come from", () => {
  for (const file of [
    "package.json",
    "package-lock.json",
    ".npmrc",
    ".ci/run",
    "test/run.mjs",
    "test/audit.mjs",
  ]) {
    expect([file, /registry\s*=|registry\.\w+\.\w+|npmjs/.test(readFileSync(file, "utf8"))]).toEqual([
      file,
      false,
    ]);
  }
});
