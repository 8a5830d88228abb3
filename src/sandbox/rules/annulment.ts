/** The rules of RegistroAnulacion. */
import { elementAt, textAt } from "../xml/tree.ts";
import type { Circumstances } from "./circumstances.ts";
import { comparable } from "./dates.ts";
import { GENERATING_RECIPIENT, GENERATING_THIRD_PARTY, partyRefusal } from "./parties.ts";
import { partyOf, type RecordIdentity } from "./record.ts";
import { firstRefusal, type Refusal, refuseIf } from "./refusal.ts";

export function annulmentRefusal(record: RecordIdentity, about: Circumstances): Refusal | undefined {
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
