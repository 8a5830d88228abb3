import { type CivilDate, civilDate } from "../shared/civil-date.ts";
import { isCountry } from "../shared/country.ts";
import type { Fact } from "../shared/fact.ts";
import { isInForce, type MemberState, memberStateOn } from "./member-states.ts";
import { type Enclave, type Region, SPECIAL_PLACES } from "./special-places.ts";

export type SpanishTerritory = "peninsula" | "canarias" | "ceuta" | "melilla" | "ceuta_melilla" | "unknown";

export interface Spain {
  readonly kind: "spain";
  /** `peninsula` with the Balearics; `ceuta_melilla` is one of the two; `unknown` without a postcode. */
  readonly territory: SpanishTerritory;
}

export interface ForeignState {
  readonly kind: "member_state";
  readonly state: MemberState;
  /** The code that names it: MC is a place of the state FR. */
  readonly country: string;
  /** `unknown`: the state has regions with their own rates, and the postcode does not show which. */
  readonly region: Region | "mainland" | "unknown";
}

export interface Outside {
  readonly kind: "outside";
  /** The code that names it, AX also for FI 22100. */
  readonly country: string;
  readonly enclave?: Enclave;
}

/** The destination of a sale for VAT: LIVA, article 3.Dos; Directive 2006/112/EC, articles 5 to 8. */
export type Place = Spain | ForeignState | Outside;

export interface StatedPlace {
  /** ISO 3166-1 alpha-2 or a reserved code (IC, EA, XI, EL, FX, UK), in any case. */
  readonly country: string;
  readonly postcode?: string | undefined;
}

/** The place of an address on a day; undefined for an unknown country code. */
export function placeOf(stated: StatedPlace, date: CivilDate): Place | undefined {
  const country = countryCode(stated.country);
  const postcode = postcodeIn(country, stated.postcode);
  if (country === "ES") return { kind: "spain", territory: spanishTerritory(postcode) };
  if (country === "IC") return { kind: "spain", territory: "canarias" };
  if (country === "EA") return { kind: "spain", territory: africanTerritory(postcode) };
  const special = SPECIAL_PLACES.find(
    (place) => place.country === country && place.postcodes.test(postcode) && isInForce(place, date),
  );
  if (special === undefined) return placeOfCountry(country, postcode, date);
  const { is } = special;
  if ("country" in is) return placeOfCountry(is.country, "", date);
  if ("state" in is) return { kind: "member_state", state: is.state, country, region: is.region };
  return { kind: "outside", country, ...(is.outside !== "overseas" && { enclave: is.outside }) };
}

/** True for member states other than Spain; Northern Ireland is one for goods. */
export function isMemberState(place: Place): place is ForeignState {
  return place.kind === "member_state";
}

export function placeName(place: Place): Fact {
  switch (place.kind) {
    case "spain":
      return place.territory === "unknown" ? { country: "ES" } : { phrase: place.territory };
    case "member_state": {
      if (place.state === "XI") return { phrase: "northern_ireland" };
      const { region } = place;
      return region === "mainland" || region === "unknown" ? { country: place.country } : { phrase: region };
    }
    case "outside":
      return place.enclave ? { phrase: place.enclave } : { country: place.country };
  }
}

const ALIASES: Readonly<Record<string, string>> = { EL: "GR", FX: "FR", UK: "GB" };

function countryCode(country: string): string {
  const code = country.trim().toUpperCase();
  return ALIASES[code] ?? code;
}

/** Kosovo has no code in ISO 3166-1; XK is the one in use. */
const RESERVED = new Set(["XI", "XK"]);

/** States whose regions have their own rates, with the form of their postcodes. */
const WITH_REGIONS: Partial<Readonly<Record<MemberState, RegExp>>> = {
  AT: /^\d{4}$/,
  FR: /^\d{5}$/,
  GR: /^\d{5}$/,
  PT: /^\d{4}(\d{3})?$/,
};

const END_OF_TRANSITION = civilDate("2020-12-31");

function placeOfCountry(country: string, postcode: string, date: CivilDate): Place | undefined {
  if (!isCountry(country) && !RESERVED.has(country)) return undefined;
  // Directive, article 7: Monaco is as France, the Isle of Man as the United Kingdom.
  if (country === "MC") return { kind: "member_state", state: "FR", country, region: "mainland" };
  const isBritish = country === "IM" || (country === "XI" && date <= END_OF_TRANSITION);
  const state = memberStateOn(isBritish ? "GB" : country, date);
  if (state === undefined) return { kind: "outside", country };
  const form = WITH_REGIONS[state];
  const region = form === undefined || form.test(postcode) ? "mainland" : "unknown";
  return { kind: "member_state", state, country, region };
}

const TERRITORIES: Readonly<Record<string, SpanishTerritory>> = {
  "35": "canarias",
  "38": "canarias",
  "51": "ceuta",
  "52": "melilla",
};

function spanishTerritory(postcode: string): SpanishTerritory {
  const province = /^\d\d/.exec(postcode)?.[0];
  if (province === undefined || province < "01" || province > "52") return "unknown";
  return TERRITORIES[province] ?? "peninsula";
}

/** EA is reserved in ISO 3166 for Ceuta and Melilla together. */
function africanTerritory(postcode: string): SpanishTerritory {
  if (postcode.startsWith("51")) return "ceuta";
  return postcode.startsWith("52") ? "melilla" : "ceuta_melilla";
}

const FIVE_DIGITS = new Set(["DE", "EA", "ES", "FI", "FR", "GR", "IT"]);

/** In capitals, without spaces, signs and the letters of its country; empty where there is none. */
function postcodeIn(country: string, postcode: string | undefined): string {
  const compact = (postcode ?? "")
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
  const bare = country === "GB" ? compact : compact.replace(/^[A-Z]{1,3}(?=\d)/, "");
  // 3501 is 03501, of Alicante: spreadsheets and numeric columns drop the first zero.
  return FIVE_DIGITS.has(country) && /^\d{4}$/.test(bare) ? `0${bare}` : bare;
}
