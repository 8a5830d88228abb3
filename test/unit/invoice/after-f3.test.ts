/** After an F3 (AEAT, FAQ for developers, 27): R5 and their F3, and an F3 that undoes another. */
import { describe, expect, test } from "vitest";
import { directOrigin } from "../../../src/domain/invoice/origin.ts";
import { partsToTakeOver, replacementOf, undoneBy } from "../../../src/domain/invoice/rectifiable.ts";
import type { Attestation, InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import {
  altaOf,
  cancelling,
  codeOf,
  groupsIn,
  type Issuance,
  issueAll,
  issued,
  outcomeOf,
  recordTotalsIn,
  refusalOf,
  remainingOf,
  type State,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import { amounts } from "../../support/builders/facts.ts";
import { aRequest, aTicket, correcting, elsewhere, linesOf } from "../../support/builders/requests.ts";

const GROSS = { pricesIncludeTax: true } as const;

/** A ticket of 8.26 / 1.74, and the full invoice of it. */
const TICKET = aTicket("t1", { ...GROSS, lines: linesOf("1x10@21") });
const REPLACED = issueAll([TICKET, f3("f1", ["t1"], "1x10@21")]);
const RETURN = r5("r1", ["t1"], "-1x3@21");
const RETURNED = issueAll([RETURN], { after: REPLACED });
const UNDO = f3("u1", ["t1"], "-1x10@21");

describe("a return after the F3 is an R5 of the ticket, and an F3 of that R5", () => {
  test("with the amounts of the R5", () => {
    expect(totalsIn(issued([TICKET, f3("f1", ["t1"], "1x10@21"), RETURN]))).toBe("-2.48 / -0.52 / -3.00");
    const view = issued(f3("f2", ["r1"], "-1x3@21"), { after: RETURNED });
    expect(totalsIn(view)).toBe("-2.48 / -0.52 / -3.00");
    expect(altaOf(view)).toMatchObject({
      invoiceType: "F3",
      replaced: [{ number: "API-1RS-2026-000001", date: "27-11-2026" }],
      total: "-3.00",
    });
    expect(altaOf(view).rectified).toBeUndefined();
  });

  test("one of three tickets at the wrong rate: 0.00 base and -110.00 tax", () => {
    const tickets = [
      ["t1", "1000"],
      ["t2", "2000"],
      ["t3", "2400"],
    ].map(([id = "", base]) => large(id, `1x${base}@21`));
    const whole = f3("f1", ["t1", "t2", "t3"], "1x5400@21", {});
    const rate = r5("r1", ["t1"], "-1x1000@21 1x1000@10", {});
    const after = issueAll([...tickets, whole, rate]);
    const [, , , replaced, corrected] = after.outcomes.map(
      (outcome) => "invoice" in outcome && outcome.invoice,
    );
    expect(replaced && totalsIn(replaced)).toBe("5400.00 / 1134.00 / 6534.00");
    expect(corrected && totalsIn(corrected)).toBe("0.00 / -110.00 / -110.00");
    const taken = issued(f3("f2", ["r1"], "-1x1000@21 1x1000@10", {}), { after });
    expect(totalsIn(taken)).toBe("0.00 / -110.00 / -110.00");
    expect(groupsIn(taken)).toEqual(["21: -1000.00 / -210.00", "10: 1000.00 / 100.00"]);
    expect(recordTotalsIn(taken)).toBe("-110.00 / -110.00");
    expect(remainingOf(after, "t1")).toEqual(["10: 1000.00 / 100.00"]);
  });

  test("up to what remains of the ticket", () => {
    const facts = {
      code: "rectification_exceeds",
      facts: { remaining: { amount: "7.00", currency: "EUR" } },
    };
    expect(refusalOf(r5("r2", ["t1"], "-1x7.01@21"), { after: RETURNED })).toMatchObject(facts);
    expect(outcomeOf(r5("r2", ["t1"], "-1x7@21"), { after: RETURNED })).toBe("issued");
  });

  test.each<[string, InvoiceRequest, string]>([
    ["not of more", f3("f2", ["r1"], "-1x3.01@21"), "replaced_amount_mismatch"],
    ["not of less", f3("f2", ["r1"], "-1x2.99@21"), "replaced_amount_mismatch"],
    ["not of the remainder", f3("f2", ["r1"], "1x7@21"), "replaced_amount_mismatch"],
    ["not of the ticket again", f3("f2", ["t1", "r1"], "1x7@21"), "rectified_invoice_superseded"],
  ])("%s", (_, request, expected) => {
    expect(outcomeOf(request, { after: RETURNED })).toBe(expected);
  });

  test("several R5 are taken over by one F3 or one by one, each once", () => {
    const two = issueAll([r5("r2", ["t1"], "-1x2@21")], { after: RETURNED });
    expect(totalsIn(issued(f3("f2", ["r1", "r2"], "-1x5@21"), { after: two }))).toBe("-4.13 / -0.87 / -5.00");
    const first = issueAll([f3("f2", ["r2"], "-1x2@21")], { after: two });
    expect(pendingIn(first)).toEqual(["r1"]);
    expect(outcomeOf(f3("f3", ["r2"], "-1x2@21"), { after: first })).toBe("rectified_invoice_superseded");
    const both = issueAll([f3("f3", ["r1"], "-1x3@21")], { after: first });
    expect(pendingIn(both)).toEqual([]);
  });

  test("an R5 before the F3 is part of it, one after it waits", () => {
    const after = issueAll([TICKET, RETURN, f3("f1", ["t1", "r1"], "1x7@21"), r5("r2", ["t1"], "-1x1@21")]);
    expect(pendingIn(after)).toEqual(["r2"]);
    expect(outcomeOf(f3("f2", ["r1"], "-1x3@21"), { after })).toBe("rectified_invoice_superseded");
  });

  test("an R5 speaks of the tickets of one F3", () => {
    const apart = issueAll([TICKET, aTicket("t2"), f3("f1", ["t1"], "1x10@21")]);
    expect(refusalOf(r5("r1", ["t1", "t2"], "-1x12@21"), { after: apart })).toMatchObject({
      code: "rectified_invoice_superseded",
      facts: { fix: { phrase: "rectify_apart" } },
      path: "rectifies.0",
    });
    const together = issueAll([TICKET, aTicket("t2"), f3("f1", ["t1", "t2"], "1x131@21")]);
    expect(outcomeOf(r5("r1", ["t1", "t2"], "-1x12@21"), { after: together })).toBe("issued");
  });

  test("the ticket is not substituted", () => {
    const request = r5("r1", ["t1"], "1x5@21", { ...GROSS, rectificationMethod: "substitution" });
    expect(refusalOf(request, { after: REPLACED })).toMatchObject({
      code: "rectified_invoice_superseded",
      facts: { state: { phrase: "replaced" }, fix: { phrase: "send_by_difference" } },
    });
  });

  test("of a ticket issued elsewhere", () => {
    const cited = { ...GROSS, rectifies: [elsewhere({ invoiceType: "F2" })] };
    const after = issueAll([aTicket("r1", { ...r5("r1", [], "-1x3@21"), ...cited })]);
    expect(outcomeOf(f3("f1", ["r1"], "-1x3@21"), { after })).toBe("issued");
  });
});

describe("an F3 is not rectified", () => {
  test.each(["difference", "substitution"] as const)("by %s", (rectificationMethod) => {
    const request = correcting(aRequest("x"), ["f1"], { ...backOf("-1x3@21"), rectificationMethod });
    expect(refusalOf(request, { after: REPLACED })).toMatchObject({
      code: "rectified_invoice_type_mismatch",
      facts: { reference_type: "F3", fix: { phrase: "correct_its_tickets" } },
    });
  });

  test("but substituted, where it names tickets issued elsewhere", () => {
    const rectifies = [elsewhere({ invoiceType: "F2" })];
    const after = issueAll([aRequest("f1", { invoiceType: "F3", rectifies })]);
    const method = (rectificationMethod: "difference" | "substitution") =>
      correcting(aRequest("x"), ["f1"], { rectificationMethod });
    expect(outcomeOf(method("difference"), { after })).toBe("rectified_invoice_type_mismatch");
    expect(outcomeOf(method("substitution"), { after })).toBe("issued");
  });

  test("but is still rectified where it was before", () => {
    const after = rectifiedF3();
    expect(outcomeOf(correcting(aRequest("x"), ["f1"], backOf("-1x7@21")), { after })).toBe("issued");
    expect(outcomeOf(correcting(aRequest("x"), ["f1"], backOf("-1x7.01@21")), { after })).toBe(
      "rectification_exceeds",
    );
    expect(refusalOf(r5("r2", ["t1"], "-1x3@21"), { after })).toMatchObject({
      code: "rectified_invoice_superseded",
      facts: { fix: { phrase: "act_on", successor: "API-1-2026-000001" } },
    });
    expect(outcomeOf(UNDO, { after })).toBe("rectified_invoice_superseded");
  });
});

describe("an F3 of exactly minus its amounts undoes an F3", () => {
  const UNDONE = issueAll([UNDO], { after: REPLACED });

  test("and the ticket is free to be replaced again", () => {
    const view = issued([TICKET, f3("f1", ["t1"], "1x10@21"), UNDO]);
    expect(totalsIn(view)).toBe("-8.26 / -1.74 / -10.00");
    expect(altaOf(view)).toMatchObject({ invoiceType: "F3", replaced: [{ number: "API-1S-2026-000001" }] });
    expect(undoneBy(rectifiableIn(UNDONE, "f1"))?.externalId).toBe("u1");
    expect(replacementOf(rectifiableIn(UNDONE, "t1"))).toBeUndefined();
    expect(remainingOf(UNDONE, "t1")).toEqual(["21: 8.26 / 1.74"]);
    expect(outcomeOf(f3("f2", ["t1"], "1x10@21"), { after: UNDONE })).toBe("issued");
    expect(outcomeOf([cancelling("t1")], { after: UNDONE })).toBe("cancelled");
    expect(outcomeOf(RETURN, { after: UNDONE })).toBe("issued");
  });

  test("again and again, each once", () => {
    const again = issueAll([f3("f2", ["t1"], "1x10@21"), f3("u2", ["t1"], "-1x10@21")], { after: UNDONE });
    expect(again.outcomes.map(codeOf)).toEqual(["issued", "issued"]);
    expect(outcomeOf(f3("u3", ["t1"], "-1x10@21"), { after: again })).toBe("replaced_amount_mismatch");
    expect(outcomeOf(f3("f3", ["t1"], "1x10@21"), { after: again })).toBe("issued");
  });

  test.each<[string, InvoiceRequest | ReturnType<typeof cancelling>, string]>([
    ["a positive one again", f3("f2", ["t1"], "1x10@21"), "rectified_invoice_superseded"],
    ["a cent less", f3("u1", ["t1"], "-1x9.99@21"), "replaced_amount_mismatch"],
    ["at another rate", f3("u1", ["t1"], "-1x10@10"), "replaced_amount_mismatch"],
  ])("not by %s", (_, request, expected) => {
    expect(outcomeOf(request, { after: REPLACED })).toBe(expected);
  });

  test.each<[string, InvoiceRequest | ReturnType<typeof cancelling>, string]>([
    ["the undone one is not substituted", overOf("f1"), "rectified_invoice_type_mismatch"],
    ["the undone one is not cancelled", cancelling("f1"), "cancellation_not_allowed"],
    ["the other is not substituted", overOf("u1"), "rectified_invoice_type_mismatch"],
    ["the other is not cancelled", cancelling("u1"), "cancellation_undoes"],
    ["the ticket is not undone twice", f3("u2", ["t1"], "-1x10@21"), "replaced_amount_mismatch"],
  ])("%s", (_, step, expected) => {
    expect(outcomeOf(step, { after: UNDONE })).toBe(expected);
  });

  test("with all that it replaced", () => {
    const after = issueAll([TICKET, aTicket("t2"), f3("f1", ["t1", "t2"], "1x131@21")]);
    expect(refusalOf(UNDO, { after })).toMatchObject({
      code: "rectification_incomplete",
      facts: { missing: { all: ["t2"] } },
    });
    expect(outcomeOf(f3("u1", ["t1", "t2"], "-1x131@21"), { after })).toBe("issued");
  });

  test("of an R5 alone, which then waits again", () => {
    const taken = issueAll([f3("f2", ["r1"], "-1x3@21")], { after: RETURNED });
    const after = issueAll([f3("u1", ["r1"], "1x3@21")], { after: taken });
    expect(after.outcomes.map(codeOf)).toEqual(["issued"]);
    expect(pendingIn(after)).toEqual(["r1"]);
    expect(outcomeOf(f3("f3", ["r1"], "-1x3@21"), { after })).toBe("issued");
    expect(outcomeOf(f3("u2", ["t1"], "-1x10@21"), { after })).toBe("issued");
  });

  test("together with the F3 of its R5, not without", () => {
    const after = issueAll([f3("f2", ["r1"], "-1x3@21")], { after: RETURNED });
    expect(refusalOf(UNDO, { after })).toMatchObject({
      code: "rectification_incomplete",
      facts: { missing: { all: ["r1"] } },
    });
    expect(outcomeOf(cancelling("f1"), { after })).toBe("cancellation_not_allowed");
    expect(refusalOf(f3("u1", ["t1", "r1"], "-1x6@21"), { after })).toMatchObject({
      facts: { expected: { amounts: amounts("-5.78 + -1.22") } },
    });
    const undone = issueAll([f3("u1", ["t1", "r1"], "-1x7@21")], { after });
    expect(undone.outcomes.map(codeOf)).toEqual(["issued"]);
    expect(outcomeOf(f3("f3", ["t1"], "1x10@21"), { after: undone })).toBe("rectification_incomplete");
    expect(totalsIn(issued(f3("f3", ["t1", "r1"], "1x7@21"), { after: undone }))).toBe("5.78 / 1.22 / 7.00");
  });

  test("in the group in which it was issued", () => {
    const again = [f3("f2", ["t1"], "1x10@21"), r5("r1", ["t1"], "-1x3@21"), f3("f3", ["r1"], "-1x3@21")];
    const { outcomes } = issueAll([TICKET, f3("f1", ["t1"], "1x10@21"), UNDO, ...again]);
    expect(outcomes.map(codeOf)).toEqual(Array(6).fill("issued"));
  });
});

describe("a cancellation after an F3", () => {
  test("of the R5 gives back, unless an F3 took it over", () => {
    expect(outcomeOf([cancelling("r1"), r5("r2", ["t1"], "-1x10@21")], { after: RETURNED })).toBe("issued");
    const taken = issueAll([f3("f2", ["r1"], "-1x3@21")], { after: RETURNED });
    expect(outcomeOf(cancelling("r1"), { after: taken })).toBe("cancellation_not_allowed");
    expect(outcomeOf([cancelling("f2"), cancelling("r1")], { after: taken })).toBe("cancelled");
    expect(pendingIn(issueAll([cancelling("f2")], { after: taken }))).toEqual(["r1"]);
  });

  test("of the F3 that replaces again what an undone one had replaced, R5 and all", () => {
    const of = (id: string, text: string) => f3(id, ["t1", "r1"], text);
    const before = issueAll([TICKET, RETURN, of("f1", "1x7@21")]);
    const again = [of("u1", "-1x7@21"), of("f2", "1x7@21"), cancelling("f2")];
    expect(issueAll(again, { after: before }).outcomes.map(codeOf)).toEqual([
      "issued",
      "issued",
      "cancelled",
    ]);
  });

  test("of the F3 while an R5 waits, and then the F3 is of both", () => {
    const after = issueAll([cancelling("f1")], { after: RETURNED });
    expect(after.outcomes.map(codeOf)).toEqual(["cancelled"]);
    expect(outcomeOf(f3("f2", ["t1", "r1"], "1x7@21"), { after })).toBe("issued");
  });
});

/** Books of before, when the R1 of an F3 was taken. */
function rectifiedF3(): State {
  const after = issueAll([TICKET, f3("f1", ["t1"], "1x10@21"), r5("r1", ["t1"], "-1x3@21")]);
  const [ticket, full, part] = ["t1", "f1", "r1"].map((id) => after.invoices.get(directOrigin(id)));
  if (!ticket || !full || !part) throw new Error("not issued");
  const [acting] = ticket.rectifiable.actedOnBy.filter(({ kind }) => kind === "difference");
  if (!acting) throw new Error("no part");
  const further = { invoiceId: acting.invoiceId, number: acting.number, kind: acting.kind };
  const replaced = ticket.rectifiable.actedOnBy.filter(({ kind }) => kind === "replacement");
  return {
    ...after,
    invoices: new Map([
      ...after.invoices,
      [
        ticket.view.origin,
        {
          ...ticket,
          rectifiable: {
            ...ticket.rectifiable,
            actedOnBy: replaced.map((one) => ({ ...one, actedOnBy: [further] })),
          },
        },
      ],
      [full.view.origin, { ...full, rectifiable: { ...full.rectifiable, actedOnBy: [acting] } }],
    ]),
  };
}

function f3(
  externalId: string,
  cited: readonly string[],
  text: string,
  change: object = GROSS,
): InvoiceRequest {
  const rectifies = cited.map((id) => ({ externalId: id }));
  return aRequest(externalId, { invoiceType: "F3", rectifies, lines: linesOf(text), ...change });
}

function r5(
  externalId: string,
  cited: readonly string[],
  text: string,
  change: Partial<InvoiceRequest> = GROSS,
): InvoiceRequest {
  return correcting(aTicket(externalId, { lines: linesOf(text) }), cited, change);
}

function backOf(text: string): Partial<InvoiceRequest> {
  return { ...GROSS, lines: linesOf(text) };
}

function overOf(externalId: string): InvoiceRequest {
  return correcting(aRequest("x"), [externalId], { rectificationMethod: "substitution" });
}

function large(externalId: string, text: string): InvoiceRequest {
  const attestation: Attestation = {
    legalBasis: "article_4_2",
    buyerRole: "consumer",
    operation: "retail_sale",
    lineIds: ["l1"],
  };
  return aTicket(externalId, { lines: linesOf(text, { lineId: "l1" }), attestation });
}

function rectifiableIn({ invoices }: State, externalId: string) {
  const found = invoices.get(directOrigin(externalId))?.rectifiable;
  if (!found) throw new Error(`no invoice ${externalId}`);
  return found;
}

function pendingIn(after: Issuance): string[] {
  return partsToTakeOver(rectifiableIn(after, "t1")).map(({ externalId }) => externalId);
}
