/** The sources as text, for tests about the code itself. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const REPOSITORY = join(import.meta.dirname, "../..");

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

/** Comments gone, texts kept: a `//` inside a text is no comment. */
export function withoutComments(text: string): string {
  return text.replace(new RegExp(`${COMMENT}|${QUOTED}|${TEMPLATE}`, "g"), (part) =>
    part.startsWith("/") ? " " : part,
  );
}

/** What is executed: comments and texts gone, but for the expressions inside a template. */
export function codeOnly(text: string): string {
  return text.replace(new RegExp(`${COMMENT}|${QUOTED}|${TEMPLATE}`, "g"), (part) =>
    part.startsWith("`")
      ? [...part.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => ` ${inner} `).join("")
      : " ",
  );
}
