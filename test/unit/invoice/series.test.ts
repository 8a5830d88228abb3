import { describe, expect, test } from "vitest";
import {
  directStem,
  fullNumber,
  isNumberOf,
  type SeriesOwner,
  seriesCode,
} from "../../../src/domain/billing/series.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { type CivilDate, civilDate } from "../../../src/domain/shared/civil-date.ts";
import { AN_INSTALLATION, issueAll, issued, viewOf } from "../../support/builders/direct-invoicing.ts";
import {
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  linesOf,
} from "../../support/builders/requests.ts";

const MINUS_1 = { lines: linesOf("-1x1@21") };

test.each<[string, InvoiceRequest[], string]>([
  ["F1", [aRequest("e1")], "API-1-2026"],
  ["F2 without recipient is a full one", [anUnnamed("e1")], "API-1-2026"],
  [
    "F3",
    [aTicket("e1"), aRequest("e2", { invoiceType: "F3", rectifies: [{ externalId: "e1" }] })],
    "API-1-2026",
  ],
  ["F2", [aTicket("e1")], "API-1S-2026"],
  ["qualified F1 is a simplified one", [aQualified("e1")], "API-1S-2026"],
  ["R1", [aRequest("e1"), correcting(aRequest("e2", MINUS_1), ["e1"])], "API-1R-2026"],
  ["R5 without recipient", [anUnnamed("e1"), correcting(anUnnamed("e2", MINUS_1), ["e1"])], "API-1R-2026"],
  ["R5", [aTicket("e1"), correcting(aTicket("e2", MINUS_1), ["e1"])], "API-1RS-2026"],
  ["qualified R1", [aQualified("e1"), correcting(aQualified("e2", MINUS_1), ["e1"])], "API-1RS-2026"],
])("series follow the documentary regime: %s", (_, requests, expected) => {
  const view = issued(requests);
  expect([view.series, view.fullNumber]).toEqual([expected, `${expected}-000001`]);
});

test("each series counts separately, from 1, without gap, over groups", () => {
  const first = issueAll([
    aRequest("e1"),
    aTicket("e2"),
    aRequest("e3"),
    aRequest("bad", { description: "<" }),
  ]);
  const second = issueAll([aTicket("e4"), aRequest("e5")], { after: first });
  const numbers = [...first.outcomes, ...second.outcomes].flatMap((outcome) =>
    "invoice" in outcome ? [outcome.invoice.fullNumber] : [],
  );
  expect(numbers).toEqual([
    "API-1-2026-000001",
    "API-1S-2026-000001",
    "API-1-2026-000002",
    "API-1S-2026-000002",
    "API-1-2026-000003",
  ]);
});

test.each([
  ["the connection's ordinal is in the stem", { connectionOrdinal: 7, installationOrdinal: 1 }, "API-7"],
  ["a second installation is b", { connectionOrdinal: 1, installationOrdinal: 2 }, "API-1b"],
  ["the 26th is z", { connectionOrdinal: 1, installationOrdinal: 26 }, "API-1z"],
  ["the 27th continues with two letters", { connectionOrdinal: 1, installationOrdinal: 27 }, "API-1ba"],
  ["the 28th", { connectionOrdinal: 12, installationOrdinal: 28 }, "API-12bb"],
])("%s", (_, owner, stem) => {
  expect(directStem({ ...owner, connectionKind: "api" })).toBe(stem);
  expect(codesOf(owner, civilDate("2027-01-01"))).toEqual([
    `${stem}-2027`,
    `${stem}S-2027`,
    `${stem}R-2027`,
    `${stem}RS-2027`,
  ]);
});

test("no two installations and kinds of document share a code", () => {
  const owners = [1, 2, 11, 111].flatMap((connectionOrdinal) =>
    Array.from({ length: 800 }, (_, index) => ({ connectionOrdinal, installationOrdinal: index + 1 })),
  );
  const codes = owners.flatMap((owner) => codesOf(owner, civilDate("2026-01-01")));
  expect(new Set(codes).size).toBe(4 * 800 * 4);
});

