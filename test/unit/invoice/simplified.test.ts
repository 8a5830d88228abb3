import { describe, expect, test } from "vitest";
import {
  ARTICLE_4_2_OPERATIONS,
  type Attestation,
  type InvoiceRequest,
} from "../../../src/domain/invoice/request.ts";
import type { IssuingSettings } from "../../../src/domain/invoice/settings.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { Fact } from "../../../src/domain/shared/fact.ts";
import { altaOf, issueAll, issued, outcomeOf, refusalOf } from "../../support/builders/direct-invoicing.ts";
import { all, eur } from "../../support/builders/facts.ts";
import {
  AN_EU_RECIPIENT,
  anUnnamed,
  aQualified,
  aTicket,
  correcting,
  linesOf,
} from "../../support/builders/requests.ts";

const CONSUMER: Attestation = { legalBasis: "article_4_2", buyerRole: "consumer", lineIds: ["l1"] };
const L1 = { lineId: "l1" };

describe("up to 400.00, tax included", () => {
  test.each<[string, string, string]>([
    ["400.00 needs nothing", "1x330.58@21", "issued"],
    ["one cent more needs an attestation", "1x330.59@21", "simplified_limit_exceeded"],
    ["without tax the same", "1x400@0", "issued"],
    ["and one cent more", "1x400.01@0", "simplified_limit_exceeded"],
    ["a smaller negative group counts", "1x450@0 1x-50@10", "issued"],
  ])("%s", (_, text, expected) => {
    expect(outcomeOf(aTicket("e1", { lines: linesOf(text) }))).toBe(expected);
    expect(outcomeOf(aQualified("e1", { lines: linesOf(text) }))).toBe(expected);
  });

  test.each<[string, string, string]>([
    ["440.00 USD at 1.1 are 400.00 EUR", "1x440@0", "issued"],
    ["440.02 USD are 400.02 EUR", "1x440.02@0", "simplified_limit_exceeded"],
  ])("in euros: %s", (_, text, expected) => {
    const lines = linesOf(text);
    const exchange = { exchangeRate: decimal("1.1"), exchangeRateDate: civilDate("2026-11-26") };
    expect(outcomeOf(aTicket("e1", { lines, currency: "USD", ...exchange }))).toBe(expected);
  });

  test("the surcharge counts", () => {
    const lines = linesOf("1x330.58@21", { surchargeRate: decimal("5.2") });
    expect(refusalOf(aTicket("e1", { lines }))).toEqual({
      code: "simplified_limit_exceeded",
      facts: { total: eur("417.19"), limit: eur("400.00"), fix: { phrase: "attest_or_send_full" } },
    });
  });

  test("no limit without recipient under article 6.1.d, nor for a full invoice", () => {
    expect(outcomeOf(anUnnamed("e1", { lines: linesOf("1x50000@21") }))).toBe("issued");
  });

  test("no limit for qualified rectifications", () => {
    const after = issueAll([aQualified("e2")]);
    const lines = linesOf("1x5000@21");
    expect(outcomeOf(correcting(aQualified("e3", { lines }), ["e2"]), { after })).toBe("issued");
  });
});

describe("article 4.2, up to 3,000.00", () => {
  test.each<[string, string, string]>([
    ["400.01", "1x400.01@0", "issued"],
    ["3,000.00", "1x3000@0", "issued"],
    ["3,000.00 with its tax", "1x2479.34@21", "issued"],
    ["one cent more", "1x3000.01@0", "article_4_2_ceiling_exceeded"],
    ["one cent more with its tax", "1x2479.35@21", "article_4_2_ceiling_exceeded"],
  ])("%s", (_, text, expected) => {
    const change = { lines: linesOf(text, L1), attestation: CONSUMER };
    expect(outcomeOf(aTicket("e1", change))).toBe(expected);
    expect(outcomeOf(aQualified("e1", change))).toBe(expected);
  });

  test.each(ARTICLE_4_2_OPERATIONS)("%s is one of its operations", (operation) => {
    expect(attested({ operation })).toBe("issued");
  });

  test.each<[string, Partial<Attestation>, string]>([
    ["a consumer", { buyerRole: "consumer" }, "issued"],
    ["a professional", { buyerRole: "professional" }, "attestation_buyer_not_eligible"],
  ])("to %s", (_, change, expected) => {
    expect(attested(change)).toBe(expected);
  });

  test.each<[string, Partial<Attestation>, string]>([
    ["of the right lines is taken", {}, "issued"],
    ["of other lines is refused", { lineIds: ["other"] }, "attestation_lines_mismatch"],
    ["of a professional is taken: article 4.1 asks for no consumer", { buyerRole: "professional" }, "issued"],
    [
      "of an authorisation that is not the account's is refused",
      {
        legalBasis: "tax_authority_authorisation",
        authorisation: { number: "AUT-7", limit: decimal("5000") },
      },
      "authorisation_mismatch",
    ],
  ])("up to 400.00 an unneeded attestation must be true: one %s", (_, change, expected) => {
    const attestation: Attestation = { ...CONSUMER, ...change };
    expect(outcomeOf(aTicket("e1", { lines: linesOf("1x10@21", L1), attestation }))).toBe(expected);
  });
});

