/** The members of a record that an owner may amend, by the rules under which it was issued. */
import { describe, expect, test } from "vitest";
import type { AmendmentRequest } from "../../../src/domain/invoice/decide-amendment.ts";
import { newestRegistration } from "../../../src/domain/invoice/invoice-view.ts";
import { directOrigin } from "../../../src/domain/invoice/origin.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { RegistrationContent } from "../../../src/domain/verifactu/record.ts";
import { viewCorrections } from "../../../src/ledger/corrections/offered-corrections.ts";
import { aSandbox } from "../../support/authority/authority.ts";
import { aSubmitter } from "../../support/authority/submitter.ts";
import { correcting, operationsIn, withStanding } from "../../support/builders/corrections.ts";
import {
  cancelling,
  codeOf,
  issueAll,
  type State,
  theSettings,
  viewOf,
} from "../../support/builders/direct-invoicing.ts";
import {
  A_RECIPIENT,
  aQualified,
  aRequest,
  aTicket,
  linesOf,
  correcting as rectifying,
} from "../../support/builders/requests.ts";

const AGREEMENT = { number: "A-1", limit: decimal("10000"), agreementNumber: "ACUERDO-1" };
const AUTHORISED = {
  lines: linesOf("1x3000@21", { lineId: "l1" }),
  attestation: {
    ...{ legalBasis: "tax_authority_authorisation", buyerRole: "consumer", lineIds: ["l1"] },
    authorisation: { number: "A-1", limit: decimal("10000") },
  },
} as const satisfies Partial<InvoiceRequest>;
const CHEAPER = { ...AUTHORISED, lines: linesOf("1x1000@21", { lineId: "l1" }) };
const ANA = { company: "Ana Pérez", vatNumber: "12345678Z" };
const OTHER = { company: "Otra SL", vatNumber: "es b-12345674" };

const REQUESTS = {
  full: aRequest("e1"),
  ticket: aTicket("e1"),
  qualified: aQualified("e1"),
  dated: aRequest("e1", { operationDate: civilDate("2026-10-31") }),
  exported: aRequest("e1", {
    lines: linesOf("1x100@0", { qualification: "E5" }),
    recipient: {
      company: "Acme",
      vatNumber: "BE0477472701",
      country: "BE",
      address1: "1",
      postcode: "1",
      city: "B",
    },
  }),
  person: aQualified("e1", { recipient: { ...A_RECIPIENT, ...ANA } }),
  american: aRequest("e1", { recipient: { ...ANA, vatNumber: "X1", country: "US", idType: "04" } }),
  belgian: aRequest("e1", {
    recipient: { company: "Acme", vatNumber: "0477 472 701", country: "BE", idType: "04" },
  }),
  reduced: aRequest("e1", { lines: linesOf("1x100@5"), operationDate: civilDate("2024-01-15") }),
  authorised: aTicket("e1", AUTHORISED),
  cheaper: aTicket("e1", CHEAPER),
} as const;

type Which = keyof typeof REQUESTS;

function rejected(which: Which): State {
  const issued = issueAll([REQUESTS[which]], { settings: { authorisation: AGREEMENT } });
  return withStanding(issued, "e1", { state: "rejected", code: 1100 });
}

function amending(which: Which, change: AmendmentRequest) {
  const before = rejected(which);
  const stored = before.invoices.get(directOrigin("e1"));
  if (!stored) throw new Error("it was issued");
  const correction = { correction: "amend", change } as const;
  const { outcomes } = issueAll([correcting(stored.view, correction, "r1")], { after: before });
  return { before: stored.view, outcome: outcomes[0] };
}

