/** Which file of src may import what; the directions of `src/ARCHITECTURE.md` as a table. */
import { posix } from "node:path";
import { codeOnly, type SourceFile, withoutComments } from "./sources.ts";

interface Layer {
  /** Folders and files of src it may import; "*" for all. */
  readonly imports: readonly string[];
  /** The same, for `import type` only. */
  readonly types?: readonly string[];
  /** The same, for files that load no others. */
  readonly leaves?: readonly string[];
  /** npm packages, where they are limited. */
  readonly packages?: readonly string[];
  /** May use what only Cloudflare's runtime has. */
  readonly cloudflare?: boolean;
  /** No clock, chance, waiting or runtime. */
  readonly pure?: boolean;
}

const ADAPTER = ["usecases", "domain"];
const OBJECT_STUB = ["ledger/client.ts", "ledger/calls.ts", "ledger/owner-calls.ts"];

/** The longest prefix of a path decides. */
const LAYERS: Readonly<Record<string, Layer>> = {
  domain: { imports: [], packages: ["big.js", "canonicalize", "@noble/hashes", "jsvat"], pure: true },
  usecases: { imports: ["domain"] },
  storage: { imports: ADAPTER, types: ["env.ts"], cloudflare: true },
  // A limit of time, a limit of size.
  bounds: { imports: [] },
  aeat: { imports: [...ADAPTER, "bounds"], types: ["env.ts"] },
  rates: { imports: [...ADAPTER, "bounds"], types: ["env.ts"] },
  callbacks: { imports: [...ADAPTER, "bounds"], types: ["env.ts"] },
  mail: { imports: ADAPTER },
  certificate: { imports: [...ADAPTER, "bounds"] },
  identity: { imports: [...ADAPTER, "storage/database.ts", "storage/schema"], cloudflare: true },
  ledger: { imports: ADAPTER, types: ["env.ts"], cloudflare: true },
  // The class that the runtime makes: it wires its own Ledger.
  "ledger/connection-ledger.ts": {
    imports: [...ADAPTER, "ledger", "wiring.ts"],
    types: ["env.ts"],
    cloudflare: true,
  },
  http: { imports: [...ADAPTER, ...OBJECT_STUB, "bounds"], types: ["env.ts"], cloudflare: true },
  jobs: { imports: [...ADAPTER, ...OBJECT_STUB], types: ["env.ts"] },
  wizard: { imports: [], types: ["http", "domain", "usecases"], leaves: ["domain"], cloudflare: true },
  dev: { imports: ["*"], cloudflare: true },
  "worker.ts": { imports: ["*"], cloudflare: true },
  "wiring.ts": { imports: ["*"], cloudflare: true },
  "wiring-console.ts": { imports: ["*"], cloudflare: true },
  "wiring-submission.ts": { imports: ["*"], cloudflare: true },
  "wiring-companies.ts": { imports: ["*"], cloudflare: true },
  "env.ts": { imports: [], types: ["ledger"], cloudflare: true },
};

const CLOUDFLARE_NAMES =
  /\b(D1Database\w*|D1PreparedStatement|KVNamespace|R2Bucket|DurableObject\w*|RateLimit|ExecutionContext)\b/;

