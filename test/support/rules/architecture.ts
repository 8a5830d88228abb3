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
  /** May use modules of Cloudflare's runtime. */
  readonly cloudflare?: boolean;
  /** No clock, chance, waiting or runtime. */
  readonly pure?: boolean;
  /** Wires the parts together, so it imports their insides. */
  readonly wires?: boolean;
}

/** The longest prefix of a path decides. Every part may import itself. */
const LAYERS: Readonly<Record<string, Layer>> = {
  platform: { imports: ["domain"], cloudflare: true },
  domain: {
    imports: [],
    packages: ["big.js", "canonicalize", "@noble/hashes", "jsvat", "saxes"],
    pure: true,
  },
  words: { imports: ["domain"] },
  db: { imports: ["domain", "platform"], types: ["env.ts"], cloudflare: true },
  aeat: { imports: ["domain", "platform"], types: ["env.ts"] },
  shops: { imports: ["domain", "platform"] },
  work: { imports: ["domain", "db", "platform"], types: ["env.ts"] },
  ledger: { imports: ["domain", "db", "work", "platform"], types: ["env.ts"], cloudflare: true },
  // A verb is decided and written, and reaches nothing of the object.
  "ledger/verbs": { imports: ["domain", "db"] },
  // The class that the runtime makes: it wires its own Ledger.
  "ledger/core/connection-ledger.ts": {
    imports: ["domain", "db", "work", "platform", "ledger", "wiring.ts", "wiring-both.ts"],
    types: ["env.ts"],
    cloudflare: true,
  },
  viewer: { imports: ["domain", "words/words.ts", "platform"] },
  api: {
    imports: ["domain", "words/words.ts", "db", "viewer", "platform", "ledger"],
    types: ["env.ts"],
    cloudflare: true,
  },
  console: {
    imports: ["domain", "words/words.ts", "db", "viewer", "platform", "ledger", "api/wire"],
    types: ["env.ts"],
    cloudflare: true,
  },
  web: { imports: [], types: ["console", "domain"], leaves: ["domain"], cloudflare: true },
  ops: { imports: ["*"], cloudflare: true },
  dev: { imports: ["*"], cloudflare: true, wires: true },
  sandbox: { imports: [], cloudflare: true },
  "worker.ts": { imports: ["*"], cloudflare: true, wires: true },
  "wiring.ts": { imports: ["*"], cloudflare: true, wires: true },
  "console/worker.ts": { imports: ["*"], cloudflare: true, wires: true },
  "wiring-both.ts": { imports: ["*"], cloudflare: true, wires: true },
  "console/wiring.ts": { imports: ["*"], cloudflare: true, wires: true },
  "wiring-submission.ts": { imports: ["*"], cloudflare: true, wires: true },
  "env.ts": { imports: ["domain", "platform"], cloudflare: true },
};

/**
 * The files of a part that others may import; of a folder, all its files. A part that is not named has no
 * inside: each file of `platform`, `domain` and `db` is for every part above it.
 */
const FACES: Readonly<Record<string, readonly string[]>> = {
  words: ["words/words.ts"],
  aeat: ["aeat/authority.ts"],
  // The object asks shops in turns; platforms are reached by one list.
  shops: ["shops/shop-apis.ts", "shops/ask.ts"],
  work: [
    // The object runs the work that is due, sets its alarm before each batch, and verifies and exports books.
    ...["work/due-work.ts", "work/alarm-clock.ts", "work/books"],
    // The object decides what the work of a shop has fetched.
    "work/shops",
    // Operators import the file that the ECB publishes.
    ...["work/rates/ecb-file.ts", "work/rates/import-rates.ts"],
  ],
  ledger: [
    ...["ledger/rpc.ts", "ledger/client.ts", "ledger/verbs/table.ts"],
    // The console reads orders and invoices without the object, and shows them as the object does.
    ...["ledger/orders/view-order.ts", "ledger/corrections/offered-corrections.ts"],
  ],
  viewer: [
    // The endpoint that grants access mints the token of the URL; the viewer's routes serve its assets.
    ...["viewer/viewer.tsx", "viewer/viewer-token.ts", "viewer/assets.ts"],
    // The model that page and PDF draw; the console shows amounts by it.
    "viewer/presentation",
  ],
  api: ["api/app.ts", "api/wire"],
  console: ["console/app.ts"],
  web: [],
  sandbox: ["sandbox/worker.ts"],
};

/** Imports that contradict the table until their file is rebuilt. A test refuses unneeded ones. */
export const EXCEPTIONS: readonly string[] = [];

