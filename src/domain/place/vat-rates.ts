import { type CivilDate, civilDate } from "../shared/civil-date.ts";
import { compare, type Decimal, decimal } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";
import { isInForce, type MemberState, type Place, type Region } from "./place.ts";

/** A state without its regions, or one region: `PT`, `PT:azores`. */
type RateArea = MemberState | `${MemberState}:${Region}`;

type RateKind = "standard" | "reduced" | "super_reduced" | "parking";

interface VatRate {
  readonly area: RateArea;
  readonly kind: RateKind;
  /** Percent. */
  readonly rate: Decimal;
  readonly from: CivilDate;
  readonly until?: CivilDate;
}

/** The day on which the one stop shop began (Directive 2017/2455): no earlier sale needs this table. */
export const TABLE_START = civilDate("2021-07-01");

interface Term {
  readonly from?: string;
  readonly until?: string;
}

type KnownRate = Omit<VatRate, "area">;

function known(kind: RateKind): (rate: string, term?: Term) => KnownRate {
  return (rate, { from, until } = {}) => ({
    kind,
    rate: decimal(rate),
    from: from === undefined ? TABLE_START : civilDate(from),
    ...(until !== undefined && { until: civilDate(until) }),
  });
}

const standard = known("standard");
const reduced = known("reduced");
const superReduced = known("super_reduced");
const parking = known("parking");

function of(area: RateArea, ...rates: readonly KnownRate[]): readonly VatRate[] {
  return rates.map((rate) => ({ area, ...rate }));
}

/**
 * Every rate above zero since the table's first day: a zero rate (books in Ireland) taxes no line. They
 * come from the Commission's Taxes in Europe Database, changes from the laws named. A region has all of its
 * rates, those it shares with its state too.
 */
