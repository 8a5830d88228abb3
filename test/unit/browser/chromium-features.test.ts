import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { UNUSED_FEATURES } from "../../support/browser/chromium.ts";

it("the browser suite switches off every feature that Playwright switches off", () => {
  const folder = dirname(createRequire(import.meta.url).resolve("playwright-core/package.json"));
  const source = readFileSync(join(folder, "lib/coreBundle.js"), "utf8");
  const list = /\bdisabledFeatures = \[([^\]]*)\]/.exec(source)?.[1] ?? "";
  const names = list.split("\n").flatMap((line) => /^\s*"(\w+)",?$/.exec(line)?.[1] ?? []);
  expect(names).toContain("PaintHolding");
  expect(UNUSED_FEATURES).toEqual(expect.arrayContaining(names));
});
