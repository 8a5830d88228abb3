import { valueProblem } from "../schema/checks.ts";
import { ANNULMENT, REGISTRATION } from "../schema/messages.ts";
import { childrenOf, elementAt, textAt } from "../xml/xml.ts";
import { breakdownRefusal } from "./breakdown.ts";
import { type Circumstances, firstRefusal, type Refusal, refuseIf } from "./check.ts";
import {
  GENERATING_RECIPIENT,
  GENERATING_THIRD_PARTY,
  PRODUCER,
  partyRefusal,
  RECIPIENT,
  THIRD_PARTY,
} from "./parties.ts";
import {
  isIvaOrIgic,
  isRectification,
  namesRecipients,
  partyOf,
  type RecordIdentity,
  type Registration,
  registrationOf,
} from "./record.ts";
import { comparable, hundredths, isNif, magnitude, yearsLater } from "./written-values.ts";

/** All rules that refuse a record independent of the service's state of its invoice. */

export function recordRefusal(record: RecordIdentity, about: Circumstances): Refusal | undefined {
  const content = record.kind === "Alta" ? REGISTRATION : ANNULMENT;
  return firstRefusal(
    () => valueProblem(record.element, content),
    () => chainBlockRefusal(record),
    () => ownRefusal(record, about),
    () => producerRefusal(record, about),
  );
}

function ownRefusal(record: RecordIdentity, about: Circumstances): Refusal | undefined {
  if (record.kind === "Anulacion") return annulmentRefusal(record, about);
  return registrationRefusal(registrationOf(record), about);
}

/** Either the first of its chain, or linked to another record: not both. */
function chainBlockRefusal({ element }: RecordIdentity): Refusal | undefined {
  return elementAt(element, "Encadenamiento")?.children.length === 1 ? undefined : { code: 1180 };
}

function producerRefusal({ element }: RecordIdentity, about: Circumstances): Refusal | undefined {
  const producer = partyOf(elementAt(element, "SistemaInformatico"));
  return producer && partyRefusal(producer, PRODUCER, about, about.today);
}

/** The rules of RegistroAnulacion. */

function annulmentRefusal(record: RecordIdentity, about: Circumstances): Refusal | undefined {
  return firstRefusal(
    () => refuseIf(record.key.nif !== about.issuerNif, 1108),
    () => generatorRefusal(record, about),
  );
}

function generatorRefusal({ element, key }: RecordIdentity, about: Circumstances): Refusal | undefined {
  const by = textAt(element, "GeneradoPor");
  const generator = partyOf(elementAt(element, "Generador"));
  if (by === undefined || generator === undefined) {
    return refuseIf(by !== undefined || generator !== undefined, 1224);
  }
  const codes = by === "D" ? GENERATING_RECIPIENT : GENERATING_THIRD_PARTY;
  return firstRefusal(
    () => refuseIf(by === "E" && generator.nif === undefined, 1227),
    () => refuseIf(generator.nif === about.issuerNif, 1259),
    () => partyRefusal(generator, codes, about, comparable(key.date) ?? about.today),
  );
}

/** The operations that the service admits, by its state of the invoice: the annex of its document. */

/** EstadoRegistroDuplicado: the state of an invoice at the service. */
export type InvoiceState = "Correcta" | "AceptadaConErrores" | "Anulada";

const DUPLICATE = 3000;
const MISSING = 3002;

export function operationRefusal(
  record: RecordIdentity,
  state: InvoiceState | undefined,
): Refusal | undefined {
  const exists = state !== undefined;
  return mustBeNew(record) ? refuseIf(exists, DUPLICATE) : refuseIf(!exists, MISSING);
}

/** A first registration, an amendment of a never accepted record, an annulment without previous record. */
function mustBeNew({ kind, isAmendment, rejection, hasNoPrevious }: RecordIdentity): boolean {
  if (kind === "Anulacion") return hasNoPrevious;
  return !isAmendment || rejection === "X";
}

/** The rules of RegistroAlta, in the order of the service's document. */

/** The order begins on 28-10-2024, but the service refuses only dates before that year. */
const OLDEST_ISSUE = "2024-01-01";
const MACRODATA = hundredths("100000000.00");

function registrationRefusal(record: Registration, about: Circumstances): Refusal | undefined {
  return firstRefusal(
    () => refuseIf(record.key.nif !== about.issuerNif, 1108),
    () => issueDateRefusal(record, about.today),
    () => refuseIf(record.rejection === "X" && !record.isAmendment, 1153),
    () => refuseIf(record.rejection === "S" && !record.isAmendment, 1161),
    () => referencesRefusal(record, about),
    () => operationDateRefusal(record, about.today),
    () => flagsRefusal(record),
    () => thirdPartyRefusal(record, about),
    () => recipientsRefusal(record, about),
    () => refuseIf(textAt(record.element, "Cupon") === "S" && !["R1", "R5"].includes(record.type), 1157),
    () => breakdownRefusal(record, about.today),
    () => agreementRefusal(record, about),
  );
}