const CLOUDFLARE_NAMES =
  /\b(D1Database\w*|D1PreparedStatement|KVNamespace|R2Bucket|DurableObject\w*|RateLimit|ExecutionContext)\b/;

const IMPURE = [
  ...[/\bDate\.now\b/, /\bnew Date\(\s*\)/, /\bMath\.random\b/, /\bawait\b/, /\basync\b/, /\bPromise\b/],
  ...[/\bprocess\b/, /\bcrypto\./, /\bfetch\(/, /\bsetTimeout\b/],
];

/** Files of sentences, one next to its key: as long as their text. */
const TEXTS =
  /^(web\/words\/(es|en|pages)\/|console\/(setup|sign-in)\/texts\/|words\/(phrases|notice-mails)\.ts)/;

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
  /** Loaded on first use, not with the file. */
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

/** The file, and all files loaded before it runs. */
export function loadedWith(entry: string, textOf: (path: string) => string): ReadonlySet<string> {
  return reached(entry, textOf, ({ from, onDemand }) => !onDemand && from.startsWith("."));
}

/** The files and packages that a bundle of the entry can hold. */
export function bundledWith(entry: string, textOf: (path: string) => string): ReadonlySet<string> {
  return reached(entry, textOf, () => true);
}

function reached(
  entry: string,
  textOf: (path: string) => string,
  follows: (one: Import) => boolean,
): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const path of found) {
    if (!/^src\/.*\.tsx?$/.test(path)) continue;
    for (const one of importsOf(textOf(path))) {
      const { from, typeOnly } = one;
      if (!typeOnly && follows(one))
        found.add(from.startsWith(".") ? posix.join(posix.dirname(path), from) : from);
    }
  }
  return found;
}

/** An exception as the sentence that the checker says of it. */
export function problemOf(exception: string): string {
  const [path, target] = exception.split(" -> ");
  return `src/${path}: imports ${target}`;
}

/** Groups of files of which each reaches every other by its imports, in the order of their names. */
export function circlesOf(files: readonly SourceFile[], ties: "values" | "types too"): string[][] {
  const importedBy = new Map(files.map(({ path, text }) => [path, targetsOf(path, text, ties)]));
  const reachedFrom = (start: string): ReadonlySet<string> => {
    const reached = new Set(importedBy.get(start));
    for (const path of reached) for (const next of importedBy.get(path) ?? []) reached.add(next);
    return reached;
  };
  const reached = new Map(files.map(({ path }) => [path, reachedFrom(path)]));
  const inCircle = files.map(({ path }) => path).filter((path) => reached.get(path)?.has(path));
  const circles = inCircle.map((path) =>
    inCircle.filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)).toSorted(),
  );
  return [...new Map(circles.map((circle) => [circle.join(" "), circle])).values()];
}

function targetsOf(path: string, text: string, ties: "values" | "types too"): string[] {
  return importsOf(text)
    .filter(
      ({ from, typeOnly, onDemand }) =>
        from.startsWith(".") && !onDemand && (ties === "types too" || !typeOnly),
    )
    .map(({ from }) => posix.join(posix.dirname(path), from));
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
      const what = `imports ${typeOnly ? "type " : ""}${target}`;
      if (!isAllowed) return [what];
      const isOpen = rules.wires || isOnFace({ own, target, typeOnly }, textOf);
      return isOpen ? [] : [`${what}, which is inside its part`];
    }
    if (from.startsWith("cloudflare:")) return rules.cloudflare ? [] : [`imports ${from}`];
    const known = rules.packages?.some((one) => isInside(from, one)) ?? true;
    return known ? [] : [`imports the package ${from}`];
  });
}

interface Crossing {
  readonly own: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

/** On the face, or a type that a file of the face imports for its own signatures. */
function isOnFace({ own, target, typeOnly }: Crossing, textOf: (path: string) => string): boolean {
  const part = partOf(target);
  const face = FACES[part];
  if (face === undefined || part === partOf(own)) return true;
  if (face.some((place) => isInside(target, place))) return true;
  const files = face.filter((place) => /\.tsx?$/.test(place)).map((place) => `src/${place}`);
  const isInSignatures = (file: string) =>
    targetsOf(file, textOf(file), "types too").includes(`src/${target}`);
  return typeOnly && files.some(isInSignatures);
}

function partOf(own: string): string {
  return own.split("/")[0] ?? own;
}

/** Types are removed before anything is loaded. */
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