test("a new installation starts a new chain with its own series", () => {
  const settings = { installation: { ...AN_INSTALLATION, id: "is00000000000000000002", ordinal: 2 } };
  const view = issued(aTicket("e1"), { settings });
  expect(view.fullNumber).toBe("API-1bS-2026-000001");
  expect(view.alta.record.content.chain).toEqual({ first: true });
});

test.each([
  [1, "API-1-2026-000001"],
  [999_999, "API-1-2026-999999"],
  [1_000_000, "API-1-2026-1000000"],
])("number %i is written %s", (number, expected) => {
  expect(fullNumber("API-1-2026", number)).toBe(expected);
});

describe("numbers of a stem", () => {
  test.each(["API-1-2026-000001", "API-1S-2026-000001", "API-1R-2030-999999", "API-1RS-2026-1000000"])(
    "%s is one of API-1",
    (number) => expect(isNumberOf("API-1", number)).toBe(true),
  );

  test.each([
    "API-11-2026-000001",
    "API-1b-2026-000001",
    "API-1SR-2026-000001",
    "API-1-2026-1",
    "API-1-2026-000001 ",
    "XAPI-1-2026-000001",
  ])("%s is not", (number) => expect(isNumberOf("API-1", number)).toBe(false));
});

describe("the day of issue", () => {
  test.each([
    ["23:59 of the last day in Madrid", "2026-12-31T22:59:59Z", "2026-12-31", "API-1-2026-000001"],
    ["midnight in Madrid", "2026-12-31T23:00:00Z", "2027-01-01", "API-1-2027-000001"],
  ])("%s", (_, now, date, number) => {
    const view = issued(aRequest("e1"), { now });
    expect([view.issueDate, view.fullNumber]).toEqual([date, number]);
    expect(view.alta.record.content.key).toMatchObject({ number, date: date.split("-").reverse().join("-") });
  });

  test("the Canary Islands are one hour earlier", () => {
    const settings = { timeZone: "Atlantic/Canary", territory: "canarias" } as const;
    const lines = linesOf("1x100@7");
    const view = issued(aRequest("e1", { lines }), { settings, now: "2026-12-31T23:30:00Z" });
    expect(view.fullNumber).toBe("API-1-2026-000001");
    expect(view.alta.record.content.generatedAt).toBe("2026-12-31T23:30:00+00:00");
  });

  test("a clock that goes back issues with the last instant and day of the chain", () => {
    const first = issueAll([aRequest("e1")], { now: "2027-01-01T00:00:05+01:00" });
    const second = issueAll([aRequest("e2")], { after: first, now: "2026-12-31T23:59:00+01:00" });
    const [view] = second.outcomes.map(viewOf);
    expect([view?.issueDate, view?.fullNumber, view?.alta.record.content.generatedAt]).toEqual([
      "2027-01-01",
      "API-1-2027-000002",
      "2027-01-01T00:00:05+01:00",
    ]);
  });

  test("a new year starts a new count in every series", () => {
    const first = issueAll([aRequest("e1"), aTicket("e2")]);
    const later = issueAll([aTicket("e3"), aRequest("e4")], {
      after: first,
      now: "2027-02-01T10:00:00+01:00",
    });
    expect(later.outcomes.map(viewOf).map((view) => view.fullNumber)).toEqual([
      "API-1S-2027-000001",
      "API-1-2027-000001",
    ]);
  });
});

/** The series of a full invoice, a simplified one, and their corrections. */
function codesOf(owner: SeriesOwner, issueDate: CivilDate): string[] {
  const kinds = [
    { invoiceType: "F1", regime: "art6_full" },
    { invoiceType: "F2", regime: "art7_simplified" },
    { invoiceType: "R1", regime: "art6_full" },
    { invoiceType: "R5", regime: "art7_simplified" },
  ] as const;
  return kinds.map((kind) => seriesCode(directStem({ ...owner, connectionKind: "api" }), kind, issueDate));
}
