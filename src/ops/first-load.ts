/**
 * The weight of the console's first load, after a build: the script of the entry, the frame and the overview
 * with all that they import, and the Spanish words of the overview. More than the budget fails the build.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export const FIRST_LOAD_BYTES = 250_000;

const SITE = join(import.meta.dirname, "../web/dist");
const FIRST = ["index.html", "app/shell.tsx", "pages/invoices/overview-page.tsx"];
const WORDS = ["shell", "listed", "overview", "states"].map((area) => `words/es/${area}.ts`);

/** A member of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

/** The files that a browser loads for these modules, each once. */
export function filesFor(manifest: Manifest, names: readonly string[]): readonly string[] {
  const files = new Map<string, string>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not in the manifest of the console`);
    if (files.has(name)) return;
    files.set(name, chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of names) add(name);
  return [...new Set(files.values())].filter((file) => file.endsWith(".js"));
}

if (import.meta.main) {
  const manifest: Manifest = JSON.parse(readFileSync(join(SITE, ".vite/manifest.json"), "utf8"));
  const bytes = filesFor(manifest, [...FIRST, ...WORDS])
    .map((file) => gzipSync(readFileSync(join(SITE, file)), { level: 9 }).length)
    .reduce((sum, size) => sum + size, 0);
  const figures = `${bytes} of ${FIRST_LOAD_BYTES} bytes gzipped`;
  console.log(`first load of the console: ${figures}`);
  if (bytes > FIRST_LOAD_BYTES) throw new Error(`the first load of the console is too large: ${figures}`);
}
