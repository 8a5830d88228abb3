/** Buyers: some names are common and some are rare, as in life. */
import type { Chance } from "./chance.ts";

export interface Buyer {
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly isCompany: boolean;
  readonly taxNumber: string;
  readonly address: string;
  readonly postcode: string;
  readonly city: string;
}

const FIRST_NAMES = [
  "Lucía",
  "Antonio",
  "María",
  "Íñigo",
  "Carmen",
  "José",
  "Núria",
  "Pablo",
  "Elena",
  "Xoán",
] as const;
const SURNAMES = [
  ...["García", "Fernández", "López", "Martínez", "Sánchez", "Pérez", "Gómez", "Ruiz", "Díaz", "Moreno"],
  ...["Muñoz", "Álvarez", "Romero", "Alonso", "Navarro", "Torres", "Ramos", "Gil", "Serrano", "Blanco"],
];
const TRADES = [
  "Hostelería",
  "Suministros",
  "Talleres",
  "Librería",
  "Panadería",
  "Instalaciones",
  "Óptica",
] as const;
const PLACES = [
  "del Tormes",
  "Ribera",
  "La Plaza",
  "Mediterráneo",
  "del Norte",
  "Sierra Alta",
  "San Roque",
] as const;
const CITIES = [
  ["28013", "Madrid"],
  ["37002", "Salamanca"],
  ["46001", "València"],
  ["08001", "Barcelona"],
  ["41001", "Sevilla"],
  ["15001", "A Coruña"],
] as const;

/** The same ordinal is the same buyer; a few buy much, most seldom. */
export function buyerOf(chance: Chance, buyers: number): Buyer {
  const ordinal = Math.floor(buyers * chance.next() ** 3);
  const isCompany = ordinal % 3 === 0;
  const [postcode, city] = CITIES[ordinal % CITIES.length] ?? CITIES[0];
  const at = (list: readonly string[], step: number) => list[Math.floor(ordinal / step) % list.length] ?? "";
  const firstName = at(FIRST_NAMES, 1);
  const lastName = `${at(SURNAMES, 7)} ${at(SURNAMES, 140)}`;
  const company = `${at(TRADES, 1)} ${at(PLACES, 3)} ${1 + (ordinal % 997)} SL`;
  return {
    name: isCompany ? company : `${firstName} ${lastName}`,
    ...{ firstName, lastName, isCompany, postcode, city },
    taxNumber: isCompany ? companyNif(ordinal) : personNif(ordinal),
    address: `Calle ${at(SURNAMES, 3)}, ${1 + (ordinal % 180)}`,
  };
}

/** DNI: the letter follows from the number. */
export function personNif(ordinal: number): string {
  const digits = String(10_000_000 + ordinal);
  return digits + "TRWAGMYFPDXBNJZSQVHLCKE".charAt(Number(digits) % 23);
}

/** NIF of a limited company: seven digits and a computed one. */
function companyNif(ordinal: number): string {
  const digits = String(1_000_000 + ordinal);
  let sum = 0;
  for (const [index, digit] of [...digits].map(Number).entries()) {
    const weighed = index % 2 === 0 ? digit * 2 : digit;
    sum += Math.floor(weighed / 10) + (weighed % 10);
  }
  return `B${digits}${(10 - (sum % 10)) % 10}`;
}
