import { describe, expect, test } from "vitest";
import type { IssuingSettings } from "../../../src/domain/invoice/settings.ts";
import { verifyChain } from "../../../src/domain/verifactu/chain.ts";
import {
  cancelling,
  codeOf,
  issueAll,
  outcomeOf,
  refusalOf,
  remainingOf,
  viewOf,
} from "../../support/builders/direct-invoicing.ts";
import { aRequest, aTicket, correcting, linesOf } from "../../support/builders/requests.ts";

const FIX = correcting(aRequest("e2", { lines: linesOf("-1x40@21") }), ["e1"]);
const SUBSTITUTE = correcting(aRequest("e2"), ["e1"], { rectificationMethod: "substitution" });
const F3 = aRequest("e2", { invoiceType: "F3", rectifies: [{ externalId: "e1" }] });

test("an ANULACION follows in the chain and names the invoice; the ALTA stays as it was", () => {
  const { outcomes, records } = issueAll([aRequest("e1"), cancelling("e1")]);
  const [invoice, cancelled] = outcomes.map(viewOf);
  expect(cancelled?.alta).toEqual(invoice?.alta);
  expect(cancelled?.cancellation).toMatchObject({
    recordId: "is00000000000000000001-2",
    reason: "Nunca existió",
    state: "pending_submission",
  });
  expect(records[1]?.content).toMatchObject({
    kind: "ANULACION",
    key: { issuerNif: "B58378431", number: "API-1-2026-000001", date: "27-11-2026" },
    chain: { first: false, hash: records[0]?.hash },
  });
  expect(verifyChain(records)).toEqual({ ok: true, value: { checked: 2 } });
});

test("a cancelled number is not given again", () => {
  const after = issueAll([aRequest("e1"), cancelling("e1")]);
  const { outcomes } = issueAll([aRequest("e2")], { after });
  expect(outcomes.map(viewOf).map((view) => view.number)).toEqual([2]);
});

test("cancelled once, every repeat is a replay, with any reason, in the group and after it", () => {
  const again = { ...cancelling("e1"), reason: "Otra" };
  const first = issueAll([aRequest("e1"), cancelling("e1"), again]);
  const second = issueAll([again], { after: first });
  expect([...first.outcomes, ...second.outcomes].map(codeOf)).toEqual([
    "issued",
    "cancelled",
    "replayed",
    "replayed",
  ]);
  expect(second.outcomes.map(viewOf)[0]?.cancellation?.reason).toBe("Nunca existió");
  expect(second.records).toEqual([]);
});

describe("not while another invoice acts on it", () => {
  test.each([
    ["corrected", [aRequest("e1"), FIX], "API-1R-2026-000001", "correct_rest_or_cancel"],
    ["substituted", [aRequest("e1"), SUBSTITUTE], "API-1R-2026-000001", "act_on_successor"],
    ["replaced", [aTicket("e1"), F3], "API-1-2026-000001", "follow_or_undo"],
  ])("%s", (state, before, successor, fix) => {
    const after = issueAll(before);
    expect(refusalOf(cancelling("e1"), { after })).toMatchObject({
      code: "cancellation_not_allowed",
      facts: { state: { phrase: state }, successor, fix: { phrase: fix, successor } },
    });
    expect(outcomeOf(cancelling("e2"), { after })).toBe("cancelled");
    expect(outcomeOf([cancelling("e2"), cancelling("e1")], { after })).toBe("cancelled");
  });

  test("an invoice corrected and then substituted is answered with its successor first", () => {
    const substitute = correcting(aRequest("e3"), ["e1", "e2"], { rectificationMethod: "substitution" });
    const after = issueAll([aRequest("e1"), FIX, substitute]);
    const successor = "API-1R-2026-000002";
    expect(refusalOf(cancelling("e1"), { after }).facts).toEqual({
      number: "API-1-2026-000001",
      state: { phrase: "substituted" },
      successor,
      fix: { phrase: "act_on_successor", successor },
    });
  });

  test("nor a part of a substituted invoice", () => {
    const substitute = correcting(aRequest("e3"), ["e1", "e2"], { rectificationMethod: "substitution" });
    expect(outcomeOf([aRequest("e1"), FIX, substitute, cancelling("e2")])).toBe("cancellation_not_allowed");
  });
});

test("a cancelled rectification gives back what it took", () => {
  const after = issueAll([aRequest("e1"), FIX]);
  expect(remainingOf(after, "e1")).toEqual(["21: 60.00 / 12.60"]);
  expect(remainingOf(issueAll([cancelling("e2")], { after }), "e1")).toEqual(["21: 100.00 / 21.00"]);
});

test.each<[string, Partial<IssuingSettings>, string]>([
  ["an unknown invoice", {}, "invoice_not_found"],
  [
    "a connection that is not for direct invoices",
    { connectionKind: "commerce" },
    "direct_invoicing_not_supported_by_connection",
  ],
  ["consent withdrawn", { consented: false }, "invoicing_not_enabled"],
])("%s", (_, settings, expected) => {
  expect(outcomeOf(cancelling("nobody"), { settings })).toBe(expected);
});

test("a replay does not depend on settings that have changed since", () => {
  const issuance = issueAll([aRequest("e1"), cancelling("e1")]);
  const settings = { ...issuance.books.settings, consented: false };
  const after = { ...issuance, books: { ...issuance.books, settings } };
  expect(outcomeOf(cancelling("e1"), { after })).toBe("replayed");
  expect(outcomeOf(aRequest("e1"), { after })).toBe("replayed");
  expect(outcomeOf(aRequest("e2"), { after })).toBe("invoicing_not_enabled");
});

describe("an increase by difference", () => {
  const increase = correcting(aRequest("more", { lines: linesOf("1x50@21") }), ["e1"]);
  const refund = (amount: string) =>
    correcting(aRequest("less", { lines: linesOf(`-1x${amount}@21`) }), ["e1"]);

  test.each([
    ["an increase without later use can be cancelled", "100", "cancelled"],
    ["that a later refund has drawn on by a cent cannot", "100.01", "cancellation_exceeds"],
  ])("%s", (_, refunded, expected) => {
    const after = issueAll([aRequest("e1"), increase, refund(refunded)]);
    expect(outcomeOf(cancelling("more"), { after })).toBe(expected);
  });

  test("can be cancelled once that refund is", () => {
    const after = issueAll([aRequest("e1"), increase, refund("120"), cancelling("less")]);
    expect(outcomeOf(cancelling("more"), { after })).toBe("cancelled");
  });
});
