/** Of two faults the first in the list of refusals is reported. */
import { expect, test } from "vitest";
import { directOrigin } from "../../../src/domain/invoice/origin.ts";
import { ISSUE_REFUSALS, type IssueRefusalCode } from "../../../src/domain/invoice/refusal.ts";
import type { Attestation, InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import type { IssuingSettings } from "../../../src/domain/invoice/settings.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { cancelling, issueAll, outcomeOf } from "../../support/builders/direct-invoicing.ts";
import {
  A_RECIPIENT,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

type Row = readonly [
  first: IssueRefusalCode,
  second: IssueRefusalCode,
  request: InvoiceRequest,
  settings?: Partial<IssuingSettings>,
];

const DISBURSED = { disbursements: [{ description: "Tasa", amount: decimal("10") }] };
const USED = linesOf("1x1@21", { regime: "03" });
const TOMORROW = { operationDate: civilDate("2026-11-28") };
const NO_RATE = { currency: "USD" };
const FUTURE_RATE = {
  currency: "USD",
  exchangeRate: decimal("1.1"),
  exchangeRateDate: civilDate("2026-11-28"),
};
const DOLLARS = { ...FUTURE_RATE, exchangeRateDate: civilDate("2026-11-26") };
const CENTRES = { administrativeCentres: [{ role: "managing_body", code: "L01280796" }] } as const;
const OVERDUE = { dueDate: civilDate("2026-11-26") };
const PAID_TOMORROW = { payment: { paidOn: civilDate("2026-11-28") } };
const IGIC = linesOf("1x1@7", { tax: "03" });
const BAD_REGIME = linesOf("1x1@21", { regime: "12" });
const BAD_QUALIFICATION = linesOf("1x1@21", { qualification: "N1" });
const BAD_RATE = linesOf("1x1@5");
const BAD_SURCHARGE = linesOf("1x1@21", { surchargeRate: decimal("1.4") });
const TO_NIF_E5 = linesOf("1x1@0", { qualification: "E5" });
const N2 = linesOf("1x1@0", { qualification: "N2" });
const THIRTEEN = linesOf(Array.from({ length: 13 }, (_, rate) => `1x1@${rate}`).join(" "), { tax: "05" });
const HUGE = linesOf("1x999999999999@21");
const ATTESTED: Attestation = { legalBasis: "article_4_2", buyerRole: "consumer", lineIds: ["l1"] };
const AUTHORISED: Attestation = { ...ATTESTED, legalBasis: "tax_authority_authorisation" };
const THOUSANDS = linesOf("1x4000@0", { lineId: "l1" });

const OLD = civilDate("2006-01-01");
const LATELY = civilDate("2026-11-26");
const QUALIFIED = { regime: "art7_simplified", flags: ["qualified_simplified_art_7_2_3"] } as const;
const REBATE = correcting(aRequest("e9", { lines: linesOf("-1x1@21") }), [], {
  rectifiedPeriod: { from: LATELY, to: LATELY },
});

const ROWS: readonly Row[] = [
  [
    "invoice_erased",
    "direct_invoicing_not_supported_by_connection",
    aRequest("left"),
    { connectionKind: "commerce" },
  ],
  [
    "direct_invoicing_not_supported_by_connection",
    "invoicing_not_enabled",
    aRequest("e9"),
    { connectionKind: "commerce", consented: false },
  ],
  [
    "invoicing_not_enabled",
    "documentary_regime_mismatch",
    aTicket("e9", { regime: "art6_full" }),
    { consented: false },
  ],
  [
    "documentary_regime_mismatch",
    "withholding_not_allowed",
    aTicket("e9", { regime: "art6_full", withholdingRate: decimal("15") }),
  ],
  [
    "withholding_not_allowed",
    "disbursements_not_allowed",
    correcting(aTicket("e9", { withholdingRate: decimal("15"), ...DISBURSED }), ["ticket"]),
  ],
  ["disbursements_not_allowed", "description_without_text", fix({ ...DISBURSED, description: "<" })],
  ["description_without_text", "recipient_required", aRequest("e9", { description: "<", recipient: {} })],
  [
    "description_without_text",
    "recipient_not_allowed",
    aTicket("e9", { description: "<", recipient: A_RECIPIENT }),
  ],
  [
    "recipient_required",
    "tax_identifier_type_required",
    aRequest("e9", { recipient: { vatNumber: "1", country: "US" } }),
  ],
  [
    "recipient_required",
    "tax_identifier_invalid",
    aRequest("e9", { recipient: { vatNumber: "B1", country: "ES" } }),
  ],
  ["recipient_not_allowed", "exchange_rate_required", aTicket("e9", { recipient: A_RECIPIENT, ...NO_RATE })],
  [
    "tax_identifier_type_required",
    "exchange_rate_required",
    aRequest("e9", { ...NO_RATE, recipient: { company: "X", vatNumber: "1", country: "US" } }),
  ],
  [
    "tax_identifier_invalid",
    "exchange_rate_required",
    aRequest("e9", { ...NO_RATE, recipient: { ...A_RECIPIENT, vatNumber: "B1" } }),
  ],
  [
    "tax_identifier_invalid",
    "administrative_centres_not_allowed",
    aRequest("e9", { recipient: { ...A_RECIPIENT, ...CENTRES, country: "DE", vatNumber: "DE1" } }),
  ],
  [
    "administrative_centres_not_allowed",
    "exchange_rate_required",
    aTicket("e9", { ...NO_RATE, recipient: CENTRES }),
  ],
  ["exchange_rate_required", "due_date_before_issue", aRequest("e9", { ...NO_RATE, ...OVERDUE })],
  ["exchange_rate_invalid", "due_date_before_issue", aRequest("e9", { ...FUTURE_RATE, ...OVERDUE })],
  ["due_date_before_issue", "paid_on_in_future", aRequest("e9", { ...OVERDUE, ...PAID_TOMORROW })],
  ["paid_on_in_future", "rectified_reference_invalid", fix({ ...PAID_TOMORROW, rectifies: [ours()] })],
  ["exchange_rate_required", "rectified_reference_invalid", fix({ ...NO_RATE, rectifies: [ours()] })],
  ["exchange_rate_invalid", "rectified_reference_invalid", fix({ ...FUTURE_RATE, rectifies: [ours()] })],
  [
    "rectified_reference_invalid",
    "rectified_invoice_erased",
    fix({ rectifies: [{ externalId: "left" }, ours()] }),
  ],
  [
    "rectified_period_invalid",
    "operation_date_not_allowed",
    { ...REBATE, rectifiedPeriod: { from: OLD, to: civilDate("2005-12-31") } },
  ],
  [
    "rectified_period_not_negative",
    "simplified_line_not_eligible",
    { ...REBATE, ...QUALIFIED, lines: linesOf("1x1@0", { qualification: "S2" }) },
  ],
  ["total_out_of_range", "rectified_period_not_negative", { ...REBATE, lines: HUGE }],
  ["rectified_invoice_erased", "rectified_invoice_unknown", cite("nobody", "left")],
  ["rectified_invoice_unknown", "rectified_invoice_type_mismatch", cite("ticket", "nobody")],
  ["rectified_invoice_type_mismatch", "rectified_invoice_cancelled", cite("void", "ticket")],
  ["rectified_invoice_cancelled", "rectified_invoice_superseded", cite("old", "void")],
  ["rectified_invoice_superseded", "rectified_currency_mismatch", cite("dollars", "old")],
  [
    "rectified_currency_mismatch",
    "recipient_differs",
    { ...cite("dollars"), recipient: { ...A_RECIPIENT, vatNumber: "12345678Z" } },
  ],
  [
    "recipient_differs",
    "operation_date_not_allowed",
    { ...cite("refunded"), ...TOMORROW, recipient: { ...A_RECIPIENT, vatNumber: "12345678Z" } },
  ],
  ["rectified_currency_mismatch", "rectification_incomplete", instead(["refunded", "dollars"])],
  ["rectification_incomplete", "operation_date_not_allowed", { ...instead(["refunded"]), ...TOMORROW }],
  [
    "operation_date_not_allowed",
    "mixed_taxes",
    aRequest("e9", { ...TOMORROW, lines: [...linesOf("1x1@21"), ...IGIC] }),
  ],
  ["mixed_taxes", "regime_not_allowed", aRequest("e9", { lines: [...BAD_REGIME, ...IGIC] })],
  [
    "regime_not_allowed",
    "qualification_rate_mismatch",
    aRequest("e9", { lines: [...BAD_QUALIFICATION, ...BAD_REGIME] }),
  ],
  [
    "qualification_rate_mismatch",
    "tax_rate_not_allowed",
    aRequest("e9", { lines: [...BAD_RATE, ...BAD_QUALIFICATION] }),
  ],
  [
    "tax_rate_not_allowed",
    "surcharge_not_allowed",
    aRequest("e9", { lines: [...BAD_SURCHARGE, ...BAD_RATE] }),
  ],
  [
    "surcharge_not_allowed",
    "taxable_margin_required",
    aRequest("e9", { lines: [...USED, ...BAD_SURCHARGE] }),
  ],
  [
    "taxable_margin_required",
    "recipient_type_not_allowed",
    aRequest("e9", { lines: [...TO_NIF_E5, ...USED] }),
  ],
  [
    "taxable_margin_not_allowed",
    "recipient_type_not_allowed",
    aRequest("e9", { lines: [...TO_NIF_E5, ...linesOf("1x1@21", { taxableMargin: decimal("1") })] }),
  ],
  [
    "taxable_margin_out_of_range",
    "too_many_tax_groups",
    aRequest("e9", {
      pricesIncludeTax: true,
      lines: [...THIRTEEN, ...USED.map((line) => ({ ...line, taxableMargin: decimal("2") }))],
    }),
  ],
  [
    "surcharge_not_allowed",
    "recipient_type_not_allowed",
    aRequest("e9", { lines: [...TO_NIF_E5, ...BAD_SURCHARGE] }),
  ],
  [
    "recipient_type_not_allowed",
    "too_many_tax_groups",
    aRequest("e9", { lines: [...THIRTEEN, ...TO_NIF_E5] }),
  ],
  [
    "too_many_tax_groups",
    "rectification_exceeds",
    fix({ rectifies: [{ externalId: "refunded" }], lines: THIRTEEN.map(negative) }),
  ],
  [
    "too_many_tax_groups",
    "substitution_negative",
    { ...instead([]), rectifies: [elsewhere()], lines: THIRTEEN.map(negative) },
  ],
  [
    "substitution_negative",
    "total_out_of_range",
    { ...instead([]), rectifies: [elsewhere()], lines: HUGE.map(negative) },
  ],
  ["too_many_tax_groups", "replaced_amount_mismatch", replacing(THIRTEEN)],
  [
    "rectification_exceeds",
    "total_out_of_range",
    fix({ rectifies: [{ externalId: "refunded" }], lines: HUGE.map(negative) }),
  ],
  ["replaced_amount_mismatch", "total_out_of_range", replacing(HUGE)],
  ["total_out_of_range", "negative_total_needs_rectification", aRequest("e9", { lines: HUGE.map(negative) })],
  [
    "negative_total_needs_rectification",
    "simplified_line_not_eligible",
    aTicket("e9", { lines: N2.map(negative) }),
  ],
  [
    "simplified_line_not_eligible",
    "simplified_limit_exceeded",
    aTicket("e9", { lines: [...N2, ...linesOf("1x500@21")] }),
  ],
  [
    "simplified_line_not_eligible",
    "attestation_lines_mismatch",
    aTicket("e9", { lines: [...N2, ...linesOf("1x500@21")], attestation: ATTESTED }),
  ],
  [
    "attestation_lines_mismatch",
    "attestation_buyer_not_eligible",
    aTicket("e9", { lines: linesOf("1x500@21"), attestation: { ...ATTESTED, buyerRole: "professional" } }),
  ],
  [
    "attestation_buyer_not_eligible",
    "article_4_2_ceiling_exceeded",
    aTicket("e9", { lines: THOUSANDS, attestation: { ...ATTESTED, buyerRole: "professional" } }),
  ],
  [
    "attestation_buyer_not_eligible",
    "authorisation_mismatch",
    aTicket("e9", { lines: THOUSANDS, attestation: { ...AUTHORISED, buyerRole: "professional" } }),
  ],
  [
    "article_4_2_ceiling_exceeded",
    "document_too_large",
    aTicket("e9", { ...tooLong(), lines: THOUSANDS, attestation: ATTESTED }),
  ],
  [
    "authorisation_mismatch",
    "document_too_large",
    aTicket("e9", { ...tooLong(), lines: THOUSANDS, attestation: AUTHORISED }),
  ],
];

const AFTER = {
  ...issueAll([
    aTicket("ticket"),
    aRequest("void"),
    cancelling("void"),
    aRequest("old"),
    correcting(aRequest("new"), ["old"], { rectificationMethod: "substitution" }),
    aRequest("dollars", DOLLARS),
    aRequest("refunded"),
    correcting(aRequest("refund", { lines: linesOf("-1x10@21") }), ["refunded"]),
  ]),
  spent: new Map([[directOrigin("left"), 2018]]),
};

test.each(ROWS.map((row) => ({ first: row[0], second: row[1], request: row[2], settings: row[3] ?? {} })))(
  "$first before $second",
  ({ first, second, request, settings }) => {
    expect(ISSUE_REFUSALS.indexOf(first)).toBeLessThan(ISSUE_REFUSALS.indexOf(second));
    const books = { ...AFTER.books, settings: { ...AFTER.books.settings, ...settings } };
    expect(outcomeOf(request, { after: { ...AFTER, books } })).toBe(first);
  },
);

test("the last of all is that the document cannot be stored", () => {
  expect(outcomeOf(aRequest("e9", tooLong()))).toBe("document_too_large");
});

test("every refusal is in a row", () => {
  const told = new Set([...ROWS.map(([first]) => first), ...ROWS.map(([, second]) => second)]);
  expect(ISSUE_REFUSALS.filter((code) => !told.has(code))).toEqual([]);
});

function fix(change: Partial<InvoiceRequest>): InvoiceRequest {
  return correcting(aRequest("e9", { lines: linesOf("-1x1@21") }), [], change);
}

function cite(...externalIds: readonly string[]): InvoiceRequest {
  return fix({ rectifies: externalIds.map((externalId) => ({ externalId })) });
}

function instead(externalIds: readonly string[]): InvoiceRequest {
  return correcting(aRequest("e9"), externalIds, { rectificationMethod: "substitution" });
}

function replacing(lines: InvoiceRequest["lines"]): InvoiceRequest {
  return aRequest("e9", { invoiceType: "F3", rectifies: [{ externalId: "ticket" }], lines });
}

/** A number of this connection, cited as another system's. */
function ours() {
  return elsewhere({ number: "API-1-2026-000001" });
}

function negative(line: InvoiceRequest["lines"][number]) {
  return { ...line, quantity: decimal("-1") };
}

/** A description that no row of the database could hold; no request over HTTP is as long. */
function tooLong() {
  return { description: "x".repeat(1_900_000) };
}
