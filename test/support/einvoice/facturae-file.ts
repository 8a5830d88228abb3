/** A Facturae as tests read it, and the errors of its XSD. */
import { readFileSync } from "node:fs";
import { XmlDocument, XmlLibError, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";
import { rulesFolder } from "./rules.ts";

let compiled: XsdValidator | undefined;

/** Empty if the file is valid. */
export function facturaeErrors(xml: string): string[] {
  compiled ??= compile();
  try {
    const document = XmlDocument.fromString(xml);
    try {
      compiled.validate(document);
      return [];
    } finally {
      document.dispose();
    }
  } catch (error) {
    if (error instanceof XmlLibError) return error.details.map(({ message }) => message.trim());
    throw error;
  }
}

function compile(): XsdValidator {
  xmlRegisterFsInputProviders();
  const path = `${rulesFolder}/facturae-3.2.2/Facturaev3_2_2.xsd`;
  return XsdValidator.fromDoc(XmlDocument.fromString(readFileSync(path, "utf8"), { url: path }));
}

/** The texts of the elements at a path of names, below any element of the first name. */
export function textsAt(xml: string, path: string): string[] {
  const document = XmlDocument.fromString(xml);
  try {
    return document.find(`//${path}`).map(({ content }) => content);
  } finally {
    document.dispose();
  }
}
