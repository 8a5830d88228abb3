/** Answers of a GraphQL operation: the fields that it selects, their pages, and the points that they cost. */
import { type Doc, docsOf, isDoc } from "../documents.ts";
import type { Field, Operation, Selection, Value } from "./parse.ts";
import { SCHEMA, type TypeFields } from "./schema.ts";

export interface Problem {
  readonly message: string;
  readonly path?: readonly string[];
  readonly extensions: Doc;
}

type Args = Readonly<Record<string, unknown>>;
/** The values of the root's fields. */
export type Root = Readonly<Record<string, (args: Args) => unknown>>;

const ROOTS = { query: "QueryRoot", mutation: "Mutation" } as const;
const LIST = /^\[(.+)\]$/;
const CONNECTION = /^(.+)\*$/;
const PAGE_INFO: TypeFields = { hasNextPage: "", hasPreviousPage: "", startCursor: "", endCursor: "" };

/** Fields that the schema does not have, lists without a size, variables without a value. */
export function problemsOf(
  { kind, variables: declared, fields, name }: Operation,
  variables: Doc,
): Problem[] {
  const missing = declared
    .filter(({ name: each, type, byDefault }) => type.endsWith("!") && !byDefault && variables[each] == null)
    .map(({ name: each, type }) => ({
      message: `Variable $${each} of type ${type} was provided invalid value`,
      extensions: { value: null, code: "INVALID_VARIABLE" },
    }));
  const path = [name === undefined ? kind : `${kind} ${name}`];
  return [...missing, ...problemsIn(fields, ROOTS[kind], path)];
}

function problemsIn(selections: readonly Selection[], type: string, path: readonly string[]): Problem[] {
  return selections.flatMap((one) => {
    if (one.kind === "fragment") {
      const on = one.on || type;
      return SCHEMA[on] ? problemsIn(one.fields, on, [...path, `... on ${on}`]) : [unknownType(on, path)];
    }
    return one.name === "__typename" ? [] : problemsOfField(one, type, [...path, one.alias]);
  });
}

function unknownType(on: string, path: readonly string[]): Problem {
  return {
    message: `No such type ${on}, so it can't be a fragment condition`,
    path,
    extensions: { code: "undefinedType" },
  };
}

function problemsOfField(field: Field, type: string, path: readonly string[]): Problem[] {
  const of = SCHEMA[type]?.[field.name];
  if (of === undefined) {
    const message = `Field '${field.name}' doesn't exist on type '${type}'`;
    return [{ message, path, extensions: { code: "undefinedField", typeName: type, fieldName: field.name } }];
  }
  const [, inner] = LIST.exec(of) ?? CONNECTION.exec(of) ?? [];
  if (of !== "" && field.fields.length === 0) {
    const message = `Field must have selections (field '${field.name}' returns ${inner ?? of})`;
    return [{ message, path, extensions: { code: "selectionMismatch", nodeName: field.name } }];
  }
  if (!CONNECTION.test(of)) return of === "" ? [] : problemsIn(field.fields, inner ?? of, path);
  if (!("first" in field.args) && !("last" in field.args)) {
    const message = `you must provide one of first or last (field '${field.name}')`;
    return [{ message, path, extensions: { code: "BAD_REQUEST" } }];
  }
  return field.fields.flatMap((one) => {
    if (one.kind === "fragment") return [];
    const below = [...path, one.alias];
    if (one.name === "nodes") return problemsIn(one.fields, inner ?? "", below);
    if (one.name === "pageInfo") return unknownIn(one.fields, PAGE_INFO, "PageInfo", below);
    if (one.name !== "edges") return unknownIn([one], {}, `${inner}Connection`, path);
    return one.fields.flatMap((edge) =>
      edge.kind === "field" && edge.name === "node"
        ? problemsIn(edge.fields, inner ?? "", [...below, "node"])
        : unknownIn([edge], { cursor: "" }, `${inner}Edge`, below),
    );
  });
}

function unknownIn(
  fields: readonly Selection[],
  known: TypeFields,
  typeName: string,
  path: readonly string[],
): Problem[] {
  return fields.flatMap((one) => {
    if (one.kind === "fragment" || one.name in known || one.name === "__typename") return [];
    const message = `Field '${one.name}' doesn't exist on type '${typeName}'`;
    const extensions = { code: "undefinedField", typeName, fieldName: one.name };
    return [{ message, path: [...path, one.alias], extensions }];
  });
}

/** An object costs 1, a list of a given size as many as it has, a connection 2 more; leaves are free. */
export function costOf({ kind, fields, variables: declared }: Operation, variables: Doc): number {
  const given = withDefaults(declared, variables);
  return kind === "mutation" ? 10 * fields.length : costIn(fields, ROOTS[kind], given);
}