export const VAT_RATES: readonly VatRate[] = [
  // UStG § 10; 5 % for sectors hit by the pandemic (§ 28(52)); 4.9 % for basic food (amendment of 2026).
  ...of(
    "AT",
    standard("20"),
    reduced("13"),
    reduced("10"),
    reduced("5", { until: "2021-12-31" }),
    superReduced("4.9", { from: "2026-07-01" }),
  ),
  // UStG § 10(4): 19 % instead of 20 %.
  ...of(
    "AT:jungholz_mittelberg",
    standard("19"),
    reduced("13"),
    reduced("10"),
    reduced("5", { until: "2021-12-31" }),
    superReduced("4.9", { from: "2026-07-01" }),
  ),
  // Royal Decree 20 of 20 July 1970.
  ...of("BE", standard("21"), reduced("12"), reduced("6")),
  // VAT Act, articles 66 and 66a.
  ...of("BG", standard("20"), reduced("9")),
  // VAT Law 95(I)/2000; 3 % by the amending law published on 21 July 2023.
  ...of("CY", standard("19"), reduced("9"), reduced("5"), superReduced("3", { from: "2023-07-21" })),
  // Act 235/2004, § 47; one reduced rate since Act 349/2023.
  ...of(
    "CZ",
    standard("21"),
    reduced("15", { until: "2023-12-31" }),
    reduced("10", { until: "2023-12-31" }),
    reduced("12", { from: "2024-01-01" }),
  ),
  // UStG § 12.
  ...of("DE", standard("19"), reduced("7")),
  // Momsloven § 33.
  ...of("DK", standard("25")),
  // VAT Act § 15: 22 and then 24 %; 13 % for lodging; 5 % for the press from August 2022 to 2024.
  ...of(
    "EE",
    standard("20", { until: "2023-12-31" }),
    standard("22", { from: "2024-01-01", until: "2025-06-30" }),
    standard("24", { from: "2025-07-01" }),
    reduced("13", { from: "2025-01-01" }),
    reduced("9"),
    reduced("5", { from: "2022-08-01", until: "2024-12-31" }),
  ),
  // LIVA, articles 90 and 91; food and energy at 5, 7.5 and 2 % (RDL 11/2022, 20/2022, 4/2024).
  ...of(
    "ES",
    standard("21"),
    reduced("10"),
    reduced("7.5", { from: "2024-10-01", until: "2024-12-31" }),
    reduced("5", { from: "2022-07-01", until: "2024-09-30" }),
    superReduced("4"),
    superReduced("2", { from: "2024-10-01", until: "2024-12-31" }),
  ),
  // VAT Act §§ 84 to 85a; 25.5 % since September 2024, 13.5 % since 2026.
  ...of(
    "FI",
    standard("24", { until: "2024-08-31" }),
    standard("25.5", { from: "2024-09-01" }),
    reduced("14", { until: "2025-12-31" }),
    reduced("13.5", { from: "2026-01-01" }),
    reduced("10"),
  ),
  // Code général des impôts, articles 278 to 281 nonies.
  ...of("FR", standard("20"), reduced("10"), reduced("5.5"), superReduced("2.1")),
  // Code général des impôts, article 297.
  ...of(
    "FR:corsica",
    standard("20"),
    reduced("13"),
    reduced("10"),
    reduced("5.5"),
    superReduced("2.1"),
    superReduced("0.9"),
  ),
  // VAT Code, article 26 (until 2024 article 21 of Law 2859/2000).
  ...of("GR", standard("24"), reduced("13"), reduced("6")),
  // The same, paragraphs 4 and 5: 30 % less, not for tobacco, vehicles and sales sent in to consumers.
  ...of(
    "GR:aegean_islands",
    standard("24"),
    reduced("17"),
    reduced("13"),
    reduced("9"),
    reduced("6"),
    superReduced("4"),
    superReduced("3", { from: "2026-01-01" }),
  ),
  // VAT Act, article 38.
  ...of("HR", standard("25"), reduced("13"), reduced("5")),
  // Act CXXVII of 2007, § 82.
  ...of("HU", standard("27"), reduced("18"), reduced("5")),
  // VAT Consolidation Act 2010, section 46; livestock at 4.8 %.
  ...of("IE", standard("23"), reduced("13.5"), reduced("9"), superReduced("4.8")),
  // DPR 633/1972, article 16 and table A.
  ...of("IT", standard("22"), reduced("10"), reduced("5"), superReduced("4")),
  // VAT Law, article 19; Law XV-287 since 2026.
  ...of(
    "LT",
    standard("21"),
    reduced("12", { from: "2026-01-01" }),
    reduced("9", { until: "2025-12-31" }),
    reduced("5"),
  ),
  // TVA law, article 39; one point less in 2023 (law of October 2022).
  ...of(
    "LU",
    standard("17", { until: "2022-12-31" }),
    standard("16", { from: "2023-01-01", until: "2023-12-31" }),
    standard("17", { from: "2024-01-01" }),
    parking("14", { until: "2022-12-31" }),
    parking("13", { from: "2023-01-01", until: "2023-12-31" }),
    parking("14", { from: "2024-01-01" }),
    reduced("8", { until: "2022-12-31" }),
    reduced("7", { from: "2023-01-01", until: "2023-12-31" }),
    reduced("8", { from: "2024-01-01" }),
    superReduced("3"),
  ),
  // VAT Law, sections 41 and 42.
  ...of("LV", standard("21"), reduced("12"), reduced("5")),
  // VAT Act, eighth schedule; 12 % by Legal Notice 231 of 2023.
  ...of("MT", standard("18"), reduced("12", { from: "2024-01-01" }), reduced("7"), reduced("5")),
  // Wet OB 1968, article 9.
  ...of("NL", standard("21"), reduced("9")),
  // VAT Act, articles 41 and 146aa to 146ef.
  ...of("PL", standard("23"), reduced("8"), reduced("5")),
  // Código do IVA, article 18.
  ...of("PT", standard("23"), reduced("13"), reduced("6")),
  // Decreto Legislativo Regional 15-A/2021/A.
  ...of("PT:azores", standard("16"), reduced("9"), reduced("4")),
  // Código do IVA, article 18(3), and since October 2024 the regional budget (DLR 6/2024/M) for 4 %.
  ...of(
    "PT:madeira",
    standard("22"),
    reduced("12"),
    reduced("5", { until: "2024-09-30" }),
    reduced("4", { from: "2024-10-01" }),
  ),
  // Fiscal Code, article 291; Law 141/2025, with 9 % for homes until July 2026.
  ...of(
    "RO",
    standard("19", { until: "2025-07-31" }),
    standard("21", { from: "2025-08-01" }),
    reduced("11", { from: "2025-08-01" }),
    reduced("9", { until: "2026-07-31" }),
    reduced("5", { until: "2025-07-31" }),
  ),
  // Mervärdesskattelagen, chapter 9.
  ...of("SE", standard("25"), reduced("12"), reduced("6")),
  // ZDDV-1, article 41.
  ...of("SI", standard("22"), reduced("9.5"), reduced("5")),
  // Act 222/2004, § 27; 5 % since 2023; Act 278/2024 since 2025.
  ...of(
    "SK",
    standard("20", { until: "2024-12-31" }),
    standard("23", { from: "2025-01-01" }),
    reduced("19", { from: "2025-01-01" }),
    reduced("10", { until: "2024-12-31" }),
    reduced("5", { from: "2023-01-01" }),
  ),
  // VAT Act 1994 of the United Kingdom, sections 2 and 29A; 12.5 % for hospitality until March 2022.
  ...of("XI", standard("20"), reduced("12.5", { from: "2021-10-01", until: "2022-03-31" }), reduced("5")),
];