describe("the attestation names exactly the lines", () => {
  const lines = [...linesOf("1x200@21", { lineId: "l1" }), ...linesOf("1x200@21", { lineId: "l2" })];

  test.each<[string, readonly string[], readonly Fact[] | undefined]>([
    ["both", ["l1", "l2"], undefined],
    ["in any order", ["l2", "l1"], undefined],
    ["one is missing", ["l1"], [{ phrase: "lines_missing", lines: all("l2") }]],
    ["none", [], [{ phrase: "lines_missing", lines: all("l1 l2") }]],
    ["one too many", ["l1", "l2", "l3"], [{ phrase: "lines_unknown", lines: all("l3") }]],
    ["one twice", ["l1", "l1", "l2"], [{ phrase: "lines_repeated", lines: all("l1") }]],
    [
      "another case",
      ["L1", "l2"],
      [
        { phrase: "lines_missing", lines: all("l1") },
        { phrase: "lines_unknown", lines: all("L1") },
      ],
    ],
    [
      "all at once",
      ["l3", "l2", "l2"],
      [
        { phrase: "lines_missing", lines: all("l1") },
        { phrase: "lines_unknown", lines: all("l3") },
        { phrase: "lines_repeated", lines: all("l2") },
      ],
    ],
  ])("%s", (_, lineIds, findings) => {
    const request = aTicket("e1", { lines, attestation: { ...CONSUMER, lineIds } });
    if (!findings) return expect(outcomeOf(request)).toBe("issued");
    const path = "simplified_attestation.line_ids";
    const facts = { detail: { each: findings } };
    expect(refusalOf(request)).toEqual({ code: "attestation_lines_mismatch", facts, path });
  });

  test("every line has a line_id", () => {
    const request = aTicket("e1", { lines: linesOf("1x500@21"), attestation: { ...CONSUMER, lineIds: [] } });
    expect(refusalOf(request).facts).toEqual({
      detail: {
        each: [{ phrase: "lines_missing", lines: { all: [{ phrase: "line_without_id", line: "1" }] } }],
      },
    });
  });
});

