/** Details for electronic invoices: their forms, their refusals, the fingerprint, and the issuer's own terms. */
import { describe, expect, test } from "vitest";
import { invoiceBody, toInvoiceRequest } from "../../../src/api/wire/invoice-body.ts";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { shapeProblems } from "../../../src/api/wire/problems.ts";
import { termsOf } from "../../../src/domain/invoice/payment-terms.ts";
import { fingerprintOf, prepareInvoice } from "../../../src/domain/invoice/prepare.ts";
import type { InvoiceRequest, Recipient } from "../../../src/domain/invoice/request.ts";
import type { IssuingSettings } from "../../../src/domain/invoice/settings.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { emailFrom } from "../../../src/domain/shared/email.ts";
import { bicFrom, ibanFrom, spacedIban } from "../../../src/domain/shared/iban.ts";
import { aState, issued, outcomeOf } from "../../support/builders/direct-invoicing.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  aRequest,
  aTicket,
  correcting,
  linesOf,
} from "../../support/builders/requests.ts";

const IBAN = "ES9121000418450200051332";
const TRANSFER = { means: "transfer", iban: IBAN } as const;
const USUAL = { payment: TRANSFER, dueDays: 30 };
const TERMS = { dueDate: civilDate("2026-12-31"), payment: TRANSFER };
const CENTRES: Recipient = { administrativeCentres: [{ role: "managing_body", code: "L01280796" }] };

describe("an IBAN", () => {
  test.each([
    ["of Spain", IBAN, IBAN],
    ["with spaces, in lower case", " es91 2100 0418 4502 0005 1332 ", IBAN],
    ["of Malta, with letters", "MT84MALT011000012345MTLCAST001S", "MT84MALT011000012345MTLCAST001S"],
    ["of Norway, the shortest", "NO9386011117947", "NO9386011117947"],
    ["with two digits exchanged", "ES9121000418450200051323", undefined],
    ["with another country", "FR9121000418450200051332", undefined],
    ["without country", "9121000418450200051332", undefined],
    ["of nothing", "", undefined],
    ["of 35 characters", `ES00${"1".repeat(31)}`, undefined],
  ])("%s", (_, text, iban) => {
    expect(ibanFrom(text)).toBe(iban);
  });

  test("is printed in groups of four", () => {
    expect(spacedIban(IBAN)).toBe("ES91 2100 0418 4502 0005 1332");
    expect(spacedIban("NO9386011117947")).toBe("NO93 8601 1117 947");
  });
});

test.each([
  ["caixesbb", "CAIXESBB"],
  ["CAIX ES BB XXX", "CAIXESBBXXX"],
  ["CAIXESBBX", undefined],
  ["CAI1ESBB", undefined],
  ["", undefined],
])("the BIC of %s is %s", (text, bic) => {
  expect(bicFrom(text)).toBe(bic);
});

test.each([
  [" Ana.Ruiz+F@Example.COM ", "ana.ruiz+f@example.com"],
  ["ana@xn--espaa-rta.example", "ana@xn--espaa-rta.example"],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
  [`${"a".repeat(65)}@example.com`, undefined],
  [`a@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(58)}.es`, undefined],
  ["ana@example", undefined],
  ["ana.@example.com", undefined],
  ["a..b@example.com", undefined],
  ["ana@-example.com", undefined],
  ["Ana <ana@example.com>", undefined],
  ["ana@example.com, eva@example.com", undefined],
  ["ana@example.com\r\nBcc: eva@example.com", undefined],
  ["añá@example.com", undefined],
])("the address of %j is %s", (text, email) => {
  expect(emailFrom(text)).toBe(email);
});

const BODY = {
  external_id: "e1",
  invoice_type: "F1",
  description: "Reparación",
  currency: "EUR",
  recipient: { company: "Ana Ruiz Gil", vat_number: "12345678Z", country: "ES" },
  lines: [{ description: "Silla", quantity: 1, price_unit: 10, tax_rate: 21 }],
};

function problemsOf(change: object): string[] {
  const sent = parseExactly(JSON.stringify({ ...BODY, ...change }));
  const read = invoiceBody.safeParse(sent);
  const { details = [] } = shapeProblems({ ...read, data: sent }, "en");
  return details.map(({ path, code }) => `${path} ${code}`);
}

function requestOf(change: object): InvoiceRequest {
  return toInvoiceRequest(invoiceBody.parse(parseExactly(JSON.stringify({ ...BODY, ...change }))));
}

const to = (change: object) => ({ recipient: { ...BODY.recipient, ...change } });
const ANA = { first_name: "Ana", surname_1: "Ruiz", surname_2: "Gil" };
const CENTRE = { role: "managing_body", code: "L01280796" };

