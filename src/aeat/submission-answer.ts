import type { InvoiceKey } from "../domain/verifactu/record.ts";
import type { AnswerLine, DuplicateOf, SubmissionAnswer } from "../domain/verifactu/submission/answer.ts";
import type { Operation } from "../domain/verifactu/submission/state.ts";
import { SF_NAMESPACE, SFLR_NAMESPACE } from "../domain/verifactu/xml/namespaces.ts";
import {
  childrenOf,
  type Element,
  given,
  oneOf,
  onlyChild,
  optionalChild,
  optionalText,
  requiredText,
  Unexpected,
  wholeNumber,
} from "./answer-parts.ts";

const SFR = SFLR_NAMESPACE.replace("SuministroLR.xsd", "RespuestaSuministro.xsd");
const SF = SF_NAMESPACE;

export const ANSWER = { namespace: SFR, name: "RespuestaRegFactuSistemaFacturacion" };

const MESSAGE_STATES = {
  Correcto: "accepted",
  ParcialmenteCorrecto: "partly_accepted",
  Incorrecto: "rejected",
} as const;

const RECORD_STATES = {
  Correcto: "accepted",
  AceptadoConErrores: "accepted_with_errors",
  Incorrecto: "rejected",
} as const;

/** A list of its own, and feminine. */
const DUPLICATE_STATES = {
  Correcta: "accepted",
  AceptadaConErrores: "accepted_with_errors",
  Anulada: "annulled",
} as const;

const KINDS = { Alta: "ALTA", Anulacion: "ANULACION" } as const;
const REJECTIONS = { N: "N", S: "S", X: "X" } as const;
const FLAGS = { S: true, N: false } as const;

const MOST_LINES = 1_000;

/**
 * Members that we read must exist and be in their list. Others are ignored, so that additions by the AEAT
 * break nothing. Throws Unexpected.
 */
export function readSubmissionAnswer(answer: Element): SubmissionAnswer {
  const presentation = optionalChild(answer, SFR, "DatosPresentacion");
  const wait = optionalText(answer, SFR, "TiempoEsperaEnvio");
  const lines = childrenOf(answer, SFR, "RespuestaLinea");
  if (lines.length > MOST_LINES) throw new Unexpected("RespuestaLinea");
  return {
    ...given("csv", optionalText(answer, SFR, "CSV")),
    ...given("presentedAt", presentation && optionalText(presentation, SF, "TimestampPresentacion")),
    ...given("waitSeconds", wait === undefined ? undefined : wholeNumber(wait)),
    state: oneOf(MESSAGE_STATES, requiredText(answer, SFR, "EstadoEnvio")),
    lines: lines.map(readLine),
  };
}

function readLine(line: Element): AnswerLine {
  const state = oneOf(RECORD_STATES, requiredText(line, SFR, "EstadoRegistro"));
  const code = optionalText(line, SFR, "CodigoErrorRegistro");
  const duplicate = optionalChild(line, SFR, "RegistroDuplicado");
  return {
    ...given("reference", optionalText(line, SFR, "RefExterna")),
    key: readKey(onlyChild(line, SFR, "IDFactura")),
    operation: readOperation(onlyChild(line, SFR, "Operacion")),
    state,
    ...given("code", code === undefined ? undefined : wholeNumber(code)),
    ...given("text", optionalText(line, SFR, "DescripcionErrorRegistro")),
    ...given("duplicate", duplicate && readDuplicate(duplicate)),
  };
}

export function readKey(key: Element): InvoiceKey {
  return {
    issuerNif: requiredText(key, SF, "IDEmisorFactura"),
    number: requiredText(key, SF, "NumSerieFactura"),
    date: requiredText(key, SF, "FechaExpedicionFactura"),
  };
}

function readOperation(operation: Element): Operation {
  const flag = (name: string) => oneOf(FLAGS, optionalText(operation, SF, name) ?? "N");
  return {
    kind: oneOf(KINDS, requiredText(operation, SF, "TipoOperacion")),
    amends: flag("Subsanacion"),
    previousRejection: oneOf(REJECTIONS, optionalText(operation, SF, "RechazoPrevio") ?? "N"),
    withoutPreviousRecord: flag("SinRegistroPrevio"),
  };
}

function readDuplicate(duplicate: Element): DuplicateOf {
  const code = optionalText(duplicate, SF, "CodigoErrorRegistro");
  return {
    petition: requiredText(duplicate, SF, "IdPeticionRegistroDuplicado"),
    state: oneOf(DUPLICATE_STATES, requiredText(duplicate, SF, "EstadoRegistroDuplicado")),
    ...given("code", code === undefined ? undefined : wholeNumber(code)),
    ...given("text", optionalText(duplicate, SF, "DescripcionErrorRegistro")),
  };
}
