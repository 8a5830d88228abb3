/** Cabecera: every error in it refuses the whole message. */

import { valueProblem } from "../schema/checks.ts";
import { SUBMISSION_HEADER } from "../schema/messages.ts";
import { elementAt, textAt, type XmlElement } from "../xml/xml.ts";
import { firstRefusal, type Refusal, refuseIf, type UnknownLists } from "./check.ts";
import { partyOf } from "./record.ts";
import { comparable, isNif, yearsLater } from "./written-values.ts";

/** VerifactuSOAP takes voluntary submissions, RequerimientoSOAP those on demand. */
export type Endpoint = "VerifactuSOAP" | "RequerimientoSOAP";

/** From this day on, leaving VERI*FACTU ends with a year. */
const YEAR_END_FROM = "2027-01-01";

export interface HeaderCircumstances {
  readonly endpoint: Endpoint;
  readonly today: string;
  readonly lists: UnknownLists;
}

export function headerRefusal(header: XmlElement, about: HeaderCircumstances): Refusal | undefined {
  return firstRefusal(
    () => nifFormRefusal(header),
    () => valueProblem(header, SUBMISSION_HEADER),
    () => issuerRefusal(header, about.lists.notInCensus),
    () => representativeRefusal(header, about.lists.notInCensus),
    () => lastDayRefusal(header, about.today),
    () => endpointRefusal(header, about.endpoint),
  );
}

function nifFormRefusal(header: XmlElement): Refusal | undefined {
  const hasForm = (nif: string | undefined) => nif === undefined || /^[0-9A-Z]{9}$/.test(nif);
  return firstRefusal(
    () => refuseIf(!hasForm(textAt(header, "ObligadoEmision", "NIF")), 4116),
    () => refuseIf(!hasForm(textAt(header, "Representante", "NIF")), 4117),
  );
}

function issuerRefusal(header: XmlElement, notInCensus: ReadonlySet<string>): Refusal | undefined {
  const { nif = "", name = "" } = partyOf(elementAt(header, "ObligadoEmision")) ?? {};
  return firstRefusal(
    () => refuseIf(!isNif(nif), 4115),
    () => (notInCensus.has(nif) ? { code: 4104, party: { nif, name } } : undefined),
  );
}

function representativeRefusal(header: XmlElement, notInCensus: ReadonlySet<string>): Refusal | undefined {
  const representative = partyOf(elementAt(header, "Representante"));
  if (representative === undefined) return undefined;
  const { nif = "", name } = representative;
  return firstRefusal(
    () => refuseIf(!isNif(nif), 4117),
    () => (notInCensus.has(nif) ? { code: 4105, party: { nif, name } } : undefined),
  );
}

/** FechaFinVeriFactu: in the year of today or in the one before. */
function lastDayRefusal(header: XmlElement, today: string): Refusal | undefined {
  const day = comparable(textAt(header, "RemisionVoluntaria", "FechaFinVeriFactu"));
  if (day === undefined) return undefined;
  const years = [today, yearsLater(today, -1)].map((one) => one.slice(0, 4));
  const isYearEnd = today < YEAR_END_FROM || day.endsWith("-12-31");
  return refuseIf(!isYearEnd || !years.includes(day.slice(0, 4)), 4120);
}

function endpointRefusal(header: XmlElement, endpoint: Endpoint): Refusal | undefined {
  const reference = textAt(header, "RemisionRequerimiento", "RefRequerimiento");
  if (endpoint === "VerifactuSOAP") return refuseIf(reference !== undefined, 4126);
  return firstRefusal(
    () => refuseIf(elementAt(header, "RemisionVoluntaria") !== undefined, 4127),
    () => refuseIf(reference === undefined, 4125),
    () => refuseIf(!/^[0-9A-Za-z]+$/.test(reference ?? ""), 4133),
    () => refuseIf(textAt(header, "RemisionRequerimiento", "FinRequerimiento") === undefined, 4129),
  );
}
