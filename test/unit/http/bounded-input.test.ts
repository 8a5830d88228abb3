import { globSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { apiQuery } from "../../../src/api/wire/parameters.ts";

/** Any text that a schema accepts has at most so many UTF-16 units when it is first processed. */
const LONGEST_WORKED_ON = 16_100;
const MOST_ITEMS_READ = 5_000;
const LENGTH = 40_000;

const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  "one letter": "a".repeat(LENGTH),
  spaces: " ".repeat(LENGTH),
  "line breaks": "\n".repeat(LENGTH),
  digits: "1".repeat(LENGTH),
  "marks that normalising orders": `a${"\u0301\u0327".repeat(LENGTH / 2)}`,
  "an address": `${"a".repeat(LENGTH)}@`,
};

const METHODS = [
  "trim",
  "normalize",
  "replace",
  "replaceAll",
  "split",
  "toUpperCase",
  "toLowerCase",
] as const;
type Texts = Record<string, (this: string, ...given: unknown[]) => unknown>;

let longest = 0;
const originals = new Map<string, Texts[string]>();
const { exec } = RegExp.prototype;

/** Measured in the engine's own functions, for every caller. */
beforeEach(() => {
  const texts = String.prototype as unknown as Texts;
  for (const name of METHODS) {
    const original = texts[name];
    if (!original) continue;
    originals.set(name, original);
    texts[name] = function measured(this: string, ...given: unknown[]) {
      longest = Math.max(longest, this.length);
      return original.apply(this, given);
    };
  }
  RegExp.prototype.exec = function measured(text: string) {
    // The maximum itself: zod looks for the first of a pair of units when it counts characters.
    if (this.source !== "[\\uD800-\\uDBFF]") longest = Math.max(longest, text.length);
    return exec.call(this, text);
  };
  longest = 0;
});

afterEach(() => {
  for (const [name, original] of originals) (String.prototype as unknown as Texts)[name] = original;
  RegExp.prototype.exec = exec;
});

const CONSOLE_FOLDER = `${import.meta.dirname}/../../../src/console`;

const CONSOLE_FILES = globSync("**/*.ts", { cwd: CONSOLE_FOLDER }).map((file) => ({
  file,
  text: readFileSync(`${CONSOLE_FOLDER}/${file}`, "utf8"),
}));

/** Every schema that a file of the console exports. */
const CONSOLE_SCHEMAS = (
  await Promise.all(
    CONSOLE_FILES.filter(({ text }) => text.includes('from "zod"')).map(async ({ file }) => {
      const module: Record<string, unknown> = await import(`${CONSOLE_FOLDER}/${file}`);
      return Object.entries(module).flatMap(([name, value]): [string, z.ZodType][] =>
        value instanceof z.ZodType ? [[`${file} ${name}`, value]] : [],
      );
    }),
  )
).flat();

/** The names of the schemas that the console's routes validate with. */
const VALIDATED = CONSOLE_FILES.flatMap(({ text }) =>
  [...text.matchAll(/\b(?:body|query)\((?!schema)(\w+)\)/g)].map(([, schema = ""]) => schema),
);

const API_SCHEMAS = ENDPOINTS.flatMap(({ method, path, doc }): [string, z.ZodType][] =>
  doc.body ? [[`${method} ${path}`, doc.body.schema]] : [],
);

const SCHEMAS: [string, z.ZodType][] = [...API_SCHEMAS, ["the query", apiQuery], ...CONSOLE_SCHEMAS];

describe("a schema of a request", () => {
  test("all of them are looked at", () => {
    expect(API_SCHEMAS.length).toBeGreaterThanOrEqual(8);
    expect(CONSOLE_SCHEMAS.length).toBeGreaterThanOrEqual(90);
    const exported = new Set(CONSOLE_SCHEMAS.map(([name]) => name.split(" ")[1]));
    expect(VALIDATED.filter((schema) => !exported.has(schema))).toEqual([]);
    expect(VALIDATED.length).toBeGreaterThanOrEqual(80);
  });

  test.each(SCHEMAS)("%s: refuses a text that is too long before it works on it", (_name, schema) => {
    const worked = nodesOf(schema).flatMap(({ path, schema: node }) =>
      Object.entries(HOSTILE_TEXTS).flatMap(([kind, hostile]) => {
        longest = 0;
        node.safeParse(hostile);
        return longest > LONGEST_WORKED_ON ? [`${path}: ${kind}`] : [];
      }),
    );
    expect(worked).toEqual([]);
  });

  test.each(SCHEMAS)("%s: takes no text that is too long", (_name, schema) => {
    const taken = nodesOf(schema).flatMap(({ path, schema: node }) => {
      // A preprocessing step accepts everything, and the schema after it decides.
      if (node._zod.def.type === "transform" || node._zod.def.type === "unknown") return [];
      return node.safeParse("a".repeat(LENGTH)).success ? [path] : [];
    });
    expect(taken).toEqual([]);
  });

  test.each(SCHEMAS)("%s: refuses a list that is too long before it reads it", (_name, schema) => {
    const read = nodesOf(schema).flatMap(({ path, schema: node }) => {
      let items = 0;
      const hostile = new Proxy(Array<null>(LENGTH).fill(null), {
        get(list, member, receiver) {
          if (typeof member === "string" && /^\d/.test(member)) items++;
          return Reflect.get(list, member, receiver);
        },
      });
      node.safeParse(hostile);
      return items > MOST_ITEMS_READ ? [`${path}: ${items} of ${LENGTH}`] : [];
    });
    expect(read).toEqual([]);
  });
});

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
}

interface ZodNode {
  /** The place of the schema, for a failure: `lines[].name`. */
  readonly path: string;
  readonly schema: z.ZodType;
}

/**
 * A schema and every schema in it that is given the request, outside first. A schema after a bounded text
 * in a pipe gets only what the text lets through; so does the array after the bound of a list.
 */
function nodesOf(schema: z.ZodType, path = ""): ZodNode[] {
  const def = schema._zod.def as unknown as Def;
  const inner: [string, z.ZodType | undefined][] = [
    ...Object.entries(def.shape ?? {}).map(([name, each]): [string, z.ZodType] => [`${path}.${name}`, each]),
    ...[...(def.options ?? []), ...(def.items ?? [])].map((each): [string, z.ZodType] => [path, each]),
    [`${path}[]`, def.element],
    [path, def.innerType],
    [path, def.in],
    ...behind(def, path),
    [`${path}{key}`, def.keyType],
    [`${path}{}`, def.valueType],
  ];
  return [{ path, schema }, ...inner.flatMap(([at, each]) => (each ? nodesOf(each, at) : []))];
}

function behind({ in: first, out }: Def, path: string): [string, z.ZodType | undefined][] {
  if (first?._zod.def.type !== "transform") return [];
  const { type, element } = (out?._zod.def ?? {}) as Partial<Def>;
  return type === "array" ? [[`${path}[]`, element]] : [[path, out]];
}