describe("the allowed amendments", () => {
  test.each<[string, Which, AmendmentRequest, Partial<Record<keyof RegistrationContent, unknown>>]>([
    [
      "the issuer's name, as a record has it",
      "full",
      { issuerName: " Norte «A» = B " },
      { issuerName: "Norte «A» B" },
    ],
    ["a long one, cut", "full", { issuerName: "ñ".repeat(200) }, { issuerName: "ñ".repeat(120) }],
    ["the description", "full", { description: "<b>Otra</b>" }, { description: "b Otra /b" }],
    ["a recipient", "full", { recipient: OTHER }, { recipients: [{ name: "Otra SL", nif: "B12345674" }] }],
    [
      "by the passport that the number is of",
      "american",
      { recipient: { ...ANA, vatNumber: "x-1", country: "CA", idType: "03" } },
      { recipients: [{ name: "Ana Pérez", idType: "03", country: "CA", id: "X-1" }] },
    ],
    [
      "by the EU VAT number that it is",
      "belgian",
      { recipient: { company: "Acme", vatNumber: "0477472701", country: "BE" } },
      { recipients: [{ name: "Acme", idType: "02", id: "BE0477472701" }] },
    ],
    [
      "not in the census",
      "person",
      { recipient: { ...ANA, country: "ES", idType: "07" } },
      { recipients: [{ name: "Ana Pérez", idType: "07", country: "ES", id: "12345678Z" }] },
    ],
    [
      "an operation date",
      "full",
      { operationDate: civilDate("2026-10-01") },
      { operationDate: "01-10-2026" },
    ],
    [
      "none where it is the issue date",
      "dated",
      { operationDate: civilDate("2026-11-27") },
      { operationDate: undefined },
    ],
    ["an agreement number", "authorised", { agreementNumber: "ACUERDO-2" }, { agreementNumber: "ACUERDO-2" }],
    ["none where the total allows it", "cheaper", { agreementNumber: "" }, { agreementNumber: undefined }],
    [
      "several at once",
      "full",
      { recipient: OTHER, description: "Otra" },
      { description: "Otra", recipients: [{ name: "Otra SL", nif: "B12345674" }] },
    ],
    ["nothing, to send it again", "full", {}, {}],
  ])("%s", (_, which, change, expected) => {
    const { before, outcome } = amending(which, change);
    expect(codeOf(outcome)).toBe("corrected");
    if (!outcome) throw new Error("there is an outcome");
    const after = viewOf(outcome);
    const { content } = newestRegistration(after);
    const was = newestRegistration(before).content;
    const { reference, chain, amendment } = content;
    expect(content).toEqual({ ...was, ...expected, reference, chain, amendment });
    expect(amendment).toEqual({ previousRejection: "X" });
    expect(chain).toMatchObject({ first: false, hash: before.alta.record.hash });
    expect(after.document).toBe(before.document);
    expect(after.alta).toEqual(before.alta);
  });
});

