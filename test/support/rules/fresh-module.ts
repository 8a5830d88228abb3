import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

/** A module of the tests with all that it imports, compiled anew: nothing of it has run before. */
export async function freshModule<Exports>(entry: string): Promise<Exports> {
  const outDir = mkdtempSync(join(tmpdir(), "cuadre-fresh-"));
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "fresh.mjs" } },
    },
    oxc: { jsx: { runtime: "automatic", importSource: "hono/jsx" } },
  });
  return import(/* @vite-ignore */ pathToFileURL(join(outDir, "fresh.mjs")).href);
}
