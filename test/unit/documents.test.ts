/** The documents of the repository name files, documents and decisions that exist. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sourceFiles } from "../support/rules/sources.ts";

const documents = ["*.md", "docs/**/*.md", "src/**/*.md"].flatMap((pattern) =>
  sourceFiles(pattern).map(({ path }) => path),
);

describe.each(documents)("%s", (path) => {
  const text = readFileSync(path, "utf8");
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";

  test("names files that exist", () => {
    const named = [...text.matchAll(/`((?:src|test|docs|migrations|\.ci)\/[\w./-]+)`/g)].map(
      ([, file = ""]) => file,
    );
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("links to documents that exist", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) => `${folder}/${link}`);
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  test("has whole tables: no empty line before a line of a table", () => {
    const lines = text.split("\n");
    const torn = lines.filter(
      (line, index) =>
        line.startsWith("|") && !lines[index - 1]?.startsWith("|") && !lines[index + 1]?.startsWith("|---"),
    );
    expect(torn).toEqual([]);
  });
});

test("ARCHITECTURE.md names files and folders of src that exist", () => {
  const text = readFileSync("src/ARCHITECTURE.md", "utf8");
  const named = [...text.matchAll(/`([a-z][\w.-]*\/[\w./-]+|[a-z][\w-]*\.tsx?)`/g)].map(
    ([, path = ""]) => path,
  );
  const files = sourceFiles("src/**/*.{ts,tsx,mjs,toml}").map(({ path }) => path);
  const exists = (path: string) =>
    existsSync(path) || existsSync(`src/${path}`) || files.some((file) => file.includes(`/${path}`));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

describe("docs/decisions.md", () => {
  const text = readFileSync("docs/decisions.md", "utf8");
  const chapters = [...text.matchAll(/^## (\d+)\. (.+)$/gm)].map(([, number, name]) => `${number} ${name}`);
  const ids = [...text.matchAll(/^- \*\*D-(\d{3,4}) /gm)].map(([, id]) => Number(id));

  test("has an id for every entry", () => {
    expect(ids.length).toBeGreaterThan(300);
    expect(text.match(/^- (?!\*\*D-\d{3,4} [^*]+\*\*)/gm)).toBeNull();
  });

  test("has unique ids in order, each in the chapter of its number", () => {
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    for (const part of text.split(/^## /m).slice(1)) {
      const chapter = Number.parseInt(part, 10);
      const own = [...part.matchAll(/^- \*\*D-(\d{3,4}) /gm)].map(([, id]) => Math.floor(Number(id) / 100));
      expect(new Set(own)).toEqual(new Set([chapter]));
    }
  });

  test("lists every chapter and every id once in its index", () => {
    const rows = [...text.matchAll(/^\| (\d+ [^|]+?) \| (\d.+) \|$/gm)];
    expect(rows.map(([, chapter]) => chapter)).toEqual(chapters);
    const ranges = rows.flatMap(([, , groups = ""]) =>
      groups.split(" · ").map((group) => group.split(" ")[0] ?? ""),
    );
    const listed = ranges.flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      const within = ids.filter((id) => id >= first && id <= last);
      expect([range, within.at(0), within.at(-1)]).toEqual([range, first, last]);
      return within;
    });
    expect(listed).toEqual(ids);
  });

  test("has every decision that another file of the repository cites", () => {
    const files = ["*.md", "docs/**/*.md", "{src,test}/**/*.{ts,tsx,mjs,md}"].flatMap(sourceFiles);
    const cited = files.flatMap(({ path, text: content }) =>
      [...content.matchAll(/\bD-(\d{3,4})\b/g)].map(([, id]) => ({ path, id: Number(id) })),
    );
    expect(cited.length).toBeGreaterThan(ids.length);
    expect(cited.filter(({ id }) => !ids.includes(id))).toEqual([]);
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
