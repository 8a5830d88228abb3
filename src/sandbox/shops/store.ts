/** The documents of all shops, in memory and in a journal that the next start reads. */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { type Doc, isDoc, readExact } from "./documents.ts";

export interface ShopStore {
  get(resource: string, id: string): Doc | undefined;
  put(resource: string, id: string, doc: Doc): void;
  /** False if there is none. */
  remove(resource: string, id: string): boolean;
  list(resource: string): readonly Doc[];
}

/** One store for each shop, over one journal. Without a path the documents live in memory alone. */
export function openStores(path?: string): (shop: string) => ShopStore {
  const shops = new Map<string, Map<string, Map<string, Doc>>>();
  const tableOf = (shop: string, resource: string) => {
    const tables = shops.get(shop) ?? new Map<string, Map<string, Doc>>();
    shops.set(shop, tables);
    const table = tables.get(resource) ?? new Map<string, Doc>();
    tables.set(resource, table);
    return table;
  };
  if (path !== undefined && existsSync(path)) {
    for (const { shop, resource, id, doc } of linesIn(readFileSync(path, "utf8"))) {
      if (doc === null) tableOf(shop, resource).delete(id);
      else tableOf(shop, resource).set(id, doc);
    }
  }
  const note = (line: Line) => {
    if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  if (path !== undefined) compact(path, shops);
  return (shop) => ({
    get: (resource, id) => tableOf(shop, resource).get(id),
    put(resource, id, doc) {
      tableOf(shop, resource).set(id, doc);
      note({ shop, resource, id, doc });
    },
    remove(resource, id) {
      if (!tableOf(shop, resource).delete(id)) return false;
      note({ shop, resource, id, doc: null });
      return true;
    },
    list: (resource) => [...tableOf(shop, resource).values()],
  });
}

interface Line {
  readonly shop: string;
  readonly resource: string;
  readonly id: string;
  /** Null for a document that was removed. */
  readonly doc: Doc | null;
}

/** A kill may have left half a line at the end. */
function* linesIn(text: string): Generator<Line> {
  for (const line of text.split("\n")) {
    const read = lineIn(line);
    if (read) yield read;
  }
}

function lineIn(text: string): Line | undefined {
  try {
    const line = readExact(text);
    if (!isDoc(line)) return undefined;
    const { shop, resource, id, doc } = line;
    const isNamed = typeof shop === "string" && typeof resource === "string" && typeof id === "string";
    return isNamed && (doc === null || isDoc(doc)) ? { shop, resource, id, doc } : undefined;
  } catch {
    return undefined;
  }
}

/** Each document once, so that the journal does not grow with every start. */
function compact(path: string, shops: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Doc>>>) {
  const lines = [...shops].flatMap(([shop, tables]) =>
    [...tables].flatMap(([resource, table]) =>
      [...table].map(([id, doc]) => `${JSON.stringify({ shop, resource, id, doc })}\n`),
    ),
  );
  writeFileSync(`${path}.new`, lines.join(""), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
