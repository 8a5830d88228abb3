/** To whom a correction is issued: by difference to the recipient of the invoice; by substitution to anyone. */
import { describe, expect, test } from "vitest";
import { directOrigin } from "../../../src/domain/invoice/origin.ts";
import { directInvoiceOf, rectificationOf } from "../../../src/domain/invoice/owner-rectification.ts";
import type { InvoiceRequest, InvoiceType, Recipient } from "../../../src/domain/invoice/request.ts";
import { keyText } from "../../../src/domain/invoice/tax-groups.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { correcting as amending, withStanding } from "../../support/builders/corrections.ts";
import {
  issueAll,
  issued,
  outcomeOf,
  refusalOf,
  type State,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import {
  A_RECIPIENT,
  AN_EU_RECIPIENT,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const ANA: Recipient = { ...A_RECIPIENT, company: "Ana Pérez", vatNumber: "12345678Z" };
const AMERICAN: Recipient = { ...A_RECIPIENT, vatNumber: "X-1", country: "US", idType: "04" };
const BACK = { lines: linesOf("-1x10@21") };

describe("by difference", () => {
  test.each<InvoiceType>(["R1", "R2", "R3", "R4"])("%s names whom the invoice names", (invoiceType) => {
    const naming = (recipient: Recipient) =>
      correcting(aRequest("r1", { ...BACK, recipient }), ["e1"], { invoiceType });
    expect(outcomeOf([aRequest("e1"), naming({ ...A_RECIPIENT, company: "Otro Nombre SL" })])).toBe("issued");
    expect(refusalOf([aRequest("e1"), naming(ANA)])).toEqual({
      code: "recipient_differs",
      facts: {
        reference: "API-1-2026-000001",
        identifier: "12345678Z",
        fix: { phrase: "send_its_recipient_or_substitute" },
      },
      path: "recipient.vat_number",
    });
  });

  test.each<[string, Recipient, Recipient, string]>([
    ["the same NIF, spelt otherwise", A_RECIPIENT, { ...A_RECIPIENT, vatNumber: "es b-1234567.4" }, "issued"],
    ["the same NIF as type 07", ANA, { ...ANA, idType: "07" }, "issued"],
    [
      "the same VAT number without its prefix",
      AN_EU_RECIPIENT,
      { ...AN_EU_RECIPIENT, vatNumber: "0477472701" },
      "issued",
    ],
    [
      "a VAT number as another type",
      AN_EU_RECIPIENT,
      { ...AN_EU_RECIPIENT, vatNumber: "0477472701", idType: "04" },
      "issued",
    ],
    [
      "another VAT number",
      AN_EU_RECIPIENT,
      { ...AN_EU_RECIPIENT, vatNumber: "BE0403170701" },
      "recipient_differs",
    ],
    [
      "the same document, of another type",
      AMERICAN,
      { ...AMERICAN, vatNumber: "x1", idType: "03" },
      "issued",
    ],
    ["the same document of another country", AMERICAN, { ...AMERICAN, country: "CA" }, "recipient_differs"],
    ["another document", AMERICAN, { ...AMERICAN, vatNumber: "X-2" }, "recipient_differs"],
    ["a NIF in the place of a document", AMERICAN, A_RECIPIENT, "recipient_differs"],
  ])("%s", (_, before, after, expected) => {
    const request = correcting(aRequest("r1", { ...BACK, recipient: after }), ["e1"]);
    expect(outcomeOf([aRequest("e1", { recipient: before }), request])).toBe(expected);
  });

  test("a qualified simplified one too", () => {
    const request = correcting(aQualified("r1", { ...BACK, recipient: ANA }), ["e1"]);
    expect(outcomeOf([aQualified("e1"), request])).toBe("recipient_differs");
  });

  test("of several invoices each one", () => {
    const both = correcting(aRequest("r1", BACK), ["e1", "e2"]);
    expect(refusalOf([aRequest("e1"), aRequest("e2", { recipient: ANA }), both]).facts.reference).toBe(
      "API-1-2026-000002",
    );
  });

  test("of an invoice issued elsewhere nothing is known", () => {
    const request = correcting(aRequest("r1", { ...BACK, recipient: ANA }), [], { rectifies: [elsewhere()] });
    expect(outcomeOf(request)).toBe("issued");
  });
});

test("by substitution the right recipient is named, and the next correction follows that one", () => {
  const right = correcting(aRequest("s1", { recipient: ANA }), ["e1"], {
    rectificationMethod: "substitution",
  });
  const after = issueAll([aRequest("e1"), right]);
  expect(outcomeOf(correcting(aRequest("r1", BACK), ["s1"]), { after })).toBe("recipient_differs");
  expect(outcomeOf(correcting(aRequest("r1", { ...BACK, recipient: ANA }), ["s1"]), { after })).toBe(
    "issued",
  );
});

describe("an F3", () => {
  const REPLACED = issueAll([aTicket("t1"), f3("f1", ["t1"], "1x100@21", A_RECIPIENT)]);
  const RETURNED = issueAll([correcting(aTicket("r1", BACK), ["t1"])], { after: REPLACED });

  test.each<[string, State, InvoiceRequest, string]>([
    ["undoes another with its recipient", REPLACED, f3("u1", ["t1"], "-1x100@21", A_RECIPIENT), "issued"],
    ["does not undo another with any", REPLACED, f3("u1", ["t1"], "-1x100@21", ANA), "recipient_differs"],
    [
      "of an R5 has the recipient of its ticket's F3",
      RETURNED,
      f3("f2", ["r1"], "-1x10@21", A_RECIPIENT),
      "issued",
    ],
    ["of an R5 has no other", RETURNED, f3("f2", ["r1"], "-1x10@21", ANA), "recipient_differs"],
  ])("%s", (_, after, request, expected) => {
    expect(outcomeOf(request, { after })).toBe(expected);
  });

  test("that was undone is followed by one to the right person, and so is the R5", () => {
    const undone = issueAll([f3("u1", ["t1"], "-1x100@21", A_RECIPIENT), f3("f2", ["t1"], "1x100@21", ANA)], {
      after: REPLACED,
    });
    const after = issueAll([correcting(aTicket("r1", BACK), ["t1"])], { after: undone });
    expect(outcomeOf(f3("f3", ["r1"], "-1x10@21", A_RECIPIENT), { after })).toBe("recipient_differs");
    expect(totalsIn(issued(f3("f3", ["r1"], "-1x10@21", ANA), { after }))).toBe("-10.00 / -2.10 / -12.10");
  });
});

describe("where the record was amended", () => {
  const first = withStanding(issueAll([aRequest("e1", { recipient: { ...AMERICAN, idType: "03" } })]), "e1", {
    state: "rejected",
    code: 1100,
  });
  const change = { recipient: { company: "Acme", vatNumber: "X1", country: "CA", idType: "04" as const } };
  const after = issueAll([amending(viewIn(first), { correction: "amend", change }, "a1")], { after: first });

  test.each<[string, Recipient, string]>([
    ["whom the invoice names", AMERICAN, "issued"],
    ["whom the record names", { ...AMERICAN, country: "CA" }, "issued"],
    ["no other recipient", { ...AMERICAN, country: "MX" }, "recipient_differs"],
  ])("%s", (_, recipient, expected) => {
    expect(outcomeOf(correcting(aRequest("r1", { ...BACK, recipient }), ["e1"]), { after })).toBe(expected);
  });
});

describe("an owner's rectification", () => {
  const after = issueAll([aRequest("e1")]);
  const asked = (method: "difference" | "substitution", recipient?: Recipient) => {
    const stored = after.invoices.get(directOrigin("e1"));
    const direct = stored && directInvoiceOf(stored);
    if (!direct) throw new Error("it was issued");
    const [group] = direct.document.groups;
    if (!group) throw new Error("it has a group");
    const rectification = rectificationOf(
      {
        ...{ externalId: "console:d1", invoiceType: "R1", method, cause: "Error en el destinatario" },
        amounts: [{ group: keyText(group), amount: decimal("40") }],
        ...(recipient ? { recipient } : {}),
      },
      direct,
    );
    if (!rectification.ok) throw new Error(rectification.error.code);
    return rectification.value;
  };

  test("names by substitution who should have been named", () => {
    const view = issued(asked("substitution", ANA), { after });
    expect([view.document.request.recipient?.vatNumber, totalsIn(view)]).toEqual([
      "12345678Z",
      "40.00 / 8.40 / 48.40",
    ]);
  });

  test("by difference names no other recipient", () => {
    expect(outcomeOf(asked("difference", ANA), { after })).toBe("recipient_differs");
    expect(outcomeOf(asked("difference"), { after })).toBe("issued");
  });
});

function viewIn({ invoices }: State) {
  const stored = invoices.get(directOrigin("e1"));
  if (!stored) throw new Error("it was issued");
  return stored.view;
}

function f3(externalId: string, of: readonly string[], lines: string, recipient: Recipient): InvoiceRequest {
  const rectifies = of.map((id) => ({ externalId: id }));
  return aRequest(externalId, { invoiceType: "F3", lines: linesOf(lines), rectifies, recipient });
}