describe("every problem of form at its place", () => {
  test.each<[string, object, readonly string[]]>([
    ["a transfer without account", { payment: { means: "transfer" } }, ["payment.iban required"]],
    ["a transfer to no account", { payment: { ...TRANSFER, iban: "ES00" } }, ["payment.iban invalid_value"]],
    [
      "a debit without mandate",
      { payment: { means: "direct_debit", iban: IBAN } },
      ["payment.mandate required"],
    ],
    ["an account beside cash", { payment: { means: "cash", iban: IBAN } }, ["payment.iban not_allowed"]],
    ["an account without means", { payment: { iban: IBAN } }, ["payment.iban not_allowed"]],
    ["a mandate of a transfer", { payment: { ...TRANSFER, mandate: "M" } }, ["payment.mandate not_allowed"]],
    ["a bank without account", { payment: { bic: "CAIXESBB" } }, ["payment.bic not_allowed"]],
    ["unknown means", { payment: { means: "bizum" } }, ["payment.means not_allowed"]],
    ["a long reference", { payment: { reference: "x".repeat(61) } }, ["payment.reference too_long"]],
    ["an unknown member", { payment: { ibann: IBAN } }, ["payment.ibann unknown_field"]],
    ["a day that is none", { due_date: "2026-02-30" }, ["due_date invalid_date"]],
    [
      "a period backwards",
      { invoicing_period: { start: "2026-02-01", end: "2026-01-31" } },
      ["invoicing_period.end invalid_value"],
    ],
    ["half a period", { invoicing_period: { start: "2026-02-01" } }, ["invoicing_period.end required"]],
    ["a reason of a sale", { rectification_reason: "01" }, ["rectification_reason not_allowed"]],
    [
      "an unknown reason",
      { rectification_reason: "17" },
      ["rectification_reason not_allowed", "rectification_reason not_allowed"],
    ],
    ["a long file reference", { file_reference: "x".repeat(21) }, ["file_reference too_long"]],
    ["no e-mail", to({ email: "ana" }), ["recipient.email invalid_value"]],
    [
      "an unknown scheme",
      to({ endpoint: { scheme: "ES", id: "1" } }),
      ["recipient.endpoint.scheme invalid_value"],
    ],
    [
      "a scheme that the list EAS lacks",
      to({ endpoint: { scheme: "0001", id: "1" } }),
      ["recipient.endpoint.scheme invalid_value"],
    ],
    ["a first name alone", to({ first_name: "Ana" }), ["recipient.surname_1 required"]],
    [
      "a second surname alone",
      to({ surname_2: "Gil" }),
      ["recipient.first_name required", "recipient.surname_1 required"],
    ],
    ["names of another", to({ ...ANA, surname_2: "Sol" }), ["recipient.first_name invalid_value"]],
    [
      "a role twice",
      to({ administrative_centres: [CENTRE, { ...CENTRE, code: "L01280797" }] }),
      ["recipient.administrative_centres.1.role invalid_value"],
    ],
    ["no centre", to({ administrative_centres: [] }), ["recipient.administrative_centres too_short"]],
    [
      "a code that is none",
      to({ administrative_centres: [{ ...CENTRE, code: "1" }] }),
      ["recipient.administrative_centres.0.code invalid_value"],
    ],
    ["an unknown unit", { lines: [{ ...BODY.lines[0], unit: "piece" }] }, ["lines.0.unit invalid_value"]],
    [
      "a code of 51 characters",
      { lines: [{ ...BODY.lines[0], item_code: "x".repeat(51) }] },
      ["lines.0.item_code too_long"],
    ],
  ])("%s", (_, change, problems) => {
    expect(problemsOf(change)).toEqual(problems);
  });
});

describe("the canonical form", () => {
  test.each<[string, object, object]>([
    [
      "of an account",
      { payment: { ...TRANSFER, iban: "es91 2100 0418 4502 0005 1332" } },
      { payment: TRANSFER },
    ],
    ["of an e-mail", to({ email: " Ana@Example.com" }), to({ email: "ana@example.com" })],
    [
      "of a centre",
      to({ administrative_centres: [{ ...CENTRE, code: "l01280796" }] }),
      to({ administrative_centres: [CENTRE] }),
    ],
    ["of an empty payment", { payment: {} }, {}],
    ["of a payment of nulls", { payment: { means: null } }, {}],
    ["of an empty delivery", { delivery: {} }, {}],
    ["of absent members", { due_date: null, payment: null, invoicing_period: null }, {}],
  ])("%s is one, and has one fingerprint", (_, spelt, plain) => {
    expect(requestOf(spelt)).toEqual(requestOf(plain));
    expect(fingerprintOf(requestOf(spelt))).toBe(fingerprintOf(requestOf(plain)));
  });

  test.each<[string, object]>([
    ["due_date", { due_date: "2026-12-31" }],
    ["payment", { payment: { means: "cash" } }],
    ["buyer_reference", { buyer_reference: "A" }],
    ["order_reference", { order_reference: "A" }],
    ["contract_reference", { contract_reference: "A" }],
    ["file_reference", { file_reference: "A" }],
    ["delivery", { delivery: { country: "FR" } }],
    ["invoicing_period", { invoicing_period: { start: "2026-01-01", end: "2026-01-01" } }],
    ["recipient.email", to({ email: "ana@example.com" })],
    ["recipient.accepts_electronic", to({ accepts_electronic: false })],
    ["recipient.endpoint", to({ endpoint: { scheme: "EM", id: "ana@example.com" } })],
    ["recipient.province", to({ province: "Madrid" })],
    ["the parts of the name", to(ANA)],
    ["recipient.administrative_centres", to({ administrative_centres: [CENTRE] })],
    ["unit", { lines: [{ ...BODY.lines[0], unit: "HUR" }] }],
    ["item_code", { lines: [{ ...BODY.lines[0], item_code: "SKU" }] }],
  ])("%s is part of the request: another value is another invoice", (_, change) => {
    expect(fingerprintOf(requestOf(change))).not.toBe(fingerprintOf(requestOf({})));
  });
});