describe("the refused amendments", () => {
  test.each<[string, Which, AmendmentRequest, string, string?]>([
    [
      "a name without anything left of it",
      "full",
      { issuerName: "<>" },
      "amended_text_invalid",
      "issuer_name",
    ],
    ["an empty one", "full", { issuerName: "" }, "amended_text_invalid", "issuer_name"],
    ["one too long", "full", { issuerName: "ñ".repeat(256) }, "amended_text_invalid", "issuer_name"],
    [
      "one with a control character",
      "full",
      { issuerName: "A\u0000" },
      "amended_text_invalid",
      "issuer_name",
    ],
    [
      "a description too long",
      "full",
      { description: "x".repeat(1001) },
      "amended_text_invalid",
      "description",
    ],
    ["a description without text", "full", { description: "= '" }, "description_without_text", "description"],
    ["a recipient of a ticket", "ticket", { recipient: OTHER }, "amended_recipient_not_allowed", "recipient"],
    [
      "one without a name",
      "full",
      { recipient: { ...ANA, company: " " } },
      "recipient_incomplete",
      "recipient",
    ],
    [
      "one without anything",
      "full",
      { recipient: { company: "", vatNumber: "" } },
      "recipient_incomplete",
      "recipient",
    ],
    [
      "a name over the limit",
      "full",
      { recipient: { ...ANA, company: "x".repeat(256) } },
      "amended_text_invalid",
      "recipient.company",
    ],
    [
      "a wrong NIF",
      "full",
      { recipient: { ...ANA, vatNumber: "12345678A" } },
      "tax_identifier_invalid",
      "recipient.vat_number",
    ],
    [
      "a control character in one",
      "full",
      { recipient: { ...ANA, vatNumber: "X\u00001", country: "US", idType: "04" } },
      "tax_identifier_invalid",
      "recipient.vat_number",
    ],
    [
      "a document without its kind",
      "full",
      { recipient: { ...ANA, vatNumber: "X1", country: "US" } },
      "tax_identifier_type_required",
      "recipient.vat_number",
    ],
    [
      "an entity that is said not to be in the census",
      "full",
      { recipient: { ...OTHER, country: "ES", idType: "07" } },
      "tax_identifier_invalid",
      "recipient.vat_number",
    ],
    [
      "a country that the AEAT does not list",
      "full",
      { recipient: { ...ANA, vatNumber: "X1", country: "MQ", idType: "04" } },
      "tax_identifier_invalid",
      "recipient.country",
    ],
    ["another person", "full", { recipient: ANA }, "amendment_names_another", "recipient.vat_number"],
    [
      "another company of the same name",
      "full",
      { recipient: { company: A_RECIPIENT.company, vatNumber: "B58378431" } },
      "amendment_names_another",
      "recipient.vat_number",
    ],
    [
      "another passport",
      "american",
      { recipient: { ...ANA, vatNumber: "X2", country: "US", idType: "03" } },
      "amendment_names_another",
      "recipient.vat_number",
    ],
    [
      "no VAT number of an intra-Community supply",
      "exported",
      { recipient: { company: "Acme", vatNumber: "0477472701", country: "BE", idType: "04" } },
      "recipient_type_not_allowed",
      "recipient.vat_number",
    ],
    [
      "a date after the issue",
      "full",
      { operationDate: civilDate("2026-11-28") },
      "operation_date_not_allowed",
      "operation_date",
    ],
    [
      "a date too long ago",
      "full",
      { operationDate: civilDate("2006-11-26") },
      "operation_date_not_allowed",
      "operation_date",
    ],
    [
      "a date on which the rate was not in force",
      "reduced",
      { operationDate: civilDate("2025-01-15") },
      "operation_date_not_allowed",
      "operation_date",
    ],
    ["a number without authorisation", "ticket", { agreementNumber: "A" }, "agreement_number_not_allowed"],
    ["a number with spaces", "authorised", { agreementNumber: "A 1" }, "agreement_number_invalid"],
    ["none where the total needs it", "authorised", { agreementNumber: "" }, "agreement_number_needed"],
  ])("%s", (_, which, change, code, path) => {
    const { outcome } = amending(which, change);
    expect(codeOf(outcome)).toBe(code);
    if (path !== undefined) expect(outcome).toMatchObject({ refusal: { path } });
  });

  test("an invoice that is not the connection's", () => {
    const before = rejected("full");
    const view = { ...viewIn(before), invoiceId: "in000none" };
    const { outcomes } = issueAll([correcting(view, { correction: "amend", change: {} }, "r1")], {
      after: before,
    });
    expect(codeOf(outcomes[0])).toBe("invoice_unknown");
  });

  test.each(["", " ", "x".repeat(501), "a\u0007"])("an annulment for the reason %j", (reason) => {
    const before = rejected("full");
    const step = correcting(viewIn(before), { correction: "annul", reason }, "r1");
    expect(codeOf(issueAll([step], { after: before }).outcomes[0])).toBe("cancellation_without_reason");
  });

  test("an annulment without consent, but not its repetition, nor an amendment", () => {
    const withdrawn = (state: State): State => ({
      ...state,
      books: { ...state.books, settings: { ...state.books.settings, consented: false } },
    });
    const annulment = { correction: "annul", reason: "Nunca existió" } as const;
    const first = withdrawn(rejected("full"));
    const code = (state: State, correction: Parameters<typeof correcting>[1]) =>
      codeOf(issueAll([correcting(viewIn(state), correction, "r1")], { after: state }).outcomes[0]);
    expect(code(first, annulment)).toBe("invoicing_not_enabled");
    expect(code(first, { correction: "amend", change: {} })).toBe("corrected");
    const cancelled = issueAll([cancelling("e1")], { after: rejected("full") });
    const failed = withStanding(cancelled, "e1", { state: "rejected", code: 1100 });
    expect(code(withdrawn(failed), annulment)).toBe("corrected");
  });

  test("an annulment of what another invoice acts on", () => {
    const part = rectifying(aRequest("r1", { lines: linesOf("-1x10@21") }), ["e1"]);
    const before = issueAll([aRequest("e1"), part]);
    const step = correcting(viewIn(before), { correction: "annul", reason: "Nunca existió" }, "r1");
    expect(codeOf(issueAll([step], { after: before }).outcomes[0])).toBe("cancellation_not_allowed");
  });
});

