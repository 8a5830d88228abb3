import { expect, test } from "vitest";
import { FIRST_LOAD_BYTES, filesFor } from "../../../src/ops/first-load.ts";

const MANIFEST = {
  "index.html": { file: "assets/index.js", imports: ["_vendor"] },
  _vendor: { file: "assets/vendor.js" },
  "app/shell.tsx": { file: "assets/shell.js", imports: ["_vendor", "index.html"] },
  "pages/other.tsx": { file: "assets/other.js" },
  "styles.css": { file: "assets/styles.css" },
};

test("a first load has each file of its modules and of their imports once, and no style sheet", () => {
  const files = filesFor(MANIFEST, ["index.html", "app/shell.tsx", "styles.css"]);
  expect(files).toEqual(["assets/index.js", "assets/vendor.js", "assets/shell.js"]);
});

test("a module that the build does not have is an error, so that none is forgotten", () => {
  expect(() => filesFor(MANIFEST, ["pages/gone.tsx"])).toThrow("pages/gone.tsx");
});

test("the budget is 250,000 bytes", () => {
  expect(FIRST_LOAD_BYTES).toBe(250_000);
});