/**
 * VAT rates above zero of a place on a day, in percent, ascending. Without a known region they are those of
 * all regions. Empty outside the VAT territory and before the table begins.
 */
export function ratesIn(place: Place, date: CivilDate): readonly Decimal[] {
  const areas = rateAreasOf(place);
  const rates = VAT_RATES.filter((row) => areas.includes(row.area) && isInForce(row, date));
  return [...new Set(rates.map(({ rate }) => rate))].sort(compare);
}

/** The rates of a state at which sales to its consumers are taxed through the one stop shop. */
export interface StateRates {
  readonly state: MemberState;
  /** Percent, descending: of the state and of its regions. */
  readonly rates: readonly Decimal[];
  readonly standard: Decimal;
}

/** Every member state but Spain with rates on a day. */
export function otherStatesOn(date: CivilDate): readonly StateRates[] {
  const states = [
    ...new Set(VAT_RATES.flatMap(({ area }) => (isState(area) && area !== "ES" ? [area] : []))),
  ];
  return states.flatMap((state) => {
    const place = { kind: "member_state", state, country: state, region: "unknown" } as const;
    const standard = standardRateIn(state, date);
    return standard ? [{ state, rates: ratesIn(place, date).toReversed(), standard }] : [];
  });
}

function isState(area: RateArea): area is MemberState {
  return !area.includes(":");
}

/** The standard rate of a state on a day, without its regions; undefined before the table begins. */
export function standardRateIn(state: MemberState, date: CivilDate): Decimal | undefined {
  return VAT_RATES.find(
    ({ area, kind, ...row }) => area === state && kind === "standard" && isInForce(row, date),
  )?.rate;
}

const AREAS: readonly RateArea[] = [...new Set(VAT_RATES.map(({ area }) => area))];

/** The areas of the table that a place may be in: one, or all of its state. */
export function rateAreasOf(place: Place): readonly RateArea[] {
  switch (place.kind) {
    case "outside":
      return [];
    case "spain":
      return place.territory === "peninsula" || place.territory === "unknown" ? ["ES"] : [];
    case "member_state": {
      const { state, region } = place;
      if (region === "mainland") return [state];
      if (region !== "unknown") return [`${state}:${region}`];
      return AREAS.filter((area) => area === state || area.startsWith(`${state}:`));
    }
  }
}

/** A rate missing in the table, declared by the owner for a place. */
export interface AreaRate {
  readonly area: RateArea;
  /** Percent. */
  readonly rate: Decimal;
}

export interface KeptRate extends AreaRate {
  readonly from: CivilDate;
}

/** With the time of the declaration. */
export interface NewlyKept extends KeptRate {
  readonly keptAt: Instant;
}

/** The owner's rates for a place on a day. */
export function keptIn(place: Place, date: CivilDate, kept: readonly KeptRate[]): readonly Decimal[] {
  const areas = rateAreasOf(place);
  return kept.filter(({ area, from }) => areas.includes(area) && from <= date).map(({ rate }) => rate);
}

/** The area of a place: its region, or the state if the postcode does not show the region. */
export function areaOf(place: Place): RateArea | undefined {
  return rateAreasOf(place)[0];
}

/** With another rate kept: of the same one, the earlier day counts. */
export function withKept(kept: readonly KeptRate[], rate: KeptRate): readonly KeptRate[] {
  const known = kept.find((one) => isSameRate(one, rate));
  if (known && known.from <= rate.from) return kept;
  return [...kept.filter((one) => one !== known), rate];
}

export function isSameRate(a: AreaRate, b: AreaRate): boolean {
  return a.area === b.area && a.rate === b.rate;
}

/** Encodes an area and rate as the text that a reason carries. */
export function aboutRate({ area, rate }: AreaRate): string {
  return `${area} ${rate}`;
}

export function rateAbout(about: string): AreaRate {
  const [area, rate] = about.split(" ");
  // Written by the function above.
  return { area: area as RateArea, rate: rate as Decimal };
}
