import { pathToFileURL } from "node:url";
import { rulesFolder } from "./rules.ts";

/** The verdict of schema and rules about one file. */
export interface Verdict {
  readonly kind: string;
  readonly valid: boolean;
  readonly xsd: readonly string[];
  /** Each begins with the id of its rule. */
  readonly fatal: readonly string[];
  readonly warnings: readonly string[];
}

type Check = (xml: string, options?: { readonly peppol?: boolean }) => Verdict;

let opened: Promise<Check> | undefined;

/** XSD, EN 16931 and, if asked, Peppol, as their authors compiled them: nothing of the product is in it. */
export function openValidator(): Promise<Check> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Check> {
  if (rulesFolder === undefined) throw new Error("the rules of electronic invoices are not here");
  const module: { readonly validator: (folder: string) => Promise<Check> } = await import(
    pathToFileURL(`${rulesFolder}/validate.mjs`).href
  );
  return module.validator(process.cwd());
}

/** All faults and warnings as one list: our own files have none. */
export function findingsIn({ xsd, fatal, warnings }: Verdict): readonly string[] {
  return [...xsd, ...fatal, ...warnings];
}
