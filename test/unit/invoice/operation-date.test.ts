import { expect, test } from "vitest";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { altaOf, issueAll, issued, outcomeOf, refusalOf } from "../../support/builders/direct-invoicing.ts";
import {
  A_RECIPIENT,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const TODAY = "2026-11-27";
const IN_15 = { lines: linesOf("1x100@21", { regime: "15" }) };
const IN_15_AND_01 = { lines: [...IN_15.lines, ...linesOf("1x1@21")] };
const IN_15_OF_IGIC = { lines: linesOf("1x100@7", { tax: "03", regime: "15" }) };
const IN_14 = {
  lines: linesOf("1x100@21", { regime: "14" }),
  recipient: { ...A_RECIPIENT, vatNumber: "P2807900B" },
};
const ON_TIME = { rectifies: [elsewhere()] };

test.each<[string, string, Partial<InvoiceRequest>, string]>([
  ["today", TODAY, {}, "issued"],
  ["yesterday", "2026-11-26", {}, "issued"],
  ["20 years ago", "2006-11-27", {}, "issued"],
  ["a day more", "2006-11-26", {}, "operation_date_not_allowed"],
  ["tomorrow", "2026-11-28", {}, "operation_date_not_allowed"],
  ["tomorrow in regime 15", "2026-11-28", IN_15, "issued"],
  ["tomorrow in regime 15 of IGIC", "2026-11-28", IN_15_OF_IGIC, "issued"],
  ["tomorrow in regime 15, with a line of another", "2026-11-28", IN_15_AND_01, "operation_date_not_allowed"],
  ["today in regime 15", TODAY, IN_15, "issued"],
  ["the end of next year in regime 15", "2027-12-31", IN_15, "issued"],
  ["the year after", "2028-01-01", IN_15, "operation_date_not_allowed"],
  ["tomorrow in regime 14", "2026-11-28", IN_14, "issued"],
  ["today in regime 14", TODAY, IN_14, "operation_date_not_allowed"],
])("%s", (_, date, change, expected) => {
  expect(outcomeOf(aRequest("e1", { ...change, operationDate: civilDate(date) }))).toBe(expected);
});

test.each<[string, string | undefined, string | undefined]>([
  ["when it differs from the issue date", "2026-11-20", "20-11-2026"],
  ["not when it is the same", TODAY, undefined],
  ["not when none is sent", undefined, undefined],
])("it is in document and record %s", (_, date, expected) => {
  const change = date === undefined ? {} : { operationDate: civilDate(date) };
  const view = issued(aRequest("e1", change));
  expect(altaOf(view).operationDate).toBe(expected);
  expect(view.document.operationDate).toBe(expected && date);
});

test.each<[string, Partial<InvoiceRequest>, string | undefined]>([
  ["the operation date of the invoice", {}, "20-11-2026"],
  ["the one sent", { operationDate: civilDate("2026-11-25") }, "25-11-2026"],
  ["the one sent, which may be the issue date", { operationDate: civilDate("2026-12-02") }, undefined],
  ["of several, the latest", { rectifies: [{ externalId: "e1" }, { externalId: "e2" }] }, "25-11-2026"],
  ["of one without it, the issue date", { rectifies: [{ externalId: "e3" }] }, "27-11-2026"],
  ["of one issued elsewhere, its issue date", { rectifies: [elsewhere()] }, "01-03-2025"],
])("a rectification dates from %s", (_, change, expected) => {
  const after = issueAll([
    aRequest("e1", { operationDate: civilDate("2026-11-20") }),
    aRequest("e2", { operationDate: civilDate("2026-11-25") }),
    aRequest("e3"),
  ]);
  const request = correcting(aRequest("e9", { lines: linesOf("-1x10@21") }), ["e1"], change);
  const content = altaOf(issued(request, { after, now: "2026-12-02T10:00:00+01:00" }));
  expect(content.operationDate).toBe(expected);
});

test("an F3 dates from the latest ticket", () => {
  const after = issueAll([
    aTicket("e1", { operationDate: civilDate("2026-11-02") }),
    aTicket("e2", { operationDate: civilDate("2026-11-03") }),
  ]);
  const request = aRequest("e9", {
    invoiceType: "F3",
    rectifies: [{ externalId: "e1" }, { externalId: "e2" }],
    lines: linesOf("2x100@21"),
  });
  expect(altaOf(issued(request, { after })).operationDate).toBe("03-11-2026");
});

test.each([
  ["of 2024 at the rate of 2024", "2024-06-01", "issued"],
  ["of 2025 at the rate of 2024", "2025-06-01", "tax_rate_not_allowed"],
])("rates are judged on it: a refund of a sale %s", (_, date, expected) => {
  const rectifies = [elsewhere({ issueDate: civilDate(date) })];
  const refund = aRequest("e1", { lines: linesOf("-1x10@5") });
  expect(outcomeOf(correcting(refund, [], { rectifies }))).toBe(expected);
});

test.each<[string, Partial<InvoiceRequest>, string, string]>([
  ["the one sent", { operationDate: civilDate("2006-11-26") }, "operation_date", "correct_operation_date"],
  ["the cited invoice that gave it", {}, "rectifies.1", "correct_cited_date"],
  [
    "the one to be sent in regime 14",
    { ...IN_14, ...ON_TIME },
    "operation_date",
    "send_later_operation_date",
  ],
])("a date that will not do blames %s", (_, change, path, fix) => {
  const old = elsewhere({ number: "V/1", issueDate: civilDate("2006-11-26") });
  const rectifies = [elsewhere({ number: "V/0", issueDate: civilDate("2006-11-25") }), old];
  const refusal = refusalOf(correcting(aRequest("e1"), [], { rectifies, ...change }));
  expect(refusal).toMatchObject({
    code: "operation_date_not_allowed",
    path,
    facts: { fix: { phrase: fix } },
  });
});

test("a date of the future that an invoice of ours gave is to be sent", () => {
  const after = issueAll([aRequest("e1", { ...IN_15, operationDate: civilDate("2026-12-01") })]);
  const request = correcting(aRequest("e9", { lines: linesOf("-1x1@21") }), ["e1"]);
  expect(refusalOf(request, { after })).toMatchObject({
    path: "operation_date",
    facts: { fix: { phrase: "send_operation_date" } },
  });
});
