/** JSON as it is written: numbers digit by digit, members in their order and with their repeats. */
export type Tree = null | boolean | string | Numeral | readonly Tree[] | Members;

/** A number as it is written, or another value in its place. */
export class Numeral {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type Member = readonly [name: string, value: Tree];

export class Members {
  readonly entries: readonly Member[];

  constructor(entries: readonly Member[]) {
    this.entries = entries;
  }

  valueOf(name: string): Tree | undefined {
    return this.entries.find(([own]) => own === name)?.[1];
  }

  with(name: string, value: Tree): Members {
    const isThere = this.entries.some(([own]) => own === name);
    if (!isThere) return new Members([...this.entries, [name, value]]);
    return new Members(this.entries.map((entry) => (entry[0] === name ? [name, value] : entry)));
  }

  without(name: string): Members {
    return new Members(this.entries.filter(([own]) => own !== name));
  }
}

export type Kind = "null" | "boolean" | "string" | "number" | "array" | "object";

export function kindOf(tree: Tree): Kind {
  if (tree === null) return "null";
  if (typeof tree === "boolean") return "boolean";
  if (typeof tree === "string") return "string";
  if (tree instanceof Numeral) return "number";
  return tree instanceof Members ? "object" : "array";
}

export function textOf(tree: Tree): string {
  if (tree instanceof Numeral) return tree.source;
  if (tree instanceof Members) {
    return `{${tree.entries.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(",")}}`;
  }
  // A lone surrogate is written as its escape.
  return isList(tree) ? `[${tree.map(textOf).join(",")}]` : JSON.stringify(tree);
}

export function treeOf(json: unknown): Tree {
  if (json === null || typeof json === "boolean" || typeof json === "string") return json;
  if (typeof json === "number") return new Numeral(String(json));
  if (Array.isArray(json)) return json.map(treeOf);
  if (typeof json !== "object") throw new Error(`no JSON: ${typeof json}`);
  return new Members(Object.entries(json).map(([name, value]) => [name, treeOf(value)]));
}

export function isList(tree: Tree): tree is readonly Tree[] {
  return Array.isArray(tree);
}

/** A place in a tree: names of members, places in lists. */
export type Path = readonly (string | number)[];

/** The same tree with another value there; `undefined` takes the member or the element away. */
export function changedAt(tree: Tree, [step, ...rest]: Path, change: (at: Tree) => Tree | undefined): Tree {
  if (step === undefined) return change(tree) ?? null;
  if (typeof step === "number" && isList(tree)) {
    return tree.flatMap((element, index) => {
      if (index !== step) return [element];
      const changed = rest.length === 0 ? change(element) : changedAt(element, rest, change);
      return changed === undefined ? [] : [changed];
    });
  }
  if (typeof step !== "string" || !(tree instanceof Members)) return tree;
  const own = tree.valueOf(step);
  if (own === undefined) return tree;
  const changed = rest.length === 0 ? change(own) : changedAt(own, rest, change);
  return changed === undefined ? tree.without(step) : tree.with(step, changed);
}