function costIn(selections: readonly Selection[], type: string, variables: Doc): number {
  return selections.reduce((sum, one) => {
    if (one.kind === "fragment") return sum + costIn(one.fields, one.on || type, variables);
    const of = SCHEMA[type]?.[one.name] ?? "";
    const [, inner] = LIST.exec(of) ?? CONNECTION.exec(of) ?? [];
    if (of === "") return sum;
    const { first, last } = argsOf(one, variables);
    const count = Number(first ?? last ?? 1);
    if (!CONNECTION.test(of)) return sum + count * (1 + costIn(one.fields, inner ?? of, variables));
    const nodes = one.fields.flatMap((below) => {
      if (below.kind === "fragment") return [];
      if (below.name === "nodes") return below.fields;
      const edges = below.name === "edges" ? below.fields : [];
      return edges.flatMap((edge) => (edge.kind === "field" && edge.name === "node" ? edge.fields : []));
    });
    return sum + 2 + count * (1 + costIn(nodes, inner ?? "", variables));
  }, 0);
}

export function execute(operation: Operation, variables: Doc, root: Root): Doc {
  const { kind, fields, variables: declared } = operation;
  const given = withDefaults(declared, variables);
  const values = fields.flatMap((one) =>
    one.kind === "field" ? [[one.name, root[one.name]?.(argsOf(one, given))] as const] : [],
  );
  return { ...Object(selected(fields, ROOTS[kind], Object.fromEntries(values), given)) };
}

function withDefaults(declared: Operation["variables"], variables: Doc): Doc {
  const byDefault = declared.flatMap(({ name, byDefault: value }) =>
    value ? [[name, resolved(value, {})] as const] : [],
  );
  return { ...Object.fromEntries(byDefault), ...variables };
}

function argsOf({ args }: Field, variables: Doc): Args {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolved(value, variables)]));
}

function resolved(value: Value, variables: Doc): unknown {
  if ("variable" in value) return variables[value.variable];
  if ("list" in value) return value.list.map((entry) => resolved(entry, variables));
  if (!("object" in value)) return value.literal;
  const members = Object.entries(value.object).map(([name, entry]) => [name, resolved(entry, variables)]);
  return Object.fromEntries(members);
}

function selected(fields: readonly Selection[], type: string, value: unknown, variables: Doc): unknown {
  if (!isDoc(value)) return null;
  const answer: Record<string, unknown> = {};
  for (const one of fields) {
    if (one.kind === "fragment") {
      const isOf = one.on === "" || one.on === type || one.on === value.__typename;
      if (isOf) Object.assign(answer, selected(one.fields, one.on || type, value, variables));
    } else if (one.name === "__typename") answer[one.alias] = value.__typename ?? type;
    else answer[one.alias] = fieldOf(one, SCHEMA[type]?.[one.name] ?? "", value[one.name], variables);
  }
  return answer;
}

function fieldOf(field: Field, type: string, value: unknown, variables: Doc): unknown {
  if (type === "") return value ?? null;
  const [, inner] = LIST.exec(type) ?? CONNECTION.exec(type) ?? [];
  if (inner === undefined) return selected(field.fields, type, value, variables);
  const args = argsOf(field, variables);
  if (LIST.test(type)) {
    const some = docsOf(value).slice(0, Number(args.first ?? Infinity));
    return some.map((entry) => selected(field.fields, inner, entry, variables));
  }
  return connectionOf(field, inner, { all: docsOf(value), args, variables });
}

interface Paging {
  readonly all: readonly Doc[];
  readonly args: Args;
  readonly variables: Doc;
}

/** Cursors say the place in the list. */
function connectionOf(field: Field, type: string, { all, args, variables }: Paging): Doc {
  const from = args.after == null ? 0 : 1 + placeOf(String(args.after));
  const size = Number(args.first ?? args.last ?? 0);
  const some = all.slice(from, from + size);
  const cursors = some.map((_, index) => btoa(`place:${from + index}`));
  const answer: Record<string, unknown> = {};
  for (const one of field.fields) {
    if (one.kind === "fragment") continue;
    if (one.name === "nodes")
      answer[one.alias] = some.map((entry) => selected(one.fields, type, entry, variables));
    else if (one.name === "pageInfo") {
      const info: Doc = {
        hasNextPage: from + size < all.length,
        hasPreviousPage: from > 0,
        startCursor: cursors[0] ?? null,
        endCursor: cursors.at(-1) ?? null,
      };
      answer[one.alias] = Object.fromEntries(
        one.fields.flatMap((each) => (each.kind === "field" ? [[each.alias, info[each.name]]] : [])),
      );
    } else {
      answer[one.alias] = some.map((entry, index) => {
        const edge = one.fields.flatMap((each) => {
          if (each.kind === "fragment") return [];
          const node = each.name === "node" ? selected(each.fields, type, entry, variables) : cursors[index];
          return [[each.alias, node]];
        });
        return Object.fromEntries(edge);
      });
    }
  }
  return answer;
}

function placeOf(cursor: string): number {
  try {
    return Number(/^place:(\d+)$/.exec(atob(cursor))?.[1] ?? -1);
  } catch {
    return -1;
  }
}