describe("authorisation", () => {
  const WITHOUT_NUMBER = { number: "AUT-7", limit: decimal("5000") };
  const REGISTERED = { ...WITHOUT_NUMBER, agreementNumber: "ACUERDO-0000001" };
  const SMALL = { number: "AUT-7", limit: decimal("1000"), agreementNumber: "ACUERDO-0000001" };
  const STATED = { number: "AUT-7", limit: decimal("5000") };

  test.each<[string, IssuingSettings["authorisation"], Attestation["authorisation"], string, string]>([
    ["within its limit", REGISTERED, STATED, "1x5000@0", "issued"],
    ["one cent above it", REGISTERED, STATED, "1x5000.01@0", "authorisation_mismatch"],
    ["another number", REGISTERED, { ...STATED, number: "AUT-8" }, "1x500@0", "authorisation_mismatch"],
    [
      "a higher limit",
      REGISTERED,
      { ...STATED, limit: decimal("6000") },
      "1x500@0",
      "authorisation_mismatch",
    ],
    ["a lower limit", REGISTERED, { ...STATED, limit: decimal("4000") }, "1x500@0", "authorisation_mismatch"],
    ["no number stated", REGISTERED, undefined, "1x500@0", "authorisation_mismatch"],
    ["none active", undefined, STATED, "1x500@0", "authorisation_mismatch"],
    ["3,000.00 without agreement number", WITHOUT_NUMBER, STATED, "1x3000@0", "issued"],
    ["one cent more without one", WITHOUT_NUMBER, STATED, "1x3000.01@0", "authorisation_mismatch"],
    [
      "a limit below 3,000.00",
      SMALL,
      { ...STATED, limit: decimal("1000") },
      "1x1000.01@0",
      "authorisation_mismatch",
    ],
  ])("%s", (_, active, stated, text, expected) => {
    expect(outcomeOf(underAuthorisation(stated, text), settingsWith(active))).toBe(expected);
  });

  test.each<[string, InvoiceRequest, string | undefined]>([
    ["an F2 above 3,000.00", underAuthorisation(STATED, "1x5000@0"), "ACUERDO-0000001"],
    ["an F2 within the general limit", underAuthorisation(STATED, "1x100@0"), "ACUERDO-0000001"],
    ["a qualified F1", { ...aQualified("e1"), ...changeOf(STATED, "1x500@0") }, undefined],
    [
      "an F2 under article 4.2",
      aTicket("e1", { lines: linesOf("1x500@0", L1), attestation: CONSUMER }),
      undefined,
    ],
  ])("the agreement number is in the record of %s: %s", (_, request, expected) => {
    expect(altaOf(issued(request, settingsWith(REGISTERED))).agreementNumber).toBe(expected);
  });

  test("the refusal names the statement", () => {
    const request = underAuthorisation({ number: "AUT-8", limit: decimal("600.5") }, "1x700@0");
    expect(refusalOf(request, settingsWith(REGISTERED))).toEqual({
      code: "authorisation_mismatch",
      facts: {
        stated: { phrase: "authorisation", number: "AUT-8", limit: eur("600.50") },
        total: eur("700"),
      },
      path: "simplified_attestation.authorisation",
    });
  });

  test("a professional is refused here too", () => {
    const request = underAuthorisation(STATED, "1x500@0", { buyerRole: "professional" });
    expect(outcomeOf(request, settingsWith(REGISTERED))).toBe("attestation_buyer_not_eligible");
  });
});

describe("article 4.4: lines that no simplified invoice may have, at any amount", () => {
  test.each<[string, InvoiceRequest["lines"], Fact]>([
    ["S2", linesOf("1x1@0", { qualification: "S2" }), "S2"],
    ["E5", linesOf("1x1@0", { qualification: "E5" }), "E5"],
    ["N2", linesOf("1x1@0", { qualification: "N2" }), "N2"],
    ["one among others", [...linesOf("1x1@21"), ...linesOf("1x1@0", { qualification: "N2" })], "N2"],
  ])("%s", (_, lines, reason) => {
    const requests = [aTicket("e1", { lines }), aQualified("e1", { lines, recipient: AN_EU_RECIPIENT })];
    for (const request of requests) {
      expect(refusalOf(request)).toMatchObject({ code: "simplified_line_not_eligible", facts: { reason } });
    }
  });

  test.each<[string, InvoiceRequest["lines"]]>([
    ["E1", linesOf("1x1@0", { qualification: "E1" })],
    ["an export", linesOf("1x1@0", { qualification: "E2", regime: "02" })],
    ["N1", linesOf("1x1@0", { qualification: "N1" })],
  ])("%s is taken", (_, lines) => {
    expect(outcomeOf(aTicket("e1", { lines }))).toBe("issued");
  });

  test("a rectification of a simplified invoice is one itself", () => {
    const after = issueAll([aTicket("e1")]);
    const request = correcting(aTicket("e2", { lines: linesOf("1x1@0", { qualification: "N2" }) }), ["e1"]);
    expect(outcomeOf(request, { after })).toBe("simplified_line_not_eligible");
  });
});

function attested(change: Partial<Attestation>): string {
  return outcomeOf(
    aTicket("e1", { lines: linesOf("1x500@21", L1), attestation: { ...CONSUMER, ...change } }),
  );
}

function underAuthorisation(
  authorisation: Attestation["authorisation"],
  text: string,
  change: Partial<Attestation> = {},
): InvoiceRequest {
  return aTicket("e1", changeOf(authorisation, text, change));
}

function changeOf(
  authorisation: Attestation["authorisation"],
  text: string,
  change: Partial<Attestation> = {},
): Pick<InvoiceRequest, "lines"> & { attestation: Attestation } {
  const attestation = { ...CONSUMER, legalBasis: "tax_authority_authorisation", ...change } as const;
  return {
    lines: linesOf(text, L1),
    attestation: { ...attestation, ...(authorisation ? { authorisation } : {}) },
  };
}

function settingsWith(authorisation: IssuingSettings["authorisation"]) {
  return { settings: authorisation ? { authorisation } : {} };
}