test("amendments add up: the next one begins with what the last one said", () => {
  const { outcome } = amending("full", { recipient: OTHER });
  if (!outcome) throw new Error("there is an outcome");
  const before = rejected("full");
  const amended = issueAll(
    [correcting(viewIn(before), { correction: "amend", change: { recipient: OTHER } }, "r1")],
    {
      after: before,
    },
  );
  const again = withStanding(amended, "e1", { state: "rejected", code: 1100 });
  const { outcomes } = issueAll(
    [correcting(viewIn(again), { correction: "amend", change: { description: "Otra" } }, "r2")],
    { after: again },
  );
  const [last] = outcomes.map(viewOf);
  if (!last) throw new Error("there is an outcome");
  expect(newestRegistration(last).content).toMatchObject({
    description: "Otra",
    recipients: [{ name: "Otra SL", nif: "B12345674" }],
  });
});

test("P57: not in the census, the remedy is offered, taken, and accepted with errors; the number stays", async () => {
  const issuer = { ...theSettings().issuer, name: "EMPRESA DE PRUEBA SL", nif: "89890001K" };
  const maria = { company: "MARIA PEREZ", vatNumber: "12345678Z", country: "ES" };
  const issued = issueAll([aRequest("e1", { recipient: maria })], { settings: { issuer } });
  const sandbox = aSandbox({ not_in_census: ["12345678Z"] });
  const submitter = aSubmitter(sandbox, issued.records);
  await submitter.runToEnd();
  const { position: _, ...first } = submitter.standing(1);
  const rejected = withStanding(issued, "e1", first);
  const stored = rejected.invoices.get(directOrigin("e1"));
  if (!stored) throw new Error("it was issued");
  const { advice, amend: offered, remedy, need } = viewCorrections(stored);
  expect({ advice: advice?.code, offered, need }).toEqual({
    advice: "recipient_unknown",
    offered: { offered: true, writes: { previousRejection: "X" }, effect: "registers" },
    need: "required",
  });
  const uncensused = { name: "MARIA PEREZ", idType: "07", country: "ES", id: "12345678Z" };
  expect(remedy).toEqual({ remedy: "not_in_census", change: { recipients: [uncensused] } });
  const taken = { correction: "remedy", remedy: "not_in_census" } as const;
  const amended = issueAll([correcting(stored.view, taken, "r1")], { after: rejected });
  const view = viewIn(amended);
  expect(operationsIn(view)).toBe("ALTA | ALTA S X");
  expect(newestRegistration(view).content).toMatchObject({
    key: { number: stored.view.fullNumber },
    recipients: [uncensused],
  });
  submitter.add([...issued.records, ...amended.records]);
  await submitter.runToEnd();
  expect(submitter.states()).toEqual(["rejected 1239", "accepted_with_errors 2001"]);
  const { position: __, ...second } = submitter.standing(2);
  const settled = withStanding(amended, "e1", second).invoices.get(directOrigin("e1"));
  if (!settled) throw new Error("it was issued");
  expect(viewCorrections(settled)).toMatchObject({
    need: "required",
    remedy: { remedy: "in_census", change: { recipients: [{ name: "MARIA PEREZ", nif: "12345678Z" }] } },
    advice: { code: "recipient_not_in_census" },
    amend: { offered: true, writes: { previousRejection: "N" }, effect: "replaces" },
    records: [
      { kind: "registration", state: "rejected", code: 1239 },
      { kind: "amendment", state: "accepted_with_errors", code: 2001 },
    ],
  });
});

describe("a person of whom the authority said 1239", () => {
  const declined = withStanding(
    issueAll([
      aRequest("e1", { recipient: { company: "Ana Pérez", vatNumber: "12345678Z", country: "ES" } }),
    ]),
    "e1",
    { state: "rejected", code: 1239 },
  );
  const corrected = (correction: Parameters<typeof correcting>[1]) =>
    issueAll([correcting(viewIn(declined), correction, "r1")], { after: declined });

  test("goes by the same NIF when the record is sent as it was", () => {
    const { recipients } = newestRegistration(viewIn(declined)).content;
    const again = viewIn(corrected({ correction: "amend", change: {} }));
    expect(operationsIn(again)).toBe("ALTA | ALTA S X");
    expect(newestRegistration(again).content.recipients).toEqual(recipients);
  });

  test("has no remedy of the other kind, and nothing is sent", () => {
    const { outcomes, records } = corrected({ correction: "remedy", remedy: "in_census" });
    expect(codeOf(outcomes[0])).toBe("amendment_changes_nothing");
    expect(records).toEqual([]);
  });
});

function viewIn({ invoices }: State) {
  const stored = invoices.get(directOrigin("e1"));
  if (!stored) throw new Error("it was issued");
  return stored.view;
}
