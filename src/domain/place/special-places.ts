import { type CivilDate, civilDate } from "../shared/civil-date.ts";
import type { MemberState } from "./member-states.ts";

/** Parts of member states that have VAT rates of their own. */
export type Region = "azores" | "madeira" | "corsica" | "aegean_islands" | "jungholz_mittelberg";

/** Parts of member states outside the VAT territory that have no country code of their own. */
export type Enclave = "heligoland" | "busingen" | "livigno" | "campione" | "mount_athos";

type Whereabouts =
  | { readonly state: MemberState; readonly region: Region }
  /** A country that is named by its own code instead. */
  | { readonly country: string }
  | { readonly outside: Enclave }
  /** Overseas, with no code that would name it. */
  | { readonly outside: "overseas" };

export interface SpecialPlace {
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
export const SPECIAL_PLACES: readonly SpecialPlace[] = [
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
