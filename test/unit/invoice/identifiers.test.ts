import { describe, expect, test } from "vitest";
import { COUNTRIES, isCountry } from "../../../src/domain/shared/country.ts";
import type { Fact } from "../../../src/domain/shared/fact.ts";
import {
  nifFrom,
  type StatedIdentifier,
  taxIdentifierFrom,
} from "../../../src/domain/shared/tax-identifier.ts";
import { COUNTRY_CODES } from "../../../src/domain/verifactu/aeat-lists.ts";

describe("NIF", () => {
  test.each([
    ["DNI", "12345678Z 00000000T 99999999R 89890001K 01234567L"],
    ["NIE", "X0000000T X1234567L Y1234567X Z1234567R"],
    ["K, L and M of persons without DNI or NIE", "K1234567L L1234567L M1234567L"],
    ["companies, with a digit as control", "A58818501 A28015865 A15075062 B58378431 B12345674 A46103834"],
    [
      "communities, cooperatives, associations",
      "E12345674 F12345674 G28034718 H12345674 C12345674 D12345674",
    ],
    ["civil companies and joint ventures", "J99216582 U12345674 V12345674"],
    ["public bodies, with a letter as control", "P2807900B P0801900B Q2826000H Q2818014I S2833002E"],
    ["foreign and religious entities", "N0049001A W0049001A R1234567D N1234567D"],
    ["a company not resident in Spain, with a letter", "A0012345E"],
  ])("of %s", (_, nifs) => {
    expect(nifs.split(" ").filter((nif) => nifFrom(nif) !== nif)).toEqual([]);
  });

  test.each([
    ["a wrong control letter", "12345678A 89890001L X1234567M K1234567M"],
    ["a wrong control digit", "A58818502 B12345670 B12345675"],
    ["a wrong control of a public body", "Q2826000A P2807900C"],
    ["a digit where a public body has a letter", "Q28260008 P28079002 S28330025"],
    ["a letter where a company has a digit", "B1234567D A5881850A E1234567D H1234567D"],
    ["a letter that no entity has", "O1234567D I12345674 T12345674"],
    ["too short", "1234567Z 12345678 B1234567"],
    ["too long", "123456789Z 012345678Z"],
    ["another country's prefix", "FR12345678Z"],
    ["nothing", " - . "],
  ])("not with %s", (_, texts) => {
    expect(texts.split(" ").filter((text) => nifFrom(text) !== undefined)).toEqual([]);
  });

  test.each([
    "B12345674",
    "b12345674",
    "ESB12345674",
    "ES B12345674",
    "es-b12345674",
    " B-12.345.674 ",
    "B 1234567 4",
    "B\u00A012345674",
  ])("%s is spelt another way and is the same", (text) => {
    expect(nifFrom(text)).toBe("B12345674");
  });
});

test.each<[string, StatedIdentifier, unknown]>([
  ["a company's NIF", spain("b-12345674"), { kind: "nif", nif: "B12345674", entity: true }],
  ["a person's NIF", spain("12345678-z"), { kind: "nif", nif: "12345678Z", entity: false }],
  ["a NIE", spain("X-1234567-L"), { kind: "nif", nif: "X1234567L", entity: false }],
  ["an M of a foreigner", spain("M1234567L"), { kind: "nif", nif: "M1234567L", entity: false }],
  ["a NIF without country", { vatNumber: "B12345674" }, { kind: "nif", nif: "B12345674", entity: true }],
  [
    "a NIF with prefix, address abroad",
    of("FR", "ESB12345674"),
    { kind: "nif", nif: "B12345674", entity: true },
  ],
  ["a wrong NIF", spain("B12345670"), "tax_identifier_invalid"],
  ["a wrong NIF with prefix, address abroad", of("US", "ESB12345670"), "tax_identifier_invalid"],
  ["a French number for Spain", spain("FR12345678901"), "tax_identifier_invalid"],
])("Spain: %s", (_, stated, expected) => {
  expect(read(stated)).toEqual(expected);
});

test.each(["BE0477472701", "0477472701", " be 0477.472.701 ", "be-0477-472-701", "BE 0477 472 701"])(
  "Belgium: %s is BE0477472701",
  (vatNumber) => {
    expect(read(of("BE", vatNumber))).toEqual({ kind: "eu_vat", id: "BE0477472701", prefix: "BE" });
    expect(read(of("BE", vatNumber, "02"))).toEqual({ kind: "eu_vat", id: "BE0477472701", prefix: "BE" });
  },
);

