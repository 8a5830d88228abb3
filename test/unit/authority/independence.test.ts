/** A partner that shares code with the product would share its mistakes. */
import { posix } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles, withoutComments } from "../../support/rules/sources.ts";

const OWN = "src/sandbox/";
/** The product reads the AEAT's answers with saxes too; `xml-reader.test.ts` compares it with libxml2. */
const PACKAGES = ["hono", "hono/jsx", "zod", "saxes", "cloudflare:workers"];
/** The stand-in shops are a server of Node's own. */
const NODE = ["node:crypto", "node:fs", "node:http"];

test("the sandbox imports nothing of the product, nor the product anything of it", () => {
  const imports = sourceFiles("src/**/*.{ts,tsx,mjs}").flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, from = ""]) => ({
      isOwn: path.startsWith(OWN),
      path,
      target: from.startsWith(".") ? posix.join(posix.dirname(path), from) : from,
    })),
  );
  const own = imports.filter(({ isOwn }) => isOwn);
  expect(own.length).toBeGreaterThan(50);
  expect(
    own.filter(({ target }) => !target.startsWith(OWN) && ![...PACKAGES, ...NODE].includes(target)),
  ).toEqual([]);
  expect(imports.filter(({ isOwn, target }) => !isOwn && target.startsWith(OWN))).toEqual([]);
});
