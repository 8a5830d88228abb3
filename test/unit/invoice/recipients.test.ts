import { expect, test } from "vitest";
import type { InvoiceRequest, Recipient } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { altaOf, issued, outcomeOf, refusalOf } from "../../support/builders/direct-invoicing.ts";
import { all } from "../../support/builders/facts.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  aQualified,
  aRequest,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const PERSON = { company: "María Pérez", vatNumber: "12345678Z", country: "ES" } as const;
const MONEGASQUE = {
  company: "Monaco SAM",
  vatNumber: "FR40303265045",
  country: "MC",
  address1: "Quai 1",
  postcode: "98000",
  city: "Monaco",
} as const;
const PASSPORT = { company: "Ann Lee", vatNumber: "YA1234567", country: "IT", idType: "03" } as const;
const UNKNOWN_PERSON = { ...PERSON, idType: "07" } as const;

test.each<[string, Partial<Recipient>, string]>([
  ["nothing", {}, "company vat_number country"],
  ["an identifier alone", { vatNumber: "B12345674" }, "company country"],
  ["no country", { company: "Cliente SL", vatNumber: "B12345674" }, "country"],
  ["no identifier, outside Spain and the EU", { company: "Acme", country: "GB" }, "vat_number id_type"],
  ["no identifier, in the EU", { company: "Acme", country: "GR" }, "vat_number"],
  ["no identifier, in Spain", { company: "Acme", country: "ES" }, "vat_number"],
  ["a type and no identifier", { company: "Acme", country: "GB", idType: "04" }, "vat_number"],
  ["no name", { vatNumber: "12345678Z", country: "ES" }, "company"],
  ["a name of which a record keeps nothing", { ...PERSON, company: `<"=">` }, "company"],
  ["a company without address", { ...PERSON, vatNumber: "B12345674" }, "address1 postcode city"],
  ["a company without postcode", { ...A_RECIPIENT, postcode: "" }, "postcode"],
  [
    "an EU VAT number without address",
    { ...PERSON, country: "BE", vatNumber: "BE0477472701" },
    "address1 postcode city",
  ],
])("a full invoice lists the missing members of a recipient with %s", (_, recipient, missing) => {
  expect(refusalOf(aRequest("e1", { recipient }))).toEqual({
    code: "recipient_required",
    facts: { missing: all(missing) },
    path: "recipient",
  });
});

test("a full invoice without recipient at all", () => {
  const { recipient: _, ...request } = aRequest("e1");
  expect(refusalOf(request).facts).toEqual({ missing: all("company vat_number country") });
});

test.each<[string, Recipient]>([
  ["a person with NIF", PERSON],
  ["a person with a passport", PASSPORT],
  ["a person that the census does not know", UNKNOWN_PERSON],
])("%s needs no address on a full invoice, and needs it on a qualified simplified one", (_, recipient) => {
  expect(outcomeOf(aRequest("e1", { recipient }))).toBe("issued");
  expect(refusalOf(aQualified("e1", { recipient })).facts).toEqual({
    missing: all("address1 postcode city"),
  });
  const address = { address1: "Calle 1", postcode: "36201", city: "Vigo" };
  expect(outcomeOf(aQualified("e1", { recipient: { ...recipient, ...address } }))).toBe("issued");
});

test.each<[string, Recipient, object]>([
  ["a NIF as NIF", { ...A_RECIPIENT, vatNumber: "es-b 12.345.674" }, { nif: "B12345674" }],
  [
    "an EU VAT number as 02, without country",
    { ...AN_EU_RECIPIENT, vatNumber: "0477472701" },
    { idType: "02", id: "BE0477472701" },
  ],
  [
    "Greece as EL",
    { ...AN_EU_RECIPIENT, vatNumber: "123456789", country: "GR" },
    { idType: "02", id: "EL123456789" },
  ],
  ["another identifier with type and country", PASSPORT, { idType: "03", country: "IT", id: "YA1234567" }],
  ["07 as IDOtro of ES", UNKNOWN_PERSON, { idType: "07", country: "ES", id: "12345678Z" }],
])("the record carries %s", (_, recipient, expected) => {
  const { recipients } = altaOf(issued(aRequest("e1", { recipient })));
  expect(recipients).toEqual([{ name: recipient.company, ...expected }]);
});