/** One number per member state, in the AEAT's form. */
const EU_NUMBERS = (
  "ATU12345678 BE0477472701 BG123456789 BG1234567890 CY12345678X CZ12345678 CZ1234567890 DE123456789 DK12345678 " +
  "EE123456789 EL123456789 FI12345678 FR12345678901 FRXX345678901 HR12345678901 HU12345678 IE1234567X " +
  "IE1234567XA IT12345678901 LT123456789 LT123456789012 LU12345678 LV12345678901 MT12345678 " +
  "NL123456789B01 PL1234567890 PT123456789 RO12 RO1234567890 SE123456789012 SI12345678 SK1234567890"
).split(" ");

test.each(EU_NUMBERS)("%s is the VAT number of its country, with its prefix and without", (id) => {
  const prefix = id.slice(0, 2);
  const country = prefix === "EL" ? "GR" : prefix;
  expect(read(of(country, id))).toEqual({ kind: "eu_vat", id, prefix });
  expect(read(of(country, id, "02"))).toEqual({ kind: "eu_vat", id, prefix });
  expect(read(of(country, id.slice(2).toLowerCase()))).toEqual({ kind: "eu_vat", id, prefix });
});

test.each<[string, StatedIdentifier, unknown]>([
  [
    "Greece is EL in the number",
    of("GR", "EL123456789"),
    { kind: "eu_vat", id: "EL123456789", prefix: "EL" },
  ],
  [
    "also where it is written GR",
    of("GR", "GR123456789"),
    { kind: "eu_vat", id: "EL123456789", prefix: "EL" },
  ],
  ["Northern Ireland is XI", of("GB", "XI123456789"), { kind: "eu_vat", id: "XI123456789", prefix: "XI" }],
  ["Northern Ireland by its own code", of("XI", "XI123456789"), vat("XI123456789")],
  ["the same without the prefix", of("XI", "123456789"), vat("XI123456789")],
  ["Monaco has numbers of France", of("MC", "FR40303265045"), vat("FR40303265045")],
  ["the same with its type", of("MC", "FR40303265045", "02"), vat("FR40303265045")],
  ["the same without the prefix", of("MC", "40303265045"), vat("FR40303265045")],
  ["a number of Italy in Monaco", of("MC", "IT12345678901"), "tax_identifier_invalid"],
  ["a document of Monaco", of("MC", "12-34", "04"), other("04", "MC", "12-34")],
  ["the Isle of Man is as Great Britain", of("IM", "GB123456789"), "tax_identifier_type_required"],
  ["also until 2021", of("IM", "GB123456789", "02"), { kind: "eu_vat", id: "GB123456789", prefix: "GB" }],
  [
    "GB was one until 2021",
    of("GB", "GB123456789", "02"),
    { kind: "eu_vat", id: "GB123456789", prefix: "GB" },
  ],
  ["GB is no longer taken for one", of("GB", "GB123456789"), "tax_identifier_type_required"],
  ["a digit too few", of("DE", "DE12345678"), "tax_identifier_invalid"],
  ["a digit too many", of("DE", "DE1234567890"), "tax_identifier_invalid"],
  ["a letter among digits", of("DE", "DE12345678A"), "tax_identifier_invalid"],
  ["a Romanian leading zero", of("RO", "RO0123456"), "tax_identifier_invalid"],
  ["the prefix of another country", of("DE", "FR12345678901"), "tax_identifier_invalid"],
  ["the same without a country", { vatNumber: "FR12345678901", idType: "02" }, vat("FR12345678901")],
  ["an identity card that begins as a prefix", of("IT", "AT123456"), "tax_identifier_type_required"],
  ["a number with the form after the prefix", of("IT", "ATU12345678"), "tax_identifier_invalid"],
  ["the same card with its type", of("IT", "AT123456", "04"), other("04", "IT", "AT123456")],
  ["the same card as 02", of("IT", "AT123456", "02"), "tax_identifier_invalid"],
  ["a VAT number that begins as another's prefix", of("CY", "AT1234567"), vat("CYAT1234567")],
  ["type 02 of a country outside the EU", of("US", "123456789", "02"), "tax_identifier_invalid"],
  ["type 02 of Spain", spain("B12345674", "02"), "tax_identifier_invalid"],
  ["a document of an EU country needs its type", of("IT", "YA1234567"), "tax_identifier_type_required"],
  ["as one of any other country does", of("US", "98-7654321"), "tax_identifier_type_required"],
])("EU: %s", (_, stated, expected) => {
  expect(read(stated)).toEqual(expected);
});

