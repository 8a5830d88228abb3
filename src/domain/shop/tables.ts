import { currencyDecimals } from "../shared/currency.ts";
import type { Decimal } from "../shared/decimal.ts";
import type { Native } from "./native.ts";

/** What the shop says of its own ids and settings, and the keys that its owner has named. */
export interface ShopTables {
  /** IANA name, or an offset such as `+02:00`. */
  readonly timeZone?: string;
  /** Percent by the id of a tax. */
  readonly taxRates?: Readonly<Record<string, Decimal>>;
  /** ISO 4217 by the id of a currency. */
  readonly currencies?: Readonly<Record<string, string>>;
  /** ISO 3166-1 alpha-2 by the id of a country. */
  readonly countries?: Readonly<Record<string, string>>;
  readonly orderStates?: Readonly<Record<string, OrderState>>;
  /** Whether prices have their tax within, where a document that comes alone does not say so. */
  readonly taxesIncluded?: boolean;
  /** The member of an order that has the buyer's NIF, before those that are known. */
  readonly nifKey?: string;
  /** Members of an order that have credit of the customer that paid part of it. */
  readonly creditKeys?: readonly string[];
}

/** A state of the shop's own list of order states. */
export interface OrderState {
  readonly paid: boolean;
  /** The mail that the shop sends in this state. */
  readonly template?: string;
  /** As the shop calls it. */
  readonly name?: string;
}

export const NO_TABLES: ShopTables = {};

/** An ISO 4217 code in use. */
export function currencyFrom(text: string | undefined): string | undefined {
  const code = text?.toUpperCase();
  return code !== undefined && currencyDecimals(code) !== undefined ? code : undefined;
}

/** Only the form: the decision judges the country. */
export function countryFrom(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined;
}

const LONGEST_STREET = 255;
const NO_IDENTIFIERS: ReadonlySet<string> = new Set(["-", "n/a"]);

/** The first identifier of the places where shops keep it. */
export function identifierIn(places: readonly Native[]): string | undefined {
  return places
    .map((place) => place.text(64))
    .find((text) => text !== undefined && !NO_IDENTIFIERS.has(text.toLowerCase()));
}

/** The lines of a street in one; undefined where no line is given. */
export function streetOf(lines: readonly (string | undefined)[]): string | undefined {
  return (
    lines
      .filter((line) => line !== undefined)
      .join(", ")
      .slice(0, LONGEST_STREET) || undefined
  );
}