function issueDateRefusal({ issued }: Registration, today: string): Refusal | undefined {
  return firstRefusal(
    () => refuseIf(issued > today, 1112),
    () => refuseIf(issued < yearsLater(today, -20), 1133),
    () => refuseIf(issued < OLDEST_ISSUE, 1152),
  );
}

/**
 * A future operation is also later than its issue: the more specific code wins. The document limits it to IVA
 * and IGIC, the texts of the codes do not: the stricter reading is used.
 */
function operationDateRefusal(
  { issued, operation, lines }: Registration,
  today: string,
): Refusal | undefined {
  if (operation === undefined) return undefined;
  const isPending = lines.every((line) => isIvaOrIgic(line) && /^1[45]$/.test(line.regime ?? ""));
  return firstRefusal(
    () => refuseIf(operation < yearsLater(today, -20), 1134),
    () => refuseIf(operation.slice(0, 4) > yearsLater(today, 1).slice(0, 4), 1125),
    () => refuseIf(operation > today && !isPending, 1173),
    () => refuseIf(operation > issued && !isPending, 1146),
  );
}

function referencesRefusal(record: Registration, about: Circumstances): Refusal | undefined {
  const { element, type, method } = record;
  const rectified = elementAt(element, "FacturasRectificadas");
  const replaced = elementAt(element, "FacturasSustituidas");
  const hasAmounts = elementAt(element, "ImporteRectificacion") !== undefined;
  const issuers = [
    ...childrenOf(rectified, "IDFacturaRectificada"),
    ...childrenOf(replaced, "IDFacturaSustituida"),
  ].map((reference) => textAt(reference, "IDEmisorFactura") ?? "");
  const isKnown = (nif: string) => isNif(nif) && !about.lists.notInCensus.has(nif);
  return firstRefusal(
    () => refuseIf(isRectification(type) && method === undefined, 1114),
    () => refuseIf(!isRectification(type) && method !== undefined, 1115),
    () => refuseIf(!isRectification(type) && rectified !== undefined, 1117),
    () => refuseIf(type !== "F3" && replaced !== undefined, 1116),
    () => refuseIf(!issuers.every(isKnown), 1154),
    () => refuseIf(method === "S" && !hasAmounts, 1118),
    () => refuseIf(method !== "S" && hasAmounts, 1119),
  );
}

function flagsRefusal({ element, type, total }: Registration): Refusal | undefined {
  const isYes = (name: string) => textAt(element, name) === "S";
  const isMacrodata = magnitude(total) >= MACRODATA;
  return firstRefusal(
    () => refuseIf(isYes("FacturaSimplificadaArt7273") && !namesRecipients(type), 1183),
    () => refuseIf(isYes("FacturaSinIdentifDestinatarioArt61d") && namesRecipients(type), 1185),
    () => refuseIf(isYes("Macrodato") && !isMacrodata, 1138),
    () => refuseIf(isMacrodata && !isYes("Macrodato"), 1139),
  );
}

function thirdPartyRefusal(record: Registration, about: Circumstances): Refusal | undefined {
  const { element, recipients, rateDay } = record;
  const by = textAt(element, "EmitidaPorTerceroODestinatario");
  const third = partyOf(elementAt(element, "Tercero"));
  if (third === undefined) {
    return firstRefusal(
      () => refuseIf(by === "T", 1186),
      () => refuseIf(by === "D" && recipients.length === 0, 1158),
    );
  }
  return firstRefusal(
    () => refuseIf(by === undefined, 1155),
    () => refuseIf(by === "D", 1159),
    () => refuseIf(third.nif === about.issuerNif, 1188),
    () => partyRefusal(third, THIRD_PARTY, about, rateDay),
  );
}

/** F2 and R5 have no recipient at all; one with a NIF-IVA has the closer code. */
function recipientsRefusal(record: Registration, about: Circumstances): Refusal | undefined {
  const { type, recipients, rateDay } = record;
  const hasNifIva = recipients.some(({ other }) => other?.type === "02");
  return firstRefusal(
    () => refuseIf(namesRecipients(type) && recipients.length === 0, 1189),
    () => refuseIf(!namesRecipients(type) && hasNifIva, 1156),
    () => refuseIf(!namesRecipients(type) && recipients.length > 0, 1190),
    ...recipients.map((recipient) => () => partyRefusal(recipient, RECIPIENT, about, rateDay)),
  );
}

function agreementRefusal({ element }: Registration, { lists }: Circumstances): Refusal | undefined {
  const numbers = ["NumRegistroAcuerdoFacturacion", "IdAcuerdoSistemaInformatico"];
  return refuseIf(
    numbers.some((name) => lists.noAgreement.has(textAt(element, name) ?? "")),
    1128,
  );
}