test("the issuer may invoice itself", () => {
  expect(outcomeOf(aRequest("e1", { recipient: { ...A_RECIPIENT, vatNumber: "B58378431" } }))).toBe("issued");
});

test.each([
  ["XI from 2021 on", "XI123456789", "2021-01-01", "issued"],
  ["XI before", "XI123456789", "2020-12-31", "recipient_type_not_allowed"],
  ["GB until 31 January 2021", "GB123456789", "2021-01-31", "issued"],
  ["GB after", "GB123456789", "2021-02-01", "recipient_type_not_allowed"],
])("%s, judged on the operation date", (_, vatNumber, date, expected) => {
  const recipient = { ...A_RECIPIENT, country: "GB", vatNumber, idType: "02" } as const;
  expect(outcomeOf(aRequest("e1", { recipient, operationDate: civilDate(date) }))).toBe(expected);
});

const WORKS = { lines: linesOf("1x100@21", { regime: "14" }), operationDate: civilDate("2027-03-01") };

test.each<[string, Partial<InvoiceRequest>, string]>([
  ["E5 to an EU VAT number", { lines: exempt("E5"), recipient: AN_EU_RECIPIENT }, "issued"],
  ["E5 to Monaco, with a number of France", { lines: exempt("E5"), recipient: MONEGASQUE }, "issued"],
  ["E5 to a NIF", { lines: exempt("E5") }, "recipient_type_not_allowed"],
  ["E5 to a passport", { lines: exempt("E5"), recipient: PASSPORT }, "recipient_type_not_allowed"],
  [
    "a correction of E5 to a passport",
    {
      ...correcting(aRequest("e1", { lines: exempt("E5"), recipient: PASSPORT }), []),
      rectifies: [elsewhere()],
    },
    "issued",
  ],
  ["E5 of IGIC to a NIF", { lines: exempt("E5", { tax: "03" }) }, "issued"],
  ["regime 10 to a NIF", { lines: notSubject("10") }, "issued"],
  ["regime 10 to a passport", { lines: notSubject("10"), recipient: PASSPORT }, "recipient_type_not_allowed"],
  ["regime 14 to a town hall", { ...WORKS, recipient: { ...A_RECIPIENT, vatNumber: "P2807900B" } }, "issued"],
  ["regime 14 to a ministry", { ...WORKS, recipient: { ...A_RECIPIENT, vatNumber: "S2833002E" } }, "issued"],
  ["regime 14 to a company", WORKS, "recipient_type_not_allowed"],
])("%s", (_, change, expected) => {
  expect(outcomeOf(aRequest("e1", change))).toBe(expected);
});

function exempt(qualification: "E5", change = {}) {
  return linesOf("1x100@0", { qualification, ...change });
}

function notSubject(regime: string) {
  return linesOf("1x100@0", { qualification: "N1", regime });
}

test("a country that the AEAT does not list is to blame where a record would name it", () => {
  const recipient = { ...A_RECIPIENT, country: "GP", vatNumber: "X1", idType: "04" } as const;
  expect(refusalOf(aRequest("e1", { recipient }))).toEqual({
    code: "tax_identifier_invalid",
    facts: { identifier: "X1", country: "GP", detail: { phrase: "country_not_listed", country: "GP" } },
    path: "recipient.country",
  });
  const named = { ...A_RECIPIENT, country: "GP", vatNumber: "ESB12345674" };
  expect(outcomeOf(aRequest("e1", { recipient: named }))).toBe("issued");
});
