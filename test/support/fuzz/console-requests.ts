import { z } from "zod";
import { CONSOLE_ROUTES, requestWith } from "../isolation/console-routes.ts";
import type { ConsoleIds } from "../isolation/tenant.ts";
import type { Browser } from "../worlds/console.ts";
import { brokenBytes, utf8 } from "./broken-bytes.ts";
import { brokenTree, validTree, variedTree } from "./broken-tree.ts";
import { BROKEN_TEXTS, type Draw, PLAIN_TEXTS, PROTOTYPE_NAMES } from "./draw.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Validity } from "./requests.ts";
import { textOf, treeOf } from "./tree.ts";

/** Requests to the owner's API, made of its contracts: as they want them, nearly so, and not at all. */

interface ConsoleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly validity: Validity;
  readonly fault: string;
}

/** The first and last possible days, months alike, and places of lists that were never given out. */
const EDGES = [
  ...["1900-01-01", "2999-12-31", "1899-12-31", "3000-01-01", "2026-02-30", "1900-01", "2999-12", "2026-13"],
  ...["2026-11\r\nX: y", " 2026-11 ", "9007199254740993", "-1", "1e9", "0x10", "NaN"],
  ...["newer.999999999999999.999999999999999", "older.0.0", "1.1", "999999999999999.999999999999999"],
  ...[
    ["after", { place: "2026-11-28 1", first: Number.MAX_SAFE_INTEGER }],
    ["before", { place: "\u0000", first: 0 }],
    ["after", { orderedAt: -Number.MAX_SAFE_INTEGER, connectionId: "\uD800", idExternal: "" }],
    ["before", { orderedAt: 0, connectionId: "cn", idExternal: "%" }],
    ["after", { dueDate: "x", connectionId: "", idExternal: "\u0000" }],
    ["before", { startedAt: Number.MAX_SAFE_INTEGER, row: -1 }],
    ["after"],
    null,
  ].map(asCursor),
] as const;

const WITHOUT_BODY = new Set(["GET", "DELETE"]);

export function consoleRequestFor(
  route: string,
  ids: ConsoleIds,
  within: Pick<ConsoleIds, "account" | "connection">,
  draw: Draw,
): ConsoleRequest {
  const named = draw.chance(0.2)
    ? { ...ids, [draw.any(Object.keys(ids)) ?? "order"]: hostileText(draw) }
    : ids;
  const { method, path, body: first } = requestWith(route, named, within);
  const { body: [contract, ...samples] = [], query } = CONSOLE_ROUTES[route] ?? {};
  const asked = query || draw.chance(0.1) ? withQuery(path, draw) : path;
  // An id or a query of no sense is all that is wrong then.
  const validity = named === ids && asked === path ? "valid" : "nearly";
  const fault = validity === "valid" ? "" : "address";
  if (WITHOUT_BODY.has(method)) return { method, path: asked, headers: {}, validity, fault };
  const schema = contract ? schemaOf(contract) : {};
  const body = samples.length > 1 ? draw.any(samples)?.(named) : first;
  const right = body && draw.chance(0.7) ? treeOf(body) : validTree(schema, draw);
  const headers = { "Content-Type": "application/json" };
  if (draw.chance(0.3)) {
    const tree = variedTree(right, schema, draw);
    return { method, path: asked, headers, bytes: utf8(textOf(tree)), validity, fault: "varied" };
  }
  if (draw.chance(0.65)) {
    const { tree, fault } = brokenTree(right, schema, draw);
    return { method, path: asked, headers, bytes: utf8(textOf(tree)), validity: "nearly", fault };
  }
  return { method, path: asked, ...brokenBytes(textOf(right), draw), validity: "invalid" };
}

/** Schemas are worked out once. */
const schemas = new Map<z.ZodType, JsonSchema>();

function schemaOf(contract: z.ZodType): JsonSchema {
  const known = schemas.get(contract);
  if (known) return known;
  // The library's type is wider than what it makes of our contracts.
  const made = z.toJSONSchema(contract, { io: "input", unrepresentable: "any" }) as JsonSchema;
  schemas.set(contract, made);
  return made;
}

/** Mostly the members of the query itself: any other is refused for that alone. */
function withQuery(path: string, draw: Draw): string {
  const [address = "", sent = ""] = path.split("?");
  const query = new URLSearchParams(sent);
  if (draw.chance(0.25)) return path;
  const own = [...query.keys()];
  const others = ["cursor", "month", "from", "to", "state", "search", "about", "reason", ...PROTOTYPE_NAMES];
  const name = draw.any(draw.chance(0.6) ? own : others) ?? "cursor";
  if (draw.chance(0.1)) query.append(name, hostileText(draw));
  else query.set(name, hostileText(draw));
  const text = query.toString();
  return `${address}?${draw.chance(0.03) ? `${text}&%&=&a=%FF` : text}`;
}

function hostileText(draw: Draw): string {
  const long = "x".repeat(draw.pick([201, 1_001, 5_000]));
  const text = draw.pick([
    draw.any(EDGES) ?? "",
    draw.any(EDGES) ?? "",
    draw.pick(BROKEN_TEXTS),
    draw.pick(PLAIN_TEXTS),
    long,
  ]);
  return text.toWellFormed();
}

/** As the lists themselves write places. */
function asCursor(place: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(place));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The version of each form of the console, as its owner reads it. */

interface Form {
  readonly path: (account: string, connection: string) => string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the product, in which one member is looked for
  readonly version: (data: any, ids: ConsoleIds) => string | undefined;
}

interface Versioned {
  readonly id: string;
  readonly version: string;
}

const ofOne = (all: readonly Versioned[], asked: string) => all.find(({ id }) => id === asked)?.version;
const ofConnection = (name: string): Form => ({
  path: (_, connection) => connection,
  version: ({ versions }) => versions[name],
});
const ofSetup = (name: string): Form => ({
  path: (_, connection) => `${connection}/setup`,
  version: ({ versions }) => versions[name],
});

const FORMS: Readonly<Record<string, Form>> = {
  "/company": { path: (account) => `${account}/company`, version: ({ version }) => version },
  "/name": ofConnection("name"),
  "/consent/cutoff": ofConnection("cutoff"),
  "/callback": ofConnection("callback"),
  "/stores": ofSetup("stores"),
  "/stem": ofSetup("stem"),
  "/sales": {
    path: (_, connection) => `${connection}/profiles`,
    version: ({ orders }) => orders?.version,
  },
  "/profiles/:profile": {
    path: (_, connection) => `${connection}/profiles`,
    version: ({ profiles }, { profile }) => ofOne(profiles, profile),
  },
  "/webhooks/:webhook": {
    path: (_, connection) => `${connection}/webhooks`,
    version: ({ webhooks }, { webhook }) => ofOne(webhooks, webhook),
  },
};

/** Undefined where the route takes none, or its subject is gone. */
export async function versionOf(route: string, owner: Browser, ids: ConsoleIds): Promise<string | undefined> {
  const form = FORMS[route.replace(/^PUT \/api\/accounts\/:account(\/connections\/:connection)?/, "")];
  if (!form) return undefined;
  const account = `/api/accounts/${ids.account}`;
  const { body } = await owner.get(form.path(account, `${account}/connections/${ids.connection}`));
  return body.data ? form.version(body.data, ids) : undefined;
}
