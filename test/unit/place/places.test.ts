import { describe, expect, test } from "vitest";
import {
  isMemberState,
  memberStateOn,
  type Place,
  placeName,
  placeOf,
} from "../../../src/domain/place/place.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";

const TODAY = "2026-11-29";

/** A place as a word: `spain:canarias`, `PT:azores`, `FR:mainland(MC)`, `outside:AX`, `outside:DE/busingen`. */
function inWords(place: Place | undefined): string {
  switch (place?.kind) {
    case undefined:
      return "none";
    case "spain":
      return `spain:${place.territory}`;
    case "member_state":
      return `${place.state}:${place.region}${place.country === place.state ? "" : `(${place.country})`}`;
    case "outside":
      return `outside:${place.country}${place.enclave === undefined ? "" : `/${place.enclave}`}`;
  }
}

function wordsOf(country: string, postcode: string | undefined, day = TODAY): string {
  return inWords(placeOf({ country, postcode }, civilDate(day)));
}

describe("the place of an address", () => {
  test.each<[string, string, string | undefined, string]>([
    // Spain
    ["Madrid is the peninsula", "ES", "28001", "spain:peninsula"],
    ["the Balearics are with the peninsula", "ES", "07001", "spain:peninsula"],
    ["Las Palmas is the Canaries", "ES", "35001", "spain:canarias"],
    ["Tenerife is the Canaries", "ES", "38001", "spain:canarias"],
    ["Ceuta is Ceuta", "ES", "51001", "spain:ceuta"],
    ["Melilla is Melilla", "ES", "52001", "spain:melilla"],
    ["3501 is 03501 of Alicante", "ES", "3501", "spain:peninsula"],
    ["8001 is 08001 of Barcelona", "ES", "8001", "spain:peninsula"],
    ["a Spanish postcode with spaces is read", "ES", " 35 001 ", "spain:canarias"],
    ["a Spanish postcode with its country is read", "es", "e-38001", "spain:canarias"],
    ["Spain without postcode is somewhere in Spain", "ES", undefined, "spain:unknown"],
    ["an empty Spanish postcode gives nothing", "ES", "  ", "spain:unknown"],
    ["words in the place of a Spanish postcode give nothing", "ES", "Madrid", "spain:unknown"],
    ["no province has the number 53", "ES", "53001", "spain:unknown"],
    ["no province has the number 00", "ES", "00100", "spain:unknown"],
    ["IC is the Canaries without a postcode", "IC", undefined, "spain:canarias"],
    ["IC is the Canaries with any postcode", "IC", "28001", "spain:canarias"],
    ["EA 51 is Ceuta", "EA", "51001", "spain:ceuta"],
    ["EA 52 is Melilla", "EA", "52001", "spain:melilla"],
    ["EA alone is Ceuta or Melilla", "EA", undefined, "spain:ceuta_melilla"],
    // Member states
    ["Berlin is Germany", "DE", "10115", "DE:mainland"],
    ["a country in lower case is the same", "de", "10115", "DE:mainland"],
    ["Germany has no regions to be unknown", "DE", undefined, "DE:mainland"],
    ["01067 of Dresden without its zero is Germany", "DE", "1067", "DE:mainland"],
    ["Ireland's postcodes begin with letters", "IE", "D02 X285", "IE:mainland"],
    ["Croatia is a member state", "HR", "10000", "HR:mainland"],
    ["EL is Greece", "EL", "10431", "GR:mainland"],
    ["Paris is mainland France", "FR", "75001", "FR:mainland"],
    ["01000 of Bourg-en-Bresse without its zero is France", "FR", "1000", "FR:mainland"],
    ["09750 of the Ariège without its zero is no overseas", "FR", "9750", "FR:mainland"],
    ["France without postcode may be Corsica", "FR", undefined, "FR:unknown"],
    ["an invalid French postcode gives nothing", "FR", "n/a", "FR:unknown"],
    ["Ajaccio is Corsica", "FR", "20000", "FR:corsica"],
    ["Bastia is Corsica", "FR", "F-20200", "FR:corsica"],
    ["Monaco is as France", "MC", "98000", "FR:mainland(MC)"],
    ["Monaco without postcode is as France", "MC", undefined, "FR:mainland(MC)"],
    ["Monaco under the code of France is as France", "FR", "98000", "FR:mainland(MC)"],
    ["Lisbon is mainland Portugal", "PT", "1100-148", "PT:mainland"],
    ["Funchal is Madeira", "PT", "9000-001", "PT:madeira"],
    ["Porto Santo is Madeira", "PT", "9400-162", "PT:madeira"],
    ["Ponta Delgada is the Azores", "PT", "9500-119", "PT:azores"],
    ["Corvo is the Azores", "PT", "PT-9980-024", "PT:azores"],
    ["Portugal without postcode may be any of its parts", "PT", "", "PT:unknown"],
    ["Vienna is mainland Austria", "AT", "1010", "AT:mainland"],
    ["Austria without postcode may be its German valleys", "AT", undefined, "AT:unknown"],
    ["Jungholz has a rate of its own", "AT", "6691", "AT:jungholz_mittelberg"],
    ["Riezlern has a rate of its own", "AT", "A-6991", "AT:jungholz_mittelberg"],
    ["the village before Riezlern has none", "AT", "6990", "AT:mainland"],
    ["Jungholz under its German postcode is Austria", "DE", "87491", "AT:jungholz_mittelberg(DE)"],
    ["Mittelberg under its German postcode is Austria", "DE", "87569", "AT:jungholz_mittelberg(DE)"],
    ["Oberstdorf next to it is Germany", "DE", "87561", "DE:mainland"],
    ["Athens is mainland Greece", "GR", "104 31", "GR:mainland"],
    ["Lesbos is an island of reduced rates", "GR", "811 00", "GR:aegean_islands"],
    ["Kastellorizo is an island of reduced rates", "GR", "85111", "GR:aegean_islands"],
    ["Samothrace is an island of reduced rates", "GR", "68002", "GR:aegean_islands"],
    ["Rhodes is none", "GR", "85100", "GR:mainland"],
    ["Santorini is none", "GR", "84700", "GR:mainland"],
    ["Greece without postcode may be an island", "GR", undefined, "GR:unknown"],
    ["XI is Northern Ireland", "XI", undefined, "XI:mainland"],
    ["BT of GB is Northern Ireland", "GB", "BT1 1AA", "XI:mainland"],
    ["BT in lower case is Northern Ireland", "gb", "bt71 5ab", "XI:mainland"],
    ["UK is GB", "UK", "BT1 1AA", "XI:mainland"],
    // Outside under the code of a member state
    ["London is outside", "GB", "SW1A 1AA", "outside:GB"],
    ["Bath is not Belfast", "GB", "BA1 1AA", "outside:GB"],
    ["B of Birmingham before T is not Belfast", "GB", "B1 1BT", "outside:GB"],
    ["Great Britain without postcode is outside", "GB", undefined, "outside:GB"],
    ["the Isle of Man is as Great Britain", "IM", "IM1 1AA", "outside:IM"],
    ["Jersey is outside", "JE", "JE2 3AB", "outside:JE"],
    ["Åland is outside", "AX", "22100", "outside:AX"],
    ["Åland without postcode is outside", "AX", undefined, "outside:AX"],
    ["Åland under the code of Finland is outside", "FI", "22100", "outside:AX"],
    ["02210 of Espoo without its zero is no Åland", "FI", "2210", "FI:mainland"],
    ["Helsinki is Finland", "FI", "00100", "FI:mainland"],
    ["Heligoland is outside", "DE", "27498", "outside:DE/heligoland"],
    ["Heligoland with the letter of its country is outside", "DE", "D-27498", "outside:DE/heligoland"],
    ["Büsingen is outside", "DE", "78266", "outside:DE/busingen"],
    ["Gottmadingen next to Büsingen is inside", "DE", "78244", "DE:mainland"],
    ["Livigno is outside", "IT", "23041", "outside:IT/livigno"],
    ["Bormio next to Livigno is inside", "IT", "23032", "IT:mainland"],
    ["Campione is outside", "IT", "22061", "outside:IT/campione"],
    ["San Marino is outside", "SM", "47890", "outside:SM"],
    ["San Marino under the code of Italy is outside", "IT", "47890", "outside:SM"],
    ["the Vatican is outside", "VA", "00120", "outside:VA"],
    ["the Vatican under the code of Italy is outside", "IT", "00120", "outside:VA"],
    ["the Vatican without its zero is outside", "IT", "0120", "outside:VA"],
    ["Karyes of Mount Athos is outside", "GR", "63086", "outside:GR/mount_athos"],
    ["Dafni of Mount Athos is outside", "GR", "630 87", "outside:GR/mount_athos"],
    ["Ierissos before Mount Athos is inside", "GR", "63075", "GR:mainland"],
    ["Guadeloupe under the code of France is outside", "FR", "97100", "outside:GP"],
    ["Martinique under the code of France is outside", "FR", "97200", "outside:MQ"],
    ["Guiana under the code of France is outside", "FR", "97300", "outside:GF"],
    ["Réunion under the code of France is outside", "FR", "97400", "outside:RE"],
    ["Saint-Pierre under the code of France is outside", "FR", "97500", "outside:PM"],
    ["Mayotte under the code of France is outside", "FR", "97600", "outside:YT"],
    ["Saint-Barthélemy under the code of France is outside", "FR", "97133", "outside:BL"],
    ["Saint-Martin under the code of France is outside", "FR", "97150", "outside:MF"],
    ["Wallis under the code of France is outside", "FR", "98600", "outside:WF"],
    ["Tahiti under the code of France is outside", "FR", "98713", "outside:PF"],
    ["Nouméa under the code of France is outside", "FR", "98800", "outside:NC"],
    ["other 98 under the code of France are outside", "FR", "98910", "outside:FR"],
    ["Greenland under the code of Denmark is outside", "DK", "3900", "outside:GL"],
    ["Copenhagen is inside", "DK", "1050", "DK:mainland"],
    ...["GP", "MQ", "GF", "RE", "YT", "PM", "BL", "MF", "NC", "PF", "WF", "TF"].map(
      (code): [string, string, undefined, string] => [
        `${code}, overseas of France, is outside`,
        code,
        undefined,
        `outside:${code}`,
      ],
    ),
    ...["AD", "GI", "FO", "GL", "AW", "CW", "SX", "BQ", "GG", "CH", "LI", "NO", "US", "TR", "XK"].map(
      (code): [string, string, undefined, string] => [
        `${code} is outside`,
        code,
        undefined,
        `outside:${code}`,
      ],
    ),
    // Codes that name no country
    ["ZZ names no country", "ZZ", "10115", "none"],
    ["EU names no country", "EU", undefined, "none"],
    ["a name is no code", "Alemania", "10115", "none"],
    ["no code names no country", "", "10115", "none"],
  ])("%s", (_, country, postcode, expected) => {
    expect(wordsOf(country, postcode)).toBe(expected);
  });

  test.each([
    [
      "Great Britain is a member state until the transition ends",
      "GB",
      "SW1A 1AA",
      "2020-12-31",
      "GB:mainland",
    ],
    ["Great Britain is outside from 2021", "GB", "SW1A 1AA", "2021-01-01", "outside:GB"],
    ["Belfast is in the United Kingdom until 2020", "GB", "BT1 1AA", "2020-12-31", "GB:mainland"],
    ["Belfast is Northern Ireland from 2021", "GB", "BT1 1AA", "2021-01-01", "XI:mainland"],
    ["XI is the United Kingdom until 2020", "XI", "BT1 1AA", "2020-12-31", "GB:mainland(XI)"],
    ["the Isle of Man is inside until 2020", "IM", "IM1 1AA", "2020-12-31", "GB:mainland(IM)"],
    ["the Isle of Man is outside from 2021", "IM", "IM1 1AA", "2021-01-01", "outside:IM"],
    ["Croatia is outside until June 2013", "HR", "10000", "2013-06-30", "outside:HR"],
    ["Croatia is inside from July 2013", "HR", "10000", "2013-07-01", "HR:mainland"],
    ["Romania is outside until 2006", "RO", "010011", "2006-12-31", "outside:RO"],
    ["Romania is inside from 2007", "RO", "010011", "2007-01-01", "RO:mainland"],
    [
      "Campione is outside VAT before it is inside customs",
      "IT",
      "22061",
      "2019-12-31",
      "outside:IT/campione",
    ],
    [
      "Campione is outside VAT after it is inside customs",
      "IT",
      "22061",
      "2020-01-01",
      "outside:IT/campione",
    ],
    ["Chios has reduced rates before 2026", "GR", "82100", "2025-12-31", "GR:aegean_islands"],
    ["Leros has reduced rates before 2026", "GR", "85400", "2025-12-31", "GR:aegean_islands"],
    ["Kos has reduced rates before 2026", "GR", "85300", "2025-12-31", "GR:aegean_islands"],
    ["Nisyros has none before 2026", "GR", "85303", "2025-12-31", "GR:mainland"],
    ["Nisyros has reduced rates from 2026", "GR", "85303", "2026-01-01", "GR:aegean_islands"],
    ["Lemnos has none before 2026", "GR", "81400", "2025-12-31", "GR:mainland"],
    ["Lemnos has reduced rates from 2026", "GR", "81400", "2026-01-01", "GR:aegean_islands"],
  ])("%s", (_, country, postcode, day, expected) => {
    expect(wordsOf(country, postcode, day)).toBe(expected);
  });
});

