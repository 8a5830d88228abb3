import { brokenBytes, type SentBytes, utf8 } from "./broken-bytes.ts";
import { brokenTree, validTree, variedTree } from "./broken-tree.ts";
import type { Operation, Parameter } from "./contract.ts";
import { BROKEN_TEXTS, type Draw, PLAIN_TEXTS } from "./draw.ts";
import { KNOWN, SEEDS, TAKEN_BACK } from "./seeds.ts";
import { isList, type Member, Members, type Tree, textOf, treeOf } from "./tree.ts";

/** Requests made of the document: as it wants them, nearly so, and not at all. */

export type Validity = "valid" | "nearly" | "invalid";

/** The rules for the answer: of an operation, of a missing route, of a customer's page. */
type Target = Operation | "elsewhere" | "viewer";

export interface FuzzRequest {
  readonly target: Target;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly validity: Validity;
  /** The fault of the request, for a reader of a failure. */
  readonly fault: string;
}

export interface Known {
  /** An id of an earlier answer, or an unknown one. */
  id(draw: Draw): string;
  /** The id of an order without anything invoiced. */
  takenBack(draw: Draw): string;
  fresh(): string;
  /** The invoice_id of an earlier answer; undefined before the first invoice. */
  invoiceId(draw: Draw): string | undefined;
}

interface Shaped {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  readonly validity: Validity;
  readonly fault: string;
}

export function requestFor(operation: Operation, known: Known, draw: Draw): FuzzRequest {
  const body = operation.body && bodyFor(operation, known, draw);
  const validity = body?.validity ?? (draw.chance(0.6) ? "valid" : "nearly");
  const parameters = operation.parameters.filter(({ name }) => name !== "Accept-Language");
  const isAsked = (parameter: Parameter) => parameter.required || draw.chance(0.25);
  const asked = parameters.filter(isAsked).map((parameter): [Parameter, string] => {
    const isBroken = validity !== "valid" && draw.chance(body ? 0.15 : 0.7);
    return [parameter, isBroken ? brokenValue(draw) : rightValue(parameter, known, draw)];
  });
  const valuesIn = (place: Parameter["in"]) => asked.filter(([parameter]) => parameter.in === place);
  const path = valuesIn("path").reduce(
    (whole, [{ name }, value]) => whole.replace(`{${name}}`, inPath(value, draw)),
    operation.path,
  );
  const query = valuesIn("query").map(([{ name }, value]) => `${name}=${inPath(value, draw)}`);
  const headers = valuesIn("header").map(([{ name }, value]) => [name, inHeader(value)] as const);
  return {
    target: operation,
    method: operation.method,
    path: query.length > 0 ? `${path}?${query.join("&")}` : path,
    headers: { ...Object.fromEntries(headers), ...languageFor(draw), ...body?.headers },
    ...(body ? { bytes: body.bytes } : {}),
    validity,
    fault: body?.fault ?? "",
  };
}

/** Undocumented requests: other methods of existing paths, and missing paths. */
export function requestElsewhere(operation: Operation, known: Known, draw: Draw): FuzzRequest {
  const { method, path, ...asked } = requestFor(operation, known, draw);
  const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"].filter((each) => each !== method);
  const isOther = draw.chance(0.6) && !isPathOfTwo(operation);
  const paths = [
    "/nope",
    "/api",
    "/api/v2/invoice",
    "/api/v1/invoice/a/b/c/d",
    "/API/V1/ORDER",
    "/v1",
    "/.git",
  ];
  const at = isOther
    ? { method: draw.any(others) ?? "PUT", path }
    : { method, path: draw.any(paths) ?? "/nope" };
  const { bytes, ...withoutBody } = asked;
  const hasBody = at.method !== "GET" && bytes !== undefined;
  return { ...withoutBody, ...at, ...(hasBody ? { bytes } : {}), target: "elsewhere", fault: "elsewhere" };
}

/** `/order/invoice-access` is also an order of that name: asked with GET, it is an unknown one. */
function isPathOfTwo({ path }: Operation): boolean {
  return path.startsWith("/api/v1/order/");
}

export function requestOfViewer(path: string, draw: Draw): FuzzRequest {
  return {
    target: "viewer",
    method: "GET",
    path,
    headers: languageFor(draw),
    validity: "nearly",
    fault: "viewer",
  };
}

