/** The rules for every answer: a status, a form and headers that the document names. */
import type { Answer, Contract, Operation } from "./contract.ts";
import { asRead, isBeyondSchema, validatorBy } from "./json-schema.ts";
import type { FuzzRequest } from "./requests.ts";

export interface ToldAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** With every answer, under any document. */
const OF_EVERY_ANSWER = new Set([
  "cache-control",
  "content-length",
  "content-security-policy",
  "content-type",
  "cross-origin-resource-policy",
  "referrer-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-frame-options",
]);

const LARGEST_BYTES = 1_048_576;
const DEEPEST = 32;

export type Judge = ReturnType<typeof judgeBy>;

export function judgeBy({ schemas }: Contract) {
  const faultsOf = validatorBy(schemas);

  /** The problems of an answer. */
  function problemsOf(request: FuzzRequest, answer: ToldAnswer): string[] {
    if (answer.status >= 500) return [`${answer.status} ${answer.text}`];
    if (request.target === "elsewhere") return ofNothing(answer);
    if (request.target === "viewer") return ofViewer(answer);
    return [...ofOperation(request.target, answer), ...ofBoth(request, request.target, answer)];
  }

  function ofOperation(operation: Operation, answer: ToldAnswer): string[] {
    const documented = operation.answers[String(answer.status)];
    if (!documented) return [`${answer.status} is not in the document: ${answer.text}`];
    return [...ofHeaders(answer, documented), ...ofBody(answer, documented)];
  }

  function ofBody({ headers, text }: ToldAnswer, { content }: Answer): string[] {
    const [type = ""] = (headers.get("Content-Type") ?? "").split(";");
    const schema = content[type];
    if (!schema) return [`${type} is not in the document`];
    return faultsOf(schema, type === "application/json" ? JSON.parse(text) : text);
  }

  function ofHeaders({ headers }: ToldAnswer, answer: Answer): string[] {
    const missing = Object.entries(answer.headers).flatMap(([name, { required, schema }]) => {
      const value = headers.get(name);
      if (value === null) return required ? [`no ${name}`] : [];
      return faultsOf(schema, schema.type === "integer" ? Number(value) : value).map(
        (one) => `${name}: ${one}`,
      );
    });
    const documented = new Set(Object.keys(answer.headers).map((name) => name.toLowerCase()));
    const unknown = [...headers.keys()].filter((name) => !OF_EVERY_ANSWER.has(name) && !documented.has(name));
    return [...missing, ...unknown.map((name) => `${name} is not in the document`)];
  }

  /** Nothing is taken that no reader of the document would send. */
  function ofBoth(request: FuzzRequest, { body }: Operation, { status, text }: ToldAnswer): string[] {
    const { bytes, headers } = request;
    if (!body || !bytes || status === 401) return [];
    const sent = readable(bytes, headers);
    if (sent === undefined) return status < 300 ? ["taken, although nobody can read it"] : [];
    if (status < 300) {
      const faults = faultsOf(body.schema, asRead(sent.value));
      return faults.map((fault) => `taken, although the document says: ${fault}`);
    }
    if (faultsOf(body.schema, sent.value).length > 0 || hasInfinity(sent.value)) return [];
    const { error_code: code, details = [] }: ErrorBody = JSON.parse(text);
    if (code === "malformed_json" && request.fault === "") return [`refused, although it is right: ${text}`];
    if (code !== "validation_failed") return [];
    const unexpected = details.filter(({ path, code }) => !isBeyondSchema(path, code));
    return unexpected.map(({ path, code }) => `refused, although the document allows it: ${path} ${code}`);
  }

  /** The same request again issues nothing and answers the same. */
  function ofReplay(first: ToldAnswer, second: ToldAnswer): string[] {
    if (second.status !== 200) return [`${second.status} when it is sent again: ${second.text}`];
    const told = numbersIn(second);
    const lost = numbersIn(first).filter((number) => !told.includes(number));
    return lost.length > 0 ? [`${lost.join(", ")} is gone when it is sent again: ${second.text}`] : [];
  }

  /** Of an undocumented method or path: the same error as everywhere. */
  function ofNothing({ status, headers, text }: ToldAnswer): string[] {
    const error = schemas.Error;
    if (status !== 404 && status !== 405) return [`${status} for what does not exist: ${text}`];
    const isAllowTold = headers.has("Allow") === (status === 405);
    const unnamed = isAllowTold ? [] : [`${status} with Allow ${headers.get("Allow")}`];
    return [...unnamed, ...(error ? faultsOf(error, JSON.parse(text)) : ["the document has no Error"])];
  }

  function ofViewer({ status, headers }: ToldAnswer): string[] {
    const type = headers.get("Content-Type") ?? "";
    const isShown = status === 200 && /^(text\/html|application\/pdf)/.test(type);
    const isGone = (status === 404 || status === 410) && type.startsWith("text/html");
    return isShown || isGone ? [] : [`${status} ${type} of the viewer`];
  }

  return { problemsOf, ofReplay };
}

/** As any reader of JSON reads it; undefined when none can, or when it is said to be something else. */
function readable(
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): { readonly value: unknown } | undefined {
  if (headers["Content-Type"] !== "application/json" || "Content-Encoding" in headers) return undefined;
  if (bytes.length > LARGEST_BYTES) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (depthOf(text) > DEEPEST) return undefined;
    // The validator cannot name the place of a member with half a pair in its name.
    return { value: JSON.parse(text.replace(/\\u[dD][89a-fA-F]../g, "\uFFFD"), asWritten) };
  } catch {
    return undefined;
  }
}

/**
 * A number that a double cannot hold is judged as the double next to it on its own side: one just below a whole
 * number as the double below, one closer to zero than any double as the smallest.
 */
function asWritten(_name: string, value: unknown, context?: { readonly source: string }): unknown {
  const source = context?.source ?? "";
  if (typeof value !== "number") return value;
  if (value === 0 && /^-?[\d.]*[1-9]/.test(source)) {
    return source.startsWith("-") ? -Number.MIN_VALUE : Number.MIN_VALUE;
  }
  const [, whole] = /^(-?\d+)\.\d+$/.exec(source) ?? [];
  if (whole === undefined) return value;
  return Number.isInteger(value) && value !== Number(whole) ? value * (1 - Number.EPSILON) : value;
}

/** Depth of brackets, also those in texts: our texts have no opening ones. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

interface Numbered {
  readonly full_number?: string | null;
}

/** The numbers of every document in an answer. */
function numbersIn({ text }: ToldAnswer): string[] {
  const { data }: { readonly data: Numbered & { readonly invoices?: readonly Numbered[] } } =
    JSON.parse(text);
  return [data, ...(data.invoices ?? [])].flatMap(({ full_number: number }) => number ?? []);
}

interface ErrorBody {
  readonly error_code: string;
  readonly details?: readonly { readonly path: string; readonly code: string }[];
}

/** A number beyond a double. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInfinity);
}
