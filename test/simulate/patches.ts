/** Source texts that are patched as a run loads them: breaks for the mutation check, and one for speed. */
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

export interface Patch {
  /** The end of the file's path. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Mutation {
  readonly name: string;
  /** As the table in docs/proofs.md says it. */
  readonly what: string;
  readonly patches?: readonly Patch[];
  /** Run on the migrated database before the first history. */
  readonly sql?: readonly string[];
}

/** Of a file of the product. A dollar sign is written as §, which no linter takes for a template. */
export function patch(file: string, from: string, to: string): Patch {
  const asWritten = (text: string) => text.replaceAll("§", "$");
  return { file: `/src/${file}`, from: asWritten(from), to: asWritten(to) };
}

/**
 * Drizzle asks for the class of every part of every statement, by walking up its prototypes: an eighth of the
 * time of a history. The answer of a class stays the same.
 */
const REMEMBERED_CLASSES: Patch = {
  file: "/drizzle-orm/entity.js",
  from: "  let cls = Object.getPrototypeOf(value).constructor;\n  if (cls) {",
  to: `  let cls = Object.getPrototypeOf(value).constructor;
  if (cls) {
    const known = (is.known ??= new WeakMap());
    const of = known.get(cls) ?? known.set(cls, new Map()).get(cls);
    const kind = type[entityKind];
    const kept = of.get(kind);
    if (kept !== undefined) return kept;
    let found = false;
    for (let each = cls; each && !found; each = Object.getPrototypeOf(each)) {
      found = entityKind in each && each[entityKind] === kind;
    }
    of.set(kind, found);
    return found;`,
};

/** For modules that are loaded from now on. Returns a check that every patch was used. */
export function patchSources(patches: readonly Patch[]): () => void {
  const all = [REMEMBERED_CLASSES, ...patches];
  const used = new Set<Patch>();
  registerHooks({
    load(url, context, nextLoad) {
      const own = all.filter(({ file }) => url.endsWith(file));
      if (own.length === 0) return nextLoad(url, context);
      let source = readFileSync(fileURLToPath(url), "utf8");
      for (const patch of own) {
        if (source.split(patch.from).length !== 2)
          throw new Error(`${patch.file} has no single ${patch.from}`);
        source = source.replace(patch.from, () => patch.to);
        used.add(patch);
      }
      const isTyped = url.endsWith(".ts");
      return {
        format: "module",
        source: isTyped ? stripTypeScriptTypes(source) : source,
        shortCircuit: true,
      };
    },
  });
  return () => {
    const left = all.filter((patch) => !used.has(patch));
    if (left.length > 0) throw new Error(`never loaded: ${left.map(({ file }) => file).join(", ")}`);
  };
}
