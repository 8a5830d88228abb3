import { ANNULMENT } from "../schema/annulment.ts";
import { REGISTRATION } from "../schema/registration.ts";
import { valueProblem } from "../schema/value-problem.ts";
import { elementAt, textAt } from "../xml/tree.ts";
import type { Circumstances } from "./circumstances.ts";
import { comparable } from "./dates.ts";
import { GENERATING_RECIPIENT, GENERATING_THIRD_PARTY, PRODUCER, partyRefusal } from "./parties.ts";
import { partyOf, type RecordIdentity, registrationOf } from "./record.ts";
import { firstRefusal, type Refusal, refuseIf } from "./refusal.ts";
import { registrationRefusal } from "./registration.ts";

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
