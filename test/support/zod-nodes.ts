import type { z } from "zod";

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

export interface ZodNode {
  /** Where it stands, for a failure: `lines[].name`. */
  readonly path: string;
  readonly schema: z.ZodType;
}

/**
 * A schema and every schema in it that is given what was sent, outside first. What stands behind a bounded
 * text in a pipe is given only what the text lets through; so is the array behind the bound of a list.
 */
export function nodesOf(schema: z.ZodType, path = ""): ZodNode[] {
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
