/** An R5 raises no simplified invoice over what its basis allows (article 4 RD 1619/2012). */
import { describe, expect, test } from "vitest";
import type { Attestation, InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { issueAll, issued, outcomeOf, refusalOf, totalsIn } from "../../support/builders/direct-invoicing.ts";
import { anUnnamed, aTicket, correcting, elsewhere, linesOf } from "../../support/builders/requests.ts";
import { sentenceOf } from "../../support/rules/readable.ts";

const GROSS = { pricesIncludeTax: true } as const;
const ATTESTED: Attestation = {
  legalBasis: "article_4_2",
  buyerRole: "consumer",
  operation: "retail_sale",
  lineIds: ["l1"],
};
const AUTHORISED: Attestation = {
  ...ATTESTED,
  legalBasis: "tax_authority_authorisation",
  authorisation: { number: "A-1", limit: decimal("5000") },
};
const AGREEMENT = { number: "A-1", limit: decimal("5000"), agreementNumber: "ACUERDO-1" };
const UNREGISTERED = { number: "A-1", limit: decimal("5000") };

describe.each<
  [string, Attestation | undefined, { readonly authorisation?: typeof UNREGISTERED }, string, string]
>([
  ["without a basis", undefined, {}, "400", "400.01"],
  ["under article 4.2", ATTESTED, {}, "3000", "3000.01"],
  ["under an authorisation", AUTHORISED, { authorisation: AGREEMENT }, "5000", "5000.01"],
  ["under one without agreement number", AUTHORISED, { authorisation: UNREGISTERED }, "3000", "3000.01"],
])("a ticket of 12.10 %s", (_, attestation, settings, most, tooMuch) => {
  const after = issueAll([ticket("t1", "1x12.10@21", attestation ? { attestation } : {})], { settings });

  test.each([
    [most, "issued"],
    [tooMuch, "simplified_limit_exceeded"],
  ])("is substituted by %s: %s", (total, expected) => {
    expect(outcomeOf(instead("s1", ["t1"], `1x${total}@21`), { after })).toBe(expected);
  });

  test("is raised by difference up to the same, by one R5 or by several", () => {
    const room = decimal(most);
    const rise = (id: string, amount: string) => more(id, ["t1"], `1x${amount}@21`);
    expect(refusalOf(rise("r1", minus(tooMuch, "12.10")), { after })).toMatchObject({
      code: "simplified_limit_exceeded",
      facts: { total: { amount: tooMuch }, limit: { amount: `${room}.00` } },
    });
    expect(outcomeOf(rise("r1", minus(most, "12.10")), { after })).toBe("issued");
    const half = issueAll([rise("r1", "200"), rise("r2", "100")], { after });
    expect(outcomeOf(rise("r3", minus(tooMuch, "312.10")), { after: half })).toBe(
      "simplified_limit_exceeded",
    );
    expect(outcomeOf(rise("r3", minus(most, "312.10")), { after: half })).toBe("issued");
  });
});

test("what takes the place of a ticket keeps its basis", () => {
  const after = issueAll([
    ticket("t1", "1x12.10@21", { attestation: ATTESTED }),
    instead("s1", ["t1"], "1x100@21"),
  ]);
  const view = issued(instead("s2", ["s1"], "1x3000@21"), { after });
  expect([totalsIn(view), view.document.limitEur]).toEqual(["2479.34 / 520.66 / 3000.00", "3000"]);
  expect(outcomeOf(instead("s2", ["s1"], "1x3000.01@21"), { after })).toBe("simplified_limit_exceeded");
  expect(outcomeOf(more("r1", ["s1"], "1x2900.01@21"), { after })).toBe("simplified_limit_exceeded");
});

test("several tickets are substituted up to the sum of their limits", () => {
  const after = issueAll([ticket("t1", "1x300@21"), ticket("t2", "1x300@21")]);
  expect(outcomeOf(instead("s1", ["t1", "t2"], "1x800@21"), { after })).toBe("issued");
  expect(outcomeOf(instead("s1", ["t1", "t2"], "1x800.01@21"), { after })).toBe("simplified_limit_exceeded");
});

test("a lowered total may stay above the limit", () => {
  const after = issueAll([ticket("t1", "1x2900@21", { attestation: ATTESTED })]);
  const lower = {
    ...after,
    invoices: new Map(
      [...after.invoices].map(([origin, stored]) => [
        origin,
        { ...stored, rectifiable: { ...stored.rectifiable, limitEur: decimal("400") } },
      ]),
    ),
  };
  expect(outcomeOf(instead("s1", ["t1"], "1x2800@21"), { after: lower })).toBe("issued");
  expect(outcomeOf(more("r1", ["t1"], "-1x100@21"), { after: lower })).toBe("issued");
  expect(outcomeOf(more("r1", ["t1"], "1x0.01@21"), { after: lower })).toBe("simplified_limit_exceeded");
});

test.each([
  ["1x3000@21", "issued"],
  ["1x3000.01@21", "simplified_limit_exceeded"],
])("a ticket of elsewhere, with an unknown basis, is substituted by %s: %s", (lines, expected) => {
  const rectifies = [elsewhere({ invoiceType: "F2" })];
  expect(outcomeOf(instead("s1", [], lines, { rectifies }))).toBe(expected);
});

test("a complete invoice without recipient has no limit", () => {
  const after = issueAll([anUnnamed("t1")]);
  const request = correcting(anUnnamed("s1", { lines: linesOf("1x9000@21") }), ["t1"], {
    rectificationMethod: "substitution",
  });
  expect(outcomeOf(request, { after })).toBe("issued");
});

test("the refusal names the ticket's new total, and the way out", () => {
  const after = issueAll([ticket("t1", "1x12.10@21")]);
  const refusal = refusalOf(instead("s1", ["t1"], "1x6050@21"), { after });
  expect(sentenceOf(refusal, "en")).toBe(
    "The simplified invoice would come to 6,050.00\u00a0€, above 400.00\u00a0€; take it back whole with an " +
      "R5 and issue a full invoice of the sale.",
  );
});

function ticket(externalId: string, lines: string, change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  return aTicket(externalId, { ...GROSS, lines: linesOf(lines, { lineId: "l1" }), ...change });
}

function more(externalId: string, of: readonly string[], lines: string): InvoiceRequest {
  return correcting(aTicket(externalId, { ...GROSS, lines: linesOf(lines) }), of);
}

function instead(
  externalId: string,
  of: readonly string[],
  lines: string,
  change: Partial<InvoiceRequest> = {},
): InvoiceRequest {
  const request = aTicket(externalId, { ...GROSS, lines: linesOf(lines) });
  return correcting(request, of, { rectificationMethod: "substitution", ...change });
}

/** Cents apart, as whole numbers. */
function minus(a: string, b: string): string {
  const cents = (text: string) => Math.round(Number(text) * 100);
  return ((cents(a) - cents(b)) / 100).toFixed(2);
}
