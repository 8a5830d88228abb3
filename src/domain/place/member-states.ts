import { type CivilDate, civilDate } from "../shared/civil-date.ts";

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
