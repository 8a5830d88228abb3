import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { AREAS, type Area, wordsOf } from "../../../src/web/words/areas.ts";

interface RoutedPage {
  readonly file: string;
  readonly areas: readonly string[];
}

/** `page(["orders"], async () => (await import("./orders-page.tsx")).OrdersPage)` */
const ROUTED = /(?:page|dialog)\(\s*\[([^\]]*)\],\s*async \(\) => \(await import\("([^"]+)"\)\)/g;
const IMPORTED = /(?:from|import) ?\(?"(\.[^"]+\.tsx?)"/g;
/** A word by its id, or all that begin as a template does. */
const WORD = /"([a-z]\w*(?:\.\w+)+)"|say\("(\w+)"|`([a-z]\w*\.[\w.]*)\$\{/g;

function routedIn(file: string): readonly RoutedPage[] {
  return [...readFileSync(file, "utf8").matchAll(ROUTED)].map(([, areas = "", path = ""]) => ({
    file: join(dirname(file), path),
    areas: [...areas.matchAll(/"(\w+)"/g)].map(([, area = ""]) => area),
  }));
}

const SHELL = "src/web/app/shell.tsx";
const ROUTES = [...globSync("src/web/pages/*/routes.ts"), "src/web/app/router.tsx"].flatMap(routedIn);
/** With the dialogs of the frame, which are loaded when they are first opened. */
const PAGES = [...ROUTES, ...routedIn(SHELL)];

/** The page and its parts; the words themselves are loaded, not imported. */
function partsOf(file: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(file) || !file.startsWith("src/web") || file.includes("/words/")) return known;
  known.add(file);
  const own = readFileSync(file, "utf8").replace(ROUTED, "");
  for (const [, path = ""] of own.matchAll(IMPORTED)) partsOf(join(dirname(file), path), known);
  return known;
}

async function areasById(): Promise<ReadonlyMap<string, Area>> {
  const entries = AREAS.map(async (area) =>
    Object.keys(await wordsOf([area], "es")).map((id) => [id, area] as const),
  );
  return new Map((await Promise.all(entries)).flat());
}

/** Ids that the files say, each with its area. */
function saidIn(files: ReadonlySet<string>, areas: ReadonlyMap<string, Area>) {
  const found = [...files].flatMap((file) => [...readFileSync(file, "utf8").matchAll(WORD)]);
  return found.flatMap(([, id, plain, beginning]) => {
    if (beginning === undefined) return [[id ?? plain ?? "", areas.get(id ?? plain ?? "")] as const];
    return [...areas].filter(([one]) => one.startsWith(beginning));
  });
}

test("every separately loaded page names the areas of its words", () => {
  expect(PAGES.length).toBeGreaterThan(20);
  const lazy = [...globSync("src/web/pages/*/routes.ts"), "src/web/app/router.tsx"]
    .map((file) => readFileSync(file, "utf8").match(/await import\(/g)?.length ?? 0)
    .reduce((sum, many) => sum + many, 0);
  expect(ROUTES).toHaveLength(lazy);
  expect(PAGES).toHaveLength(lazy + 2);
});

test.each(PAGES.map(({ file, areas }) => [file, areas] as const))(
  "%s loads the words that it says",
  async (file, named) => {
    const loaded: readonly string[] = [...named, "common"];
    // The shell surrounds every page of a company.
    const isWithinShell = /pages\/(invoices|orders|settings)\//.test(file) && !file.includes("declaration");
    const unloaded = saidIn(partsOf(file), await areasById()).filter(
      ([, area]) => area && !loaded.includes(area) && !(area === "shell" && isWithinShell),
    );
    expect([...new Set(unloaded.map(([id]) => id))]).toEqual([]);
  },
);

test("the error page without a loaded page needs the common words alone", async () => {
  const files = new Set(["app/failed-page.tsx", "pages/not-found.tsx", "app/home-page.tsx"]);
  const parts = new Set([...files].flatMap((file) => [...partsOf(join("src/web", file))]));
  const said = saidIn(parts, await areasById()).filter(([, area]) => area && area !== "common");
  expect(said).toEqual([]);
});