describe("refused by the rules", () => {
  const email = (change: Recipient = {}): Recipient => ({ email: "ana@example.com", ...change });

  test.each<[string, InvoiceRequest, string]>([
    ["due on the day of issue", aRequest("e", { dueDate: civilDate("2026-11-27") }), "issued"],
    ["due the day before", aRequest("e", { dueDate: civilDate("2026-11-26") }), "due_date_before_issue"],
    ["paid today", aRequest("e", { payment: { paidOn: civilDate("2026-11-27") } }), "issued"],
    ["paid tomorrow", aRequest("e", { payment: { paidOn: civilDate("2026-11-28") } }), "paid_on_in_future"],
    ["centres of a body with NIF", aRequest("e", { recipient: { ...A_RECIPIENT, ...CENTRES } }), "issued"],
    [
      "centres of a company abroad",
      aRequest("e", { recipient: { ...AN_EU_RECIPIENT, ...CENTRES } }),
      "administrative_centres_not_allowed",
    ],
    ["centres of nobody", aTicket("e", { recipient: CENTRES }), "administrative_centres_not_allowed"],
    ["an e-mail alone on a ticket", aTicket("e", { recipient: email() }), "issued"],
    ["an e-mail alone on a full invoice", aRequest("e", { recipient: email() }), "recipient_required"],
    ["a simplified invoice with all of them", aTicket("e", { ...TERMS, recipient: email() }), "issued"],
  ])("%s", (_, request, outcome) => {
    expect(outcomeOf(request)).toBe(outcome);
  });
});

describe("the issuer's own terms", () => {
  const documentOf = (request: InvoiceRequest, settings: Partial<IssuingSettings> = { terms: USUAL }) =>
    issued(request, { after: aState(settings) }).document;

  test.each<[string, Partial<InvoiceRequest>, object]>([
    ["are those of an invoice that states none", {}, { dueDate: "2026-12-27", payment: TRANSFER }],
    [
      "leave a due date that was sent",
      { dueDate: civilDate("2026-11-30") },
      { dueDate: "2026-11-30", payment: TRANSFER },
    ],
    [
      "leave means that were sent",
      { payment: { means: "cash" } },
      { dueDate: "2026-12-27", payment: { means: "cash" } },
    ],
    [
      "complete a reference",
      { payment: { reference: "RF18" } },
      { dueDate: "2026-12-27", payment: { ...TRANSFER, reference: "RF18" } },
    ],
    [
      "are none of a paid invoice",
      { payment: { paidOn: civilDate("2026-11-27") } },
      { payment: { paidOn: "2026-11-27" } },
    ],
    ["are none where nothing is to be paid", { lines: linesOf("1x0@21") }, {}],
    [
      "are none where all is withheld",
      { lines: linesOf("1x100@0", { qualification: "E1" }), withholdingRate: decimal("100") },
      {},
    ],
    [
      "are those of disbursements alone",
      { lines: linesOf("1x0@21"), disbursements: [{ description: "Tasa", amount: decimal("10") }] },
      { dueDate: "2026-12-27", payment: TRANSFER },
    ],
  ])("%s", (_, change, terms) => {
    expect(termsOf(documentOf(aRequest("e", change)))).toEqual(terms);
  });

  test("are no part of the request or of its fingerprint", () => {
    const request = aRequest("e");
    const document = documentOf(request);
    const bare = documentOf(request, {});
    expect(document.request).toEqual(prepareInvoice(request).request);
    expect(document.fingerprint).toBe(bare.fingerprint);
    expect(bare).not.toHaveProperty("terms");
  });

  test("are none of a refund", () => {
    const refund = correcting(aRequest("back", { lines: linesOf("-1x100@21") }), ["e"]);
    const { document } = issued([aRequest("e"), refund], { after: aState({ terms: USUAL }) });
    expect(document.totals.total).toBe("-121");
    expect(termsOf(document)).toEqual({});
  });
});
