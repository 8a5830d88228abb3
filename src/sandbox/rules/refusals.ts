/** All rules that refuse a record independent of the service's state of its invoice. */
import { ANNULMENT } from "../schema/annulment.ts";
import { REGISTRATION } from "../schema/registration.ts";
import { valueProblem } from "../schema/value-problem.ts";
import { elementAt } from "../xml/tree.ts";
import { annulmentRefusal } from "./annulment.ts";
import type { Circumstances } from "./circumstances.ts";
import { PRODUCER, partyRefusal } from "./parties.ts";
import { partyOf, type RecordIdentity, registrationOf } from "./record.ts";
import { firstRefusal, type Refusal } from "./refusal.ts";
import { registrationRefusal } from "./registration.ts";

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
