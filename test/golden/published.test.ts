/** Published documents and all sentences, as hashes: a change of one byte of them is meant, or fails here. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { ADVICE } from "../../src/words/advice.ts";
import { ERRORS } from "../../src/words/errors.ts";
import { PHRASES } from "../../src/words/phrases.ts";
import { PROBLEMS } from "../../src/words/problems.ts";
import { REASONS, WARNINGS } from "../../src/words/reasons.ts";
import { anEdge } from "../support/worlds/http-edge.ts";

const WORDS = { ADVICE, ERRORS, PHRASES, PROBLEMS, REASONS, WARNINGS };

async function textOf(path: string): Promise<string> {
  return (await anEdge().app.request(path)).text();
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** A hash for each member of the object, so that a failure names what changed. */
function hashesOf(members: object): Record<string, string> {
  const entries = Object.entries(members);
  return Object.fromEntries(entries.map(([name, value]) => [name, hashOf(JSON.stringify(value))]));
}

/** A new row is no failure of another one; `npm test -- test/golden/published.test.ts -u` writes the file. */
test("the published documents and every sentence are the recorded ones", async () => {
  const openApi = await textOf("/openapi.json");
  const { paths, components, ...rest } = JSON.parse(openApi);
  const recorded = {
    openApi: hashOf(openApi),
    docs: hashOf(await textOf("/docs")),
    declaracion: hashOf(await textOf("/declaracion-responsable")),
    parts: {
      ...hashesOf(rest),
      ...hashesOf(paths),
      ...hashesOf(components),
      ...hashesOf(components.schemas),
    },
    words: Object.fromEntries(Object.entries(WORDS).map(([name, table]) => [name, hashesOf(table)])),
  };
  const text = `${JSON.stringify(recorded, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("published.json");
});
