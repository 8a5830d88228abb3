import { registerHooks } from "node:module";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { RulesetDefinition } from "@stoplight/spectral-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import ts from "typescript-js";
import { beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { openApiDocument } from "../../../src/api/openapi/document.ts";
import { SOFTWARE } from "../../support/worlds/http-edge.ts";

/** The callers' tools with the OpenAPI document: linters find no errors, generated types compile. */

const DOCUMENT: object = JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, SOFTWARE)));

/** The linters look at every example: on a busy machine that takes its time. */
const LONG_MS = 300_000;

/**
 * A request for a page cannot be wrong, so these have no 4xx answer. Errors outside all operations are
 * examples that no operation refers to.
 */
const KNOWN = ["operation-4xx-response", "no-unused-components", "oas3-unused-component"];

test("redocly's recommended rules find no error, and nothing else that is not known", {
  timeout: LONG_MS,
}, async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = JSON.stringify(DOCUMENT);
  const found = await lintFromString({ source, absoluteRef: "/openapi.json", config });
  const told = found.map(({ severity, ruleId, message, location: [at] }) => ({
    severity,
    ruleId,
    text: `${ruleId} ${message} ${at?.pointer}`,
  }));
  expect(told.filter(({ severity }) => severity === "error").map(({ text }) => text)).toEqual([]);
  expect(told.filter(({ ruleId }) => !KNOWN.includes(ruleId)).map(({ text }) => text)).toEqual([]);
});

test("spectral's oas rules find no error, and nothing else that is not known", {
  timeout: LONG_MS,
}, async () => {
  const linter = new spectral.Spectral();
  // Two versions of its types describe one ruleset.
  const oas = rulesets.oas as unknown as RulesetDefinition;
  linter.setRuleset({ extends: [[oas, "recommended"]] });
  const found = await linter.run(JSON.stringify(DOCUMENT));
  const told = found.map(({ code, message, path }) => `${code} ${message} ${path.join("/")}`);
  expect(found.filter(({ severity }) => severity === 0)).toEqual([]);
  expect(told.filter((_, index) => !KNOWN.includes(String(found[index]?.code)))).toEqual([]);
});

describe("the types that openapi-typescript makes", () => {
  let compiler: Compiler;

  beforeAll(async () => {
    compiler = compilerOf(await typesOf(DOCUMENT));
  }, LONG_MS);

  const errorsOf = (code: string) =>
    compiler.errorsOf(`import type { components, operations, paths } from "./types";
type Schemas = components["schemas"];
export type All = [Schemas, operations, paths];
${code}
`);

  test("compile under strict and exactOptionalPropertyTypes", () => {
    expect(compiler.errors()).toEqual([]);
  });

  test("accept a connector's orders, with words that no list has", () => {
    const order = `export const order: Schemas["OrderRequest"] = {
  id_external: 5001, order_date: "", paid_at: "2026-11-27T10:30:00Z", total: 12.1, total_tax: "", currency: "EUR",
  fiscal_event: "invoice_candidate" satisfies Schemas["FiscalEvent"], invoice_action: "of_tomorrow",
  client: [], delivery: null, tags: ["x"], breakdown: [{ base_amount: 10, tax_rate: 21, tax_amount: 2.1, line_kind: "fee" }],
};`;
    expect(errorsOf(order)).toEqual([]);
  });

  test.each([
    ["FiscalEvent", "invoice_candidat"],
    ["InvoiceAction", "create_invoce"],
    ["EventType", "refnud"],
    ["LineKind", "giftvoucher"],
    ["AmountKind", "giftcard"],
  ])("refuse a misspelt %s", (list, misspelt) => {
    expect(errorsOf(`export const word: Schemas["${list}"] = "${misspelt}";`).length).toBe(1);
  });

  test("refuse a member of an invoice that does not exist, and one of a wrong type", () => {
    const invoice = (members: string) => `export const invoice: Schemas["InvoiceRequest"] = {
  external_id: "a", invoice_type: "F2", description: "x", currency: "EUR",
  lines: [{ description: "x", quantity: 1, price_unit: 1, tax_rate: 21 }], ${members} };`;
    expect(errorsOf(invoice(""))).toEqual([]);
    expect(errorsOf(invoice("recipent: {}")).length).toBe(1);
    expect(errorsOf(invoice('invoice_type: "F4"')).length).toBeGreaterThan(0);
  });

  test("know the facts of a reason by its code", () => {
    const read = `export function remaining(reason: Schemas["Reason"]): number | undefined {
  return reason.code === "over_refund" ? reason.facts.remaining.amount : undefined;
}`;
    expect(errorsOf(read)).toEqual([]);
    expect(errorsOf(read.replace('"over_refund"', '"over_refnud"')).length).toBeGreaterThan(0);
    expect(errorsOf(read.replace('"over_refund"', '"tag_hold"')).length).toBeGreaterThan(0);
    expect(errorsOf(read.replace("remaining.amount", "remaining")).length).toBe(1);
  });

  test("distinguish a replay from a preview by replayed", () => {
    const read = `type Answer = operations["issueInvoice"]["responses"][200]["content"]["application/json"];
export function numberOf(answer: Answer): number | undefined {
  return answer.replayed ? answer.data.number : undefined;
}`;
    expect(errorsOf(read)).toEqual([]);
    expect(errorsOf(read.replace("answer.replayed ?", "!answer.replayed ?")).length).toBe(1);
  });
});

/** TypeScript types as openapi-typescript makes them of a document, and what the compiler says of code that uses them. */

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
async function typesOf(document: object): Promise<string> {
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

interface Compiler {
  /** Errors of the types themselves. */
  errors(): string[];
  /** Errors of a client's code that imports them from "./types". */
  errorsOf(client: string): string[];
}

/** Libraries and types are read once, however many clients are compiled. */
function compilerOf(types: string): Compiler {
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
