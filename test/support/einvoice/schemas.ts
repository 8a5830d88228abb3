import { readFileSync } from "node:fs";
import { XmlDocument, XmlLibError, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";
import { rulesFolder } from "./rules.ts";

const SCHEMAS = {
  Invoice: "ubl-2.1/maindoc/UBL-Invoice-2.1.xsd",
  CreditNote: "ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd",
  Facturae: "facturae-3.2.2/Facturaev3_2_2.xsd",
} as const;

const compiled = new Map<string, XsdValidator>();

/** What the schema of its root says about a UBL or a Facturae; empty if the file is valid. */
export function schemaErrors(xml: string): string[] {
  try {
    const document = XmlDocument.fromString(xml);
    try {
      schemaFor(document.root.name).validate(document);
      return [];
    } finally {
      document.dispose();
    }
  } catch (error) {
    if (error instanceof XmlLibError) return error.details.map(({ message }) => message.trim());
    throw error;
  }
}

function schemaFor(root: string): XsdValidator {
  const known = compiled.get(root);
  if (known) return known;
  const [, file] = Object.entries(SCHEMAS).find(([name]) => name === root) ?? [];
  if (file === undefined) throw new Error(`no schema for ${root}`);
  xmlRegisterFsInputProviders();
  const path = `${rulesFolder}/${file}`;
  const schema = XsdValidator.fromDoc(XmlDocument.fromString(readFileSync(path, "utf8"), { url: path }));
  compiled.set(root, schema);
  return schema;
}
