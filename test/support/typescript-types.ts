/** TypeScript types as openapi-typescript makes them of a document, and what the compiler says of code that uses them. */
import { registerHooks } from "node:module";
import ts from "typescript-js";

// The generator is written for TypeScript 5, which lives here under another name.
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier === "typescript" && isOfGenerator(context.parentURL) ? "typescript-js" : specifier,
      context,
    ),
});

function isOfGenerator(url = ""): boolean {
  return url.includes("/node_modules/openapi-typescript/");
}

/** The source text of the types. */
export async function typesOf(document: object): Promise<string> {
  const { default: generate, astToString } = await import("openapi-typescript");
  return astToString(await generate(JSON.stringify(document)));
}

const STRICTEST: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  types: [],
};

const TYPES = "/types.ts";
const CLIENT = "/client.ts";

export interface Compiler {
  /** Of the types themselves. */
  errors(): string[];
  /** Of a client's code that imports them from "./types". */
  errorsOf(client: string): string[];
}

/** Libraries and types are read once, however many clients are compiled. */
export function compilerOf(types: string): Compiler {
  const host = ts.createCompilerHost(STRICTEST);
  const parsed = new Map([[TYPES, sourceOf(TYPES, types)]]);
  const compile = (name: string) => {
    const program = ts.createProgram([TYPES, name], STRICTEST, {
      ...host,
      fileExists: (file) => parsed.has(file) || host.fileExists(file),
      readFile: (file) => parsed.get(file)?.text ?? host.readFile(file),
      getSourceFile: (file, version) => {
        const source = parsed.get(file) ?? host.getSourceFile(file, version);
        if (source) parsed.set(file, source);
        return source;
      },
    });
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      textOf,
    );
  };
  return {
    errors: () => compile(TYPES),
    errorsOf(client) {
      parsed.set(CLIENT, sourceOf(CLIENT, client));
      return compile(CLIENT);
    },
  };
}

function sourceOf(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
}

function textOf({ file, start, messageText }: ts.Diagnostic): string {
  const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  return `${file?.fileName ?? ""}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
}