test.each<[string, StatedIdentifier, unknown]>([
  ["03 passport", of("IT", " ya1234567 ", "03"), other("03", "IT", "YA1234567")],
  ["03 passport, also of Spain", spain("PAA123456", "03"), other("03", "ES", "PAA123456")],
  ["04 official document", of("US", "98-7654321", "04"), other("04", "US", "98-7654321")],
  [
    "04 of an EU company that VIES does not know",
    of("DE", "HRB 12345", "04"),
    other("04", "DE", "HRB 12345"),
  ],
  ["05 certificate of residence", of("MA", "C-1", "05"), other("05", "MA", "C-1")],
  ["06 other proof", of("CN", "X".repeat(20), "06"), other("06", "CN", "X".repeat(20))],
  ["07 a person not in the census", spain("12345678z", "07"), other("07", "ES", "12345678Z")],
  ["07 of a company", spain("B12345674", "07"), "tax_identifier_invalid"],
  ["07 with a wrong letter", spain("12345678A", "07"), "tax_identifier_invalid"],
  ["07 of another country", of("PT", "12345678Z", "07"), "tax_identifier_invalid"],
  ["04 of Spain", spain("12345678Z", "04"), "tax_identifier_invalid"],
  ["05 of Spain", spain("12345678Z", "05"), "tax_identifier_invalid"],
  ["06 of Spain", spain("12345678Z", "06"), "tax_identifier_invalid"],
  ["04 without country", { vatNumber: "98-7654321", idType: "04" }, "tax_identifier_invalid"],
  ["more than 20 characters", of("CN", "X".repeat(21), "06"), "tax_identifier_invalid"],
  ["characters that a record does not take", of("CN", "<1>", "06"), "tax_identifier_invalid"],
])("id_type %s", (_, stated, expected) => {
  expect(read(stated)).toEqual(expected);
});

test.each<[string, StatedIdentifier, Fact]>([
  ["a wrong NIF", spain("B12345670"), { phrase: "nif_control_character" }],
  [
    "a prefix and a country that contradict each other",
    of("DE", "FR12345678901"),
    { phrase: "prefix_contradicts_country", prefix: "FR", country: "DE" },
  ],
  ["the form of another number", of("DE", "DE1"), { phrase: "vat_form", prefix: "DE" }],
  [
    "02 of a country outside the EU",
    of("US", "1", "02"),
    { phrase: "country_without_eu_vat", country: "US" },
  ],
  ["02 without prefix and country", { vatNumber: "1", idType: "02" }, { phrase: "country_missing" }],
  ["07 of another country", of("PT", "1", "07"), { phrase: "id_type_07_needs_spain" }],
  ["07 of a company", spain("B12345674", "07"), { phrase: "id_type_07_needs_person" }],
  ["04 of Spain", spain("1", "04"), { phrase: "spain_needs_nif" }],
  ["too long an identifier", of("CN", "X".repeat(21), "06"), { phrase: "id_form" }],
])("the fault says why: %s", (_, stated, expected) => {
  expect(taxIdentifierFrom(stated)).toMatchObject({ ok: false, error: { detail: expected } });
});

test("a record names countries by the AEAT's list, which is shorter than ISO's", () => {
  const refused = [...COUNTRIES].filter(
    (country) => read(of(country, "X1", "06")) === "tax_identifier_invalid",
  );
  expect(refused.sort()).toEqual(["AX", "BL", "EH", "ES", "GF", "GP", "MF", "MQ", "SJ"]);
  expect(taxIdentifierFrom(of("GP", "X1", "06"))).toMatchObject({
    error: { detail: { phrase: "country_not_listed", country: "GP" } },
  });
});

test("ISO 3166-1 has 249 countries, without the AEAT's own codes", () => {
  expect(COUNTRIES.size).toBe(249);
  expect([...COUNTRY_CODES].filter((code) => !isCountry(code)).sort()).toEqual([
    "QU",
    "XB",
    "XG",
    "XN",
    "XU",
  ]);
});

function read(stated: StatedIdentifier): unknown {
  const identifier = taxIdentifierFrom(stated);
  return identifier.ok ? identifier.value : identifier.error.code;
}

function of(country: string, vatNumber: string, idType?: string): StatedIdentifier {
  return { country, vatNumber, ...(idType === undefined ? {} : { idType }) };
}

function spain(vatNumber: string, idType?: string): StatedIdentifier {
  return of("ES", vatNumber, idType);
}

function vat(id: string) {
  return { kind: "eu_vat", id, prefix: id.slice(0, 2) };
}

function other(idType: string, country: string, id: string) {
  return { kind: "other", idType, country, id };
}
