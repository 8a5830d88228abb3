/** Invoices that a request cites: found, of the right kind, in force. */
import { describe, expect, test } from "vitest";
import type { InvoiceRequest, InvoiceType } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  AN_INSTALLATION,
  altaOf,
  cancelling,
  issueAll,
  issued,
  outcomeOf,
  refusalOf,
} from "../../support/builders/direct-invoicing.ts";
import {
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const DOLLARS = { currency: "USD", exchangeRate: decimal("1.1"), exchangeRateDate: civilDate("2026-11-26") };
const BACK = { lines: linesOf("-1x10@21") };

describe("an invoice of this connection", () => {
  test.each<[string, InvoiceRequest, object]>([
    [
      "that does not exist",
      fix("e9", "nobody"),
      { code: "rectified_invoice_unknown", facts: { reference: "nobody" } },
    ],
    [
      "written in another case",
      fix("e9", "E1"),
      { code: "rectified_invoice_unknown", facts: { reference: "E1" } },
    ],
    [
      "that is the request itself",
      fix("e9", "e9"),
      { code: "rectified_invoice_unknown", facts: { reference: "e9" } },
    ],
    [
      "of another family",
      fix("e9", "ticket"),
      {
        code: "rectified_invoice_type_mismatch",
        facts: {
          invoice_type: "R1",
          reference: "API-1S-2026-000001",
          reference_type: "F2 art7_simplified",
          fix: { phrase: "send_simplified" },
          allowed: { phrase: "cites_full" },
        },
      },
    ],
    [
      "that is itself a part",
      fix("e9", "part"),
      {
        code: "rectified_invoice_type_mismatch",
        facts: {
          invoice_type: { phrase: "by_difference", invoice_type: "R1" },
          reference: "API-1R-2026-000001",
          reference_type: { phrase: "by_difference", invoice_type: "R1" },
          fix: { phrase: "cite_the_corrected", reference: "API-1R-2026-000001" },
          allowed: { phrase: "cites_no_part" },
        },
      },
    ],
    [
      "that was cancelled",
      fix("e9", "void"),
      { code: "rectified_invoice_cancelled", facts: { reference: "API-1-2026-000002" } },
    ],
    [
      "of another currency",
      fix("e9", "dollars"),
      { code: "rectified_currency_mismatch", facts: { reference: "API-1-2026-000003", currency: "USD" } },
    ],
  ])("%s", (_, request, expected) => {
    const after = issueAll([
      aRequest("e1"),
      aRequest("void"),
      cancelling("void"),
      aRequest("dollars", DOLLARS),
      aTicket("ticket"),
      fix("part", "e1"),
    ]);
    expect(refusalOf(request, { after })).toMatchObject(expected);
  });

  test("the path names the one to blame, and each rule is put to all before the next", () => {
    const after = issueAll([aRequest("e1"), cancelling("e1"), aTicket("ticket")]);
    const cite = (...externalIds: string[]) =>
      refusalOf(correcting(aRequest("e9", BACK), externalIds), { after });
    expect(cite("e1", "ticket")).toMatchObject({
      code: "rectified_invoice_type_mismatch",
      path: "rectifies.1",
    });
    expect(cite("e1", "ticket", "nobody")).toMatchObject({
      code: "rectified_invoice_unknown",
      path: "rectifies.2",
    });
  });

  test("a full one issued in the same group is found", () => {
    expect(outcomeOf([aRequest("e1"), fix("e2", "e1")])).toBe("issued");
  });

  test.each<InvoiceType>(["R1", "R2", "R3", "R4"])("any cause may follow another: %s", (invoiceType) => {
    expect(outcomeOf([aRequest("e1"), fix("e2", "e1"), fix("e3", "e1", { invoiceType })])).toBe("issued");
  });
});

describe("an invoice issued elsewhere", () => {
  const FULL = ["F1", "R1", "R2", "R3", "R4"];
  const SIMPLIFIED = ["F2", "R5"];
  const EVERY: readonly InvoiceType[] = ["F1", "F2", "F3", "R1", "R2", "R3", "R4", "R5"];

  test.each<[string, (cited: InvoiceType) => InvoiceRequest, readonly string[]]>([
    ["R1", (invoiceType) => ofElsewhere(aRequest("e1", BACK), { invoiceType }), FULL],
    ["qualified R1", (invoiceType) => ofElsewhere(aQualified("e1", BACK), { invoiceType }), FULL],
    ["R5", (invoiceType) => ofElsewhere(aTicket("e1", BACK), { invoiceType }), SIMPLIFIED],
    [
      "R1 by substitution",
      (invoiceType) => ({
        ...ofElsewhere(aRequest("e1"), { invoiceType }),
        rectificationMethod: "substitution" as const,
      }),
      ["F3", ...FULL],
    ],
    [
      "R5 without recipient",
      (invoiceType) => ofElsewhere(anUnnamed("e1", BACK), { invoiceType }),
      SIMPLIFIED,
    ],
    [
      "F3",
      (invoiceType) => aRequest("e1", { invoiceType: "F3", rectifies: [elsewhere({ invoiceType })] }),
      SIMPLIFIED,
    ],
  ])("%s may cite %#", (_, build, expected) => {
    const outcomes = EVERY.map((type) => [type, outcomeOf(build(type))]);
    expect(outcomes).toEqual(
      EVERY.map((type) => [type, expected.includes(type) ? "issued" : "rectified_invoice_type_mismatch"]),
    );
  });

  test.each<[string, string, string]>([
    ["today", "2026-11-27", "issued"],
    ["long ago", "2015-01-01", "issued"],
    ["tomorrow", "2026-11-28", "rectified_reference_invalid"],
  ])("issued %s: %s", (_, date, expected) => {
    const operationDate = civilDate("2026-11-20");
    const request = ofElsewhere(aRequest("e1", { ...BACK, operationDate }), { issueDate: civilDate(date) });
    expect(outcomeOf(request)).toBe(expected);
  });

  test.each<[string, string, string]>([
    ["the number of an invoice of this connection", "API-1-2026-000001", "rectified_reference_invalid"],
    ["a valid one", "API-1RS-2031-1000000", "rectified_reference_invalid"],
    ["one of another connection", "API-12-2026-000001", "issued"],
    ["a similar one", "API-1-2026-1", "issued"],
    ["one of an installation that was lost", "API-1b-2026-000001", "issued"],
  ])("cited by %s", (_, number, expected) => {
    expect(outcomeOf([aRequest("e1"), ofElsewhere(aRequest("e2", BACK), { number })])).toBe(expected);
  });

  test("a number that this connection has not given is corrected", () => {
    expect(refusalOf(ofElsewhere(aRequest("e2", BACK), { number: "API-1R-2026-000007" }))).toEqual({
      code: "rectified_reference_invalid",
      facts: {
        reference: "API-1R-2026-000007",
        detail: { phrase: "not_in_books" },
        fix: { phrase: "correct_number" },
      },
      path: "rectifies.0",
    });
  });

  test("a later installation knows its own numbers", () => {
    const settings = { installation: { ...AN_INSTALLATION, ordinal: 2 } };
    const number = "API-1b-2026-000001";
    expect(outcomeOf(ofElsewhere(aRequest("e1", BACK), { number }), { settings })).toBe(
      "rectified_reference_invalid",
    );
  });

  test("record and document name it as it is", () => {
    const view = issued(ofElsewhere(aRequest("e1", BACK), {}));
    expect(altaOf(view).rectified).toEqual([
      { issuerNif: "B58378431", number: "VIEJA/7", date: "01-03-2025" },
    ]);
    expect(view.document.cited).toEqual([{ number: "VIEJA/7", issueDate: "2025-03-01", invoiceType: "F1" }]);
  });
});

describe("a type that does not fit is refused with the fitting one, and with the types that its own may cite", () => {
  const AFTER = issueAll([
    aRequest("full"),
    aQualified("qualified"),
    aTicket("ticket"),
    anUnnamed("unnamed"),
  ]);
  const SENDS = { full: "send_full", qualified: "send_qualified", ticket: "send_simplified" } as const;

  test.each<[string, InvoiceRequest, string, string, string]>([
    ["R5 of an F1", citing(aTicket("e9", BACK), "full"), "F1 art6_full", SENDS.full, "cites_simplified"],
    ["R1 of an F2", citing(aRequest("e9", BACK), "ticket"), "F2 art7_simplified", SENDS.ticket, "cites_full"],
    [
      "R1 of a qualified F1",
      citing(aRequest("e9", BACK), "qualified"),
      "F1 art7_simplified qualified_simplified_art_7_2_3",
      SENDS.qualified,
      "cites_full",
    ],
    [
      "a qualified R1 of an F2 without recipient",
      citing(aQualified("e9", BACK), "unnamed"),
      "F2 art6_full no_recipient_article_6_1_d",
      "send_without_recipient",
      "cites_qualified",
    ],
    [
      "R5 without recipient of an F1",
      citing(anUnnamed("e9", BACK), "full"),
      "F1 art6_full",
      SENDS.full,
      "cites_without_recipient",
    ],
    [
      "F3 of an F1",
      aRequest("e9", { invoiceType: "F3", rectifies: [{ externalId: "full" }] }),
      "F1 art6_full",
      SENDS.full,
      "cites_replaceable",
    ],
  ])("%s", (_, request, type, fix, allowed) => {
    expect(refusalOf(request, { after: AFTER })).toMatchObject({
      code: "rectified_invoice_type_mismatch",
      facts: { reference_type: type, fix: { phrase: fix }, allowed: { phrase: allowed } },
      path: "rectifies.0",
    });
  });

  test.each<[string, InvoiceRequest, InvoiceType, string, readonly InvoiceType[]]>([
    ["R5 of an F1", aTicket("e9", BACK), "F1", "send_r1_to_r4", ["F2", "R5"]],
    ["R1 of an F2", aRequest("e9", BACK), "F2", "send_r5_or_f3", ["F1", "F3", "R1", "R2", "R3", "R4"]],
  ])("%s issued elsewhere", (_, request, invoiceType, fix, either) => {
    expect(refusalOf(ofElsewhere(request, { invoiceType })).facts).toMatchObject({
      reference_type: invoiceType,
      fix: { phrase: fix },
      allowed: { either },
    });
  });

  function citing(request: InvoiceRequest, externalId: string): InvoiceRequest {
    return correcting(request, [externalId]);
  }
});

function fix(externalId: string, of: string, change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  return correcting(aRequest(externalId, BACK), [of], change);
}

function ofElsewhere(request: InvoiceRequest, change: Parameters<typeof elsewhere>[0]): InvoiceRequest {
  const cited = request.invoiceType === "F2" ? { invoiceType: "F2" as const } : {};
  return correcting(request, [], { rectifies: [elsewhere({ ...cited, ...change })] });
}
