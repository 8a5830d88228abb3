import { type CivilDate, civilDateFrom } from "../shared/civil-date.ts";
import { nifFrom } from "../shared/tax-identifier.ts";

/**
 * SistemaInformatico and its declaracion responsable have the same values (art. 15 Orden HAC/1177/2024), so
 * both are built from this one configuration.
 */
export interface SoftwareConfig {
  readonly producerName: string;
  readonly producerNif: string;
  readonly producerAddress: string;
  readonly name: string;
  /** IdSistemaInformatico: two characters, given by the producer. */
  readonly code: string;
  readonly version: string;
  readonly declarationDate: CivilDate;
  readonly declarationPlace: string;
}

/**
 * Reads the configured JSON. Throws, because a producer that is misspelt gets every record rejected (1110).
 */
export function softwareFrom(json: string): SoftwareConfig {
  const members = membersOf(JSON.parse(json));
  const text = (name: keyof SoftwareConfig, limit: number) => textOf(members, name, limit);
  const code = text("code", 2);
  const nif = text("producerNif", 9);
  const date = civilDateFrom(text("declarationDate", 10));
  if (!/^[0-9A-Z]{2}$/.test(code)) throw new Error("SOFTWARE.code must have two characters");
  if (nifFrom(nif) !== nif) throw new Error("SOFTWARE.producerNif is not a NIF");
  if (date === undefined) throw new Error("SOFTWARE.declarationDate is not a day");
  return {
    producerName: text("producerName", 120),
    producerNif: nif,
    producerAddress: text("producerAddress", 250),
    name: text("name", 30),
    code,
    version: text("version", 50),
    declarationDate: date,
    declarationPlace: text("declarationPlace", 120),
  };
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null) throw new Error("SOFTWARE must be an object");
  return new Map(Object.entries(value));
}

function textOf(members: ReadonlyMap<string, unknown>, name: string, limit: number): string {
  const value = members.get(name);
  if (typeof value !== "string" || value.trim() !== value || value === "" || value.length > limit) {
    throw new Error(`SOFTWARE.${name} must be a text of 1 to ${limit} characters`);
  }
  return value;
}
