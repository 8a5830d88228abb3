/** When `npm start` builds the console's site, and when it serves the existing one. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { consoleSite } from "../../../src/dev/console-site.ts";

let checkout = "";
let builds = 0;

beforeEach(() => {
  builds = 0;
  checkout = mkdtempSync(join(tmpdir(), "cuadre-site-"));
  for (const path of ["src/web/main.tsx", "src/domain/sale.ts", "package-lock.json"]) write(path, "first");
});
afterEach(() => rmSync(checkout, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

/** The "build" copies one source. */
async function build(folder: string): Promise<void> {
  builds += 1;
  mkdirSync(folder);
  writeFileSync(join(folder, "index.html"), readFileSync(join(checkout, "src/web/main.tsx")));
}

const site = () => consoleSite({ root: checkout, build });
const served = async () => readFileSync(join(await site(), "index.html"), "utf8");

test("a second start serves what the first one built", async () => {
  expect([await served(), await served(), builds]).toEqual(["first", "first", 1]);
});

describe("another state of the sources is built anew", () => {
  test.each([
    ["a page", "src/web/main.tsx"],
    ["a new page", "src/web/pages/new.tsx"],
    ["an environment of Vite", "src/web/.env"],
    ["a value of another part", "src/domain/sale.ts"],
    ["the compiler's settings", "tsconfig.json"],
    ["the lock file", "package-lock.json"],
    ["the installed packages", "node_modules/.package-lock.json"],
  ])("%s", async (_, path) => {
    const before = await site();
    write(path, "second");
    expect(await site()).not.toBe(before);
    expect(builds).toBe(2);
  });

  test("a source that moves", async () => {
    const before = await site();
    rmSync(join(checkout, "src/domain/sale.ts"));
    write("src/domain/sales.ts", "first");
    expect(await site()).not.toBe(before);
  });
});

test("a change that is taken back finds its site again, and what the deployment builds changes nothing", async () => {
  const before = await site();
  write("src/web/main.tsx", "second");
  expect(await served()).toBe("second");
  write("src/web/main.tsx", "first");
  write("src/web/dist/index.html", "deployed");
  expect([await site(), builds]).toEqual([before, 2]);
});

test("a build that fails or breaks off is never served", async () => {
  const broken = async (folder: string) => {
    await build(folder);
    throw new Error("broken");
  };
  await expect(consoleSite({ root: checkout, build: broken })).rejects.toThrow("broken");
  expect([await served(), builds]).toEqual(["first", 2]);
});

test("a source that changes during the build is in the site that is served", async () => {
  const interrupted = async (folder: string) => {
    await build(folder);
    if (builds === 1) write("src/web/main.tsx", "second");
  };
  const folder = await consoleSite({ root: checkout, build: interrupted });
  expect([readFileSync(join(folder, "index.html"), "utf8"), builds]).toEqual(["second", 2]);
});

test("two starts that build the same at once serve one site", async () => {
  const [one, other] = await Promise.all([site(), site()]);
  expect(one).toBe(other);
});

test("sites of older states are removed", async () => {
  for (const text of ["a", "b", "c", "d", "e", "f", "g"]) {
    write("src/web/main.tsx", text);
    expect(await served()).toBe(text);
  }
  expect(readdirSync(join(checkout, "node_modules/.cache/console-site"))).toHaveLength(5);
});