const IMPURE = [
  ...[/\bDate\.now\b/, /\bnew Date\(\s*\)/, /\bMath\.random\b/, /\bawait\b/, /\basync\b/, /\bPromise\b/],
  ...[/\bprocess\b/, /\bcrypto\./, /\bfetch\(/, /\bsetTimeout\b/],
];

/** Files of sentences, one beside its key: as long as what is said. */
const TEXTS = /^(wizard\/words\/(es|en|pages)|http\/console\/texts)\//;

const LONGEST_FILE = 500;
const LONGEST_LINE = 110;

/** Every rule that the file breaks, as a sentence; `textOf` reads what it imports. */
export function brokenRules({ path, text }: SourceFile, textOf: (path: string) => string): string[] {
  const own = path.replace(/^src\//, "");
  const layer = layerOf(own);
  if (layer === undefined) return [`${path} belongs to no layer`];
  const imported = importProblems({ own, name: layer.name, rules: layer.rules, text, textOf });
  const rules = [...imported, ...purityProblems(layer.rules, text)];
  const sizes = TEXTS.test(own) ? [] : sizeProblems(text);
  return [...rules, ...sizes].map((problem) => `${path}: ${problem}`);
}

function layerOf(own: string): { readonly name: string; readonly rules: Layer } | undefined {
  const names = Object.keys(LAYERS).filter((name) => isInside(own, name));
  const name = names.sort((a, b) => b.length - a.length)[0];
  const rules = name === undefined ? undefined : LAYERS[name];
  return name === undefined || rules === undefined ? undefined : { name, rules };
}

function isInside(own: string, place: string): boolean {
  return place === "*" || own === place || own.startsWith(`${place}/`);
}

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
  /** Loaded when it is come to, not with the file. */
  readonly onDemand: boolean;
}

const IMPORT = /\b(?:import|export)\b([^"';]*?)\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g;

function importsOf(text: string): Import[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(([whole, clause = "", from, bare]) => ({
    from: from ?? bare ?? "",
    onDemand: from === undefined && whole.includes("("),
    typeOnly: /^\s*type\b/.test(clause) || /^\s*\{(\s*type\s[^,}]+,?)+\s*\}\s*$/.test(clause),
  }));
}

/** The file, and whatever is loaded before it runs. */
export function loadedWith(entry: string, textOf: (path: string) => string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const path of loaded) {
    if (path.endsWith(".json")) continue;
    for (const { from, typeOnly, onDemand } of importsOf(textOf(path))) {
      if (from.startsWith(".") && !typeOnly && !onDemand) loaded.add(posix.join(posix.dirname(path), from));
    }
  }
  return loaded;
}

interface Importing {
  readonly own: string;
  readonly name: string;
  readonly rules: Layer;
  readonly text: string;
  readonly textOf: (path: string) => string;
}

function importProblems({ own, name, rules, text, textOf }: Importing): string[] {
  return importsOf(text).flatMap(({ from, typeOnly }) => {
    if (from.startsWith(".")) {
      const target = posix.join(posix.dirname(own), from);
      const allowed = [name, ...rules.imports, ...(typeOnly ? (rules.types ?? []) : [])];
      const isAllowed =
        allowed.some((place) => isInside(target, place)) ||
        ((rules.leaves ?? []).some((place) => isInside(target, place)) && isLeaf(textOf(`src/${target}`)));
      return isAllowed ? [] : [`imports ${typeOnly ? "type " : ""}${target}`];
    }
    if (from.startsWith("cloudflare:")) return rules.cloudflare ? [] : [`imports ${from}`];
    const known = rules.packages?.some((one) => isInside(from, one)) ?? true;
    return known ? [] : [`imports the package ${from}`];
  });
}

/** Types are gone before anything is loaded. */
function isLeaf(text: string): boolean {
  return importsOf(text).every(({ typeOnly }) => typeOnly);
}

function purityProblems(rules: Layer, text: string): string[] {
  const code = codeOnly(text);
  const forbidden = [...(rules.pure ? IMPURE : []), ...(rules.cloudflare ? [] : [CLOUDFLARE_NAMES])];
  return forbidden.flatMap((pattern) => {
    const found = pattern.exec(code);
    return found ? [`uses ${found[0]}`] : [];
  });
}

function sizeProblems(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  const tooLong = lines.flatMap((line, index) =>
    [...line].length > LONGEST_LINE ? [`line ${index + 1} is too long`] : [],
  );
  return lines.length > LONGEST_FILE ? [...tooLong, `has ${lines.length} lines`] : tooLong;
}
