import type { SealedRecord } from "../record.ts";
import { cancellationXml } from "./cancellation-xml.ts";
import { branch, type Markup, type Namespaces } from "./element.ts";
import { SF_NAMESPACE } from "./namespaces.ts";
import { registrationXml } from "./registration-xml.ts";

/** The record as a document of its own: sf:RegistroAlta or sf:RegistroAnulacion with its namespace. */
export function recordXml(record: SealedRecord): string {
  return recordElement(record, { sf: SF_NAMESPACE });
}

/** The same element without namespace declarations, for a message that declares them at its root. */
export function recordElement(record: SealedRecord, namespaces: Namespaces = {}): Markup {
  const { content } = record;
  return content.kind === "ALTA"
    ? branch("sf:RegistroAlta", registrationXml(content, record), namespaces)
    : branch("sf:RegistroAnulacion", cancellationXml(content, record), namespaces);
}
