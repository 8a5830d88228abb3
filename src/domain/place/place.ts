import { type CivilDate, civilDate } from "../shared/civil-date.ts";
import { isCountry } from "../shared/country.ts";
import type { Fact } from "../shared/fact.ts";

type SpanishTerritory = "peninsula" | "canarias" | "ceuta" | "melilla" | "ceuta_melilla" | "unknown";

export interface Spain {
  readonly kind: "spain";
  /** `peninsula` with the Balearics; `ceuta_melilla` is one of the two; `unknown` without a postcode. */
  readonly territory: SpanishTerritory;
}

interface ForeignState {
  readonly kind: "member_state";
  readonly state: MemberState;
  /** The code that names it: MC is a place of the state FR. */
  readonly country: string;
  /** `unknown`: the state has regions with their own rates, and the postcode does not show which. */
  readonly region: Region | "mainland" | "unknown";
}

interface Outside {
  readonly kind: "outside";
  /** The code that names it, AX also for FI 22100. */
  readonly country: string;
  readonly enclave?: Enclave;
}

/** The destination of a sale for VAT: LIVA, article 3.Dos; Directive 2006/112/EC, articles 5 to 8. */
export type Place = Spain | ForeignState | Outside;

interface StatedPlace {
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

/**
 * The states of the Union's VAT territory, by ISO 3166-1, Spain as its IVA territory. XI is Northern Ireland,
 * a member state for goods only (Windsor Framework, article 8 and annex 3).
 */
export type MemberState =
  | ("AT" | "BE" | "BG" | "CY" | "CZ" | "DE" | "DK" | "EE" | "ES" | "FI" | "FR" | "GB" | "GR" | "HR")
  | ("HU" | "IE" | "IT" | "LT" | "LU" | "LV" | "MT" | "NL" | "PL" | "PT" | "RO" | "SE" | "SI" | "SK" | "XI");

interface Membership {
  readonly state: MemberState;
  readonly from?: CivilDate;
  readonly until?: CivilDate;
}

const SINCE_2004 = civilDate("2004-05-01");
const SINCE_2007 = civilDate("2007-01-01");

/** Treaties of accession of 2003, 2005 and 2011; the end of the transition of the withdrawal agreement. */
const MEMBERSHIPS: readonly Membership[] = [
  { state: "AT" },
  { state: "BE" },
  { state: "BG", from: SINCE_2007 },
  { state: "CY", from: SINCE_2004 },
  { state: "CZ", from: SINCE_2004 },
  { state: "DE" },
  { state: "DK" },
  { state: "EE", from: SINCE_2004 },
  { state: "ES" },
  { state: "FI" },
  { state: "FR" },
  { state: "GB", until: civilDate("2020-12-31") },
  { state: "GR" },
  { state: "HR", from: civilDate("2013-07-01") },
  { state: "HU", from: SINCE_2004 },
  { state: "IE" },
  { state: "IT" },
  { state: "LT", from: SINCE_2004 },
  { state: "LU" },
  { state: "LV", from: SINCE_2004 },
  { state: "MT", from: SINCE_2004 },
  { state: "NL" },
  { state: "PL", from: SINCE_2004 },
  { state: "PT" },
  { state: "RO", from: SINCE_2007 },
  { state: "SE" },
  { state: "SI", from: SINCE_2004 },
  { state: "SK", from: SINCE_2004 },
  { state: "XI", from: civilDate("2021-01-01") },
];

/** The member state that a country is on a day. */
export function memberStateOn(country: string, date: CivilDate): MemberState | undefined {
  return MEMBERSHIPS.find((membership) => membership.state === country && isInForce(membership, date))?.state;
}

interface Dated {
  readonly from?: CivilDate;
  readonly until?: CivilDate;
}

/** Both days included; without one there is no limit on that side. */
export function isInForce({ from, until }: Dated, date: CivilDate): boolean {
  return (from === undefined || from <= date) && (until === undefined || date <= until);
}

/** Parts of member states that have VAT rates of their own. */
export type Region = "azores" | "madeira" | "corsica" | "aegean_islands" | "jungholz_mittelberg";

/** Parts of member states outside the VAT territory that have no country code of their own. */
type Enclave = "heligoland" | "busingen" | "livigno" | "campione" | "mount_athos";

type Whereabouts =
  | { readonly state: MemberState; readonly region: Region }
  /** A country that is named by its own code instead. */
  | { readonly country: string }
  | { readonly outside: Enclave }
  /** Overseas, with no code that would name it. */
  | { readonly outside: "overseas" };

interface SpecialPlace {
  /** The code of the country in the address. */
  readonly country: string;
  /** Against the postcode in capitals, without spaces and signs. */
  readonly postcodes: RegExp;
  readonly is: Whereabouts;
  readonly from?: CivilDate;
  readonly until?: CivilDate;
}

const ISLANDS_2026 = civilDate("2026-01-01");

/**
 * Postcodes that override their country's code; the first match counts. Directive 2006/112/EC, articles 6 and
 * 7, lists the excluded territories, LIVA article 3.Dos.1 those of Spain.
 */
const SPECIAL_PLACES: readonly SpecialPlace[] = [
  // Two Austrian valleys reached from Germany only, with postcodes of both countries: UStG § 10(4).
  ...[
    { country: "AT", postcodes: /^(6691|699[123])$/ },
    { country: "DE", postcodes: /^(87491|8756[789])$/ },
  ].map((where) => ({ ...where, is: { state: "AT", region: "jungholz_mittelberg" } as const })),
  // Article 6(2)(a) and (b).
  { country: "DE", postcodes: /^27498$/, is: { outside: "heligoland" } },
  { country: "DE", postcodes: /^78266$/, is: { outside: "busingen" } },
  // Greenland is Danish for no purpose of VAT: Directive, article 5(2) with TFEU, article 355.
  { country: "DK", postcodes: /^39\d\d$/, is: { country: "GL" } },
  // Article 6(1)(d): Åland.
  { country: "FI", postcodes: /^22\d{3}$/, is: { country: "AX" } },
  // Article 6(1)(c) and TFEU, articles 349 and 355: France overseas. 980 is Monaco: Directive, article 7.
  { country: "FR", postcodes: /^(97133|977\d\d)$/, is: { country: "BL" } },
  { country: "FR", postcodes: /^(97150|978\d\d)$/, is: { country: "MF" } },
  { country: "FR", postcodes: /^971\d\d$/, is: { country: "GP" } },
  { country: "FR", postcodes: /^972\d\d$/, is: { country: "MQ" } },
  { country: "FR", postcodes: /^973\d\d$/, is: { country: "GF" } },
  { country: "FR", postcodes: /^974\d\d$/, is: { country: "RE" } },
  { country: "FR", postcodes: /^975\d\d$/, is: { country: "PM" } },
  { country: "FR", postcodes: /^976\d\d$/, is: { country: "YT" } },
  { country: "FR", postcodes: /^980\d\d$/, is: { country: "MC" } },
  { country: "FR", postcodes: /^984\d\d$/, is: { country: "TF" } },
  { country: "FR", postcodes: /^986\d\d$/, is: { country: "WF" } },
  { country: "FR", postcodes: /^987\d\d$/, is: { country: "PF" } },
  { country: "FR", postcodes: /^988\d\d$/, is: { country: "NC" } },
  { country: "FR", postcodes: /^9[78]\d{3}$/, is: { outside: "overseas" } },
  // Code général des impôts, article 297.
  { country: "FR", postcodes: /^20\d{3}$/, is: { state: "FR", region: "corsica" } },
  { country: "GB", postcodes: /^BT\d/, is: { country: "XI" }, from: civilDate("2021-01-01") },
  // Article 6(1)(a): Mount Athos.
  { country: "GR", postcodes: /^6308[67]$/, is: { outside: "mount_athos" } },
  // VAT Code (Law 5144/2024), article 26: Lesbos, Chios, Samos, Kos and Leros, and since 2026 the islands of
  // the North Aegean, of the Dodecanese and Samothrace with up to 20,000 people. Rhodes is none of them.
  {
    country: "GR",
    postcodes: /^(81[123]\d\d|82(?!101|104)\d{3}|83[12]\d\d|853(?!03)\d\d|854\d\d)$/,
    is: { state: "GR", region: "aegean_islands" },
    until: civilDate("2025-12-31"),
  },
  {
    country: "GR",
    postcodes: /^(8[123]\d{3}|85(?!10)\d{3}|68002)$/,
    is: { state: "GR", region: "aegean_islands" },
    from: ISLANDS_2026,
  },
  // San Marino and the Vatican are no part of Italy and have Italian postcodes.
  { country: "IT", postcodes: /^00120$/, is: { country: "VA" } },
  { country: "IT", postcodes: /^4789\d$/, is: { country: "SM" } },
  // Article 6(2)(e) to (g). Campione is inside for customs and excise since 2020, not for VAT.
  { country: "IT", postcodes: /^23041$/, is: { outside: "livigno" } },
  { country: "IT", postcodes: /^22061$/, is: { outside: "campione" } },
  // Código do IVA, article 18(3).
  { country: "PT", postcodes: /^9[0-4]\d\d/, is: { state: "PT", region: "madeira" } },
  { country: "PT", postcodes: /^9[5-9]\d\d/, is: { state: "PT", region: "azores" } },
];
