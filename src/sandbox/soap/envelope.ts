/** From the bytes of a request to the one element in the Body of its envelope. */
import type { Refusal } from "../rules/refusal.ts";
import { structureProblem } from "../schema/structure.ts";
import { ENVELOPE } from "../schema/submission.ts";
import { QUERY, SOAP, SUBMISSION } from "../xml/names.ts";
import { readXml, type XmlProblem } from "../xml/read.ts";
import { childOf, type XmlElement } from "../xml/tree.ts";

const EMPTY_OR_ENCODING = 4138;
const NOT_UTF_8 = 4119;

/** A second XML declaration ends in an internal error of the service. */
const XML_PROBLEMS: Readonly<Record<XmlProblem, number>> = {
  malformed: 4103,
  encoding: EMPTY_OR_ENCODING,
  declaration: 102,
};

export type EnvelopeReading = { readonly message: XmlElement } | { readonly refusal: Refusal };

export function readEnvelope(contentType: string, bytes: Uint8Array): EnvelopeReading {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  if (bytes.length === 0 || !/^utf-?8$/i.test(charset)) return { refusal: { code: EMPTY_OR_ENCODING } };
  const text = decoded(bytes);
  if (text === undefined) return { refusal: { code: NOT_UTF_8 } };
  if (text.trim() === "") return { refusal: { code: EMPTY_OR_ENCODING } };
  const reading = readXml(text);
  if ("problem" in reading) return { refusal: { code: XML_PROBLEMS[reading.problem] } };
  return messageOf(reading.root);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

function messageOf(root: XmlElement): EnvelopeReading {
  const missing = (field: string): EnvelopeReading => ({ refusal: { code: 4102, field } });
  if (root.name !== "Envelope" || root.namespace !== SOAP) return missing("Envelope");
  const problem = structureProblem(root, ENVELOPE);
  if (problem !== undefined) return { refusal: problem };
  const [message, ...others] = childOf(root, "Body")?.children ?? [];
  const isKnown =
    (message?.namespace === SUBMISSION && message.name === "RegFactuSistemaFacturacion") ||
    (message?.namespace === QUERY && message.name === "ConsultaFactuSistemaFacturacion");
  if (message === undefined || !isKnown || others.length > 0) return missing("RegFactuSistemaFacturacion");
  return { message };
}
