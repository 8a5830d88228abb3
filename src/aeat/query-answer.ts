import type { FoundRecord } from "../domain/verifactu/submission/comparison.ts";
import type { TransportOutcome } from "../domain/verifactu/submission/transport.ts";
import { SFLR_NAMESPACE } from "../domain/verifactu/xml/namespaces.ts";
import {
  childrenOf,
  type Element,
  given,
  oneOf,
  onlyChild,
  optionalText,
  requiredText,
  Unexpected,
} from "./answer-parts.ts";
import { contentOfBody, isXml } from "./read-answer.ts";
import { readKey } from "./submission-answer.ts";
import { readXml } from "./xml-tree.ts";

const SFLRRC = SFLR_NAMESPACE.replace("SuministroLR.xsd", "RespuestaConsultaLR.xsd");
const RECORD = "RegistroRespuestaConsultaFactuSistemaFacturacion";

const RESULTS = { ConDatos: true, SinDatos: false } as const;

const STATES = {
  Correcto: "accepted",
  AceptadoConErrores: "accepted_with_errors",
  Anulado: "annulled",
} as const;

/** The records that a query found; undefined if the response is no answer to it, or a fault. */
export function readFound(outcome: TransportOutcome): readonly FoundRecord[] | undefined {
  if (outcome.outcome !== "answered" || outcome.status !== 200) return undefined;
  const xml = isXml(outcome.contentType) ? readXml(outcome.bytes) : undefined;
  if (!xml?.ok) return undefined;
  try {
    return readAnswer(contentOfBody(xml.value));
  } catch (error) {
    if (error instanceof Unexpected) return undefined;
    throw error;
  }
}

/** Strict like that of a submission: additions are ignored. Throws Unexpected. */
function readAnswer(answer: Element): readonly FoundRecord[] {
  if (answer.namespace !== SFLRRC || answer.name !== "RespuestaConsultaFactuSistemaFacturacion") {
    throw new Unexpected(answer.name);
  }
  const records = childrenOf(answer, SFLRRC, RECORD);
  const hasRecords = oneOf(RESULTS, requiredText(answer, SFLRRC, "ResultadoConsulta"));
  if (hasRecords !== records.length > 0) throw new Unexpected("ResultadoConsulta");
  return records.map(readRecord);
}

function readRecord(record: Element): FoundRecord {
  const registered = onlyChild(record, SFLRRC, "DatosRegistroFacturacion");
  const standing = onlyChild(record, SFLRRC, "EstadoRegistro");
  return {
    key: readKey(onlyChild(record, SFLRRC, "IDFactura")),
    ...given("hash", optionalText(registered, SFLRRC, "Huella")),
    state: oneOf(STATES, requiredText(standing, SFLRRC, "EstadoRegistro")),
  };
}
