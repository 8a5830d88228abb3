import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The sources as text, for tests about the code itself. */

export const REPOSITORY = join(import.meta.dirname, "../../..");

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export function sourceFiles(pattern: string): SourceFile[] {
  const paths = globSync(pattern, { cwd: REPOSITORY }).sort();
  return paths.map((path) => ({ path, text: readFileSync(join(REPOSITORY, path), "utf8") }));
}

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/.source;
const QUOTED = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/.source;
const TEMPLATE = /`(?:\\.|[^`\\])*`/.source;

/** Removes comments and keeps texts: a `//` inside a text is no comment. */
export function withoutComments(text: string): string {
  return text.replace(new RegExp(`${COMMENT}|${QUOTED}|${TEMPLATE}`, "g"), (part) =>
    part.startsWith("/") ? " " : part,
  );
}

/** The executed code: comments and texts removed, except the expressions inside a template. */
export function codeOnly(text: string): string {
  return text.replace(new RegExp(`${COMMENT}|${QUOTED}|${TEMPLATE}`, "g"), (part) =>
    part.startsWith("`")
      ? [...part.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => ` ${inner} `).join("")
      : " ",
  );
}

/** The variables of both Workers as their configurations write them; a test compares the common ones. */

const VARIABLE = /^([A-Z_]+) = (?:"([^"]*)"|'''([\s\S]*?)''')$/gm;

const CONFIGURATIONS = ["wrangler.toml", "src/console/wrangler.toml"];

export function variablesOf(environment: "local" | "production"): Readonly<Record<string, string>> {
  return Object.assign({}, ...CONFIGURATIONS.map((file) => variablesIn(file, environment)));
}

function variablesIn(file: string, environment: "local" | "production"): Readonly<Record<string, string>> {
  const section = environment === "local" ? "[vars]" : "[env.production.vars]";
  const [, begun = ""] = readFileSync(join(REPOSITORY, file), "utf8").split(`\n${section}\n`);
  const [own = ""] = begun.split("\n[");
  const read = [...own.matchAll(VARIABLE)].map(([, name = "", short, long]) => [name, short ?? long ?? ""]);
  return Object.fromEntries(read);
}