describe("the name of a place", () => {
  test.each([
    ["a territory of Spain by its name", "ES", "35001", { phrase: "canarias" }],
    ["Spain by its country where the territory is not known", "ES", "", { country: "ES" }],
    ["a member state by its country", "DE", "10115", { country: "DE" }],
    ["a region by its name", "PT", "9500-119", { phrase: "azores" }],
    ["a state of unknown region by its country", "PT", "", { country: "PT" }],
    ["Monaco by its own code", "FR", "98000", { country: "MC" }],
    ["Northern Ireland by its name", "GB", "BT1 1AA", { phrase: "northern_ireland" }],
    ["places outside by their own code", "FI", "22100", { country: "AX" }],
    ["an enclave by its name", "DE", "78266", { phrase: "busingen" }],
  ])("%s", (_, country, postcode, name) => {
    const place = placeOf({ country, postcode }, civilDate(TODAY));
    expect(place && placeName(place)).toEqual(name);
  });
});

test.each([
  ["Germany is a member state", "DE", "10115", true],
  ["Northern Ireland is a member state", "XI", "", true],
  ["Monaco is of a member state", "MC", "", true],
  ["Spain is no other member state", "ES", "28001", false],
  ["the Canaries are no member state", "ES", "35001", false],
  ["Büsingen is of no member state", "DE", "78266", false],
  ["the United States are no member state", "US", "", false],
])("%s", (_, country, postcode, expected) => {
  const place = placeOf({ country, postcode }, civilDate(TODAY));
  expect(place && isMemberState(place)).toBe(expected);
});

test("there are 27 member states and Northern Ireland", () => {
  const codes = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI";
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  expect(pairs.filter((pair) => memberStateOn(pair, civilDate(TODAY))).join(" ")).toBe(codes);
});
