/** A Facturae as tests read it, and the errors of its XSD. */
import { XmlDocument } from "libxml2-wasm";
import { schemaErrors } from "./schemas.ts";

/** Empty if the file is valid. */
export function facturaeErrors(xml: string): string[] {
  return schemaErrors(xml);
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