function bodyFor(operation: Operation, known: Known, draw: Draw): Shaped {
  const { schema = {}, example } = operation.body ?? {};
  const seeds = [example, ...(SEEDS[operation.path] ?? [])];
  const sensible = () => withIds(treeOf(draw.any(seeds)), known, draw);
  const right = () => (draw.chance(0.2) ? withIds(validTree(schema, draw), known, draw) : sensible());
  if (draw.chance(0.45)) return written(varied(right(), schema, draw), "valid", "");
  if (draw.chance(0.65)) {
    const { tree, fault } = brokenTree(right(), schema, draw);
    return written(tree, "nearly", fault);
  }
  const broken: SentBytes = brokenBytes(textOf(sensible()), draw);
  return { ...broken, validity: "invalid" };
}

function varied(tree: Tree, schema: Parameter["schema"], draw: Draw): Tree {
  if (draw.chance(0.4)) return tree;
  const once = variedTree(tree, schema, draw);
  return draw.chance(0.3) ? variedTree(once, schema, draw) : once;
}

function written(tree: Tree, validity: Validity, fault: string): Shaped {
  return { bytes: utf8(textOf(tree)), headers: { "Content-Type": "application/json" }, validity, fault };
}

function rightValue({ name, schema }: Parameter, known: Known, draw: Draw): string {
  if (/^(external_id|id_external)$/.test(name) && draw.chance(0.8)) return known.id(draw);
  const invoiceId = name === "invoice_id" && draw.chance(0.8) ? known.invoiceId(draw) : undefined;
  if (invoiceId !== undefined) return invoiceId;
  const value = validTree(schema, draw);
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}

function brokenValue(draw: Draw): string {
  const long = "x".repeat(draw.pick([129, 2_000, 8_000]));
  return draw.pick([
    draw.pick(BROKEN_TEXTS),
    draw.pick(PLAIN_TEXTS),
    KNOWN,
    long,
    "qr_svg,,xml,",
    "TRUE",
    "yes",
  ]);
}

/** Percent-encoded, now and then wrongly. */
function inPath(value: string, draw: Draw): string {
  if (draw.chance(0.04)) return draw.pick(["%", "%FF", "%C3", "%00", "%2F", "%2e%2e%2f", "%u0041", "a%2Fb"]);
  // Nothing at all would be another path.
  return encodeURIComponent(value.toWellFormed()) || "%20";
}

/** A header holds no other characters. */
function inHeader(value: string): string {
  return value.replace(/[^\t -~]/g, "?").trim();
}

function languageFor(draw: Draw): Readonly<Record<string, string>> {
  if (draw.chance(0.6)) return {};
  const languages = [
    "es",
    "en;q=0.1, es;q=0.9",
    "*",
    "es-ES,es",
    ";q=",
    "q=1;q=2,,,",
    "x".repeat(4_000),
    "de",
  ];
  return { "Accept-Language": draw.any(languages) ?? "es" };
}

/** Ids in bodies: new ones, so that something is issued, and known ones, so that something is found or comes back. */

const OWN_IDS = new Set(["external_id", "id_external"]);
const ASKED_IDS = new Set(["order_id", "order_ids"]);

function withIds(tree: Tree, known: Known, draw: Draw): Tree {
  if (!(tree instanceof Members)) return knownPlaced(tree, known, draw);
  return new Members(tree.entries.map((member) => withId(member, known, draw)));
}

function withId([name, sent]: Member, known: Known, draw: Draw): Member {
  const value = knownPlaced(sent, known, draw);
  // A request about a known id stays about it.
  if (OWN_IDS.has(name) && value === sent) return [name, draw.chance(0.8) ? known.fresh() : known.id(draw)];
  if (!ASKED_IDS.has(name) || !draw.chance(0.7)) return [name, value];
  return [name, isList(value) ? value.map(() => known.id(draw)) : known.id(draw)];
}

function knownPlaced(tree: Tree, known: Known, draw: Draw): Tree {
  if (tree === KNOWN) return known.id(draw);
  if (tree === TAKEN_BACK) return known.takenBack(draw);
  if (isList(tree)) return tree.map((element) => knownPlaced(element, known, draw));
  if (!(tree instanceof Members)) return tree;
  return new Members(tree.entries.map(([name, value]) => [name, knownPlaced(value, known, draw)]));
}
