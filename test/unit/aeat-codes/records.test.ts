/** Rules of the AEAT that hold in every record, for every request. */
import { expect, test } from "vitest";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { altaOf, issueAll, issued, recordTotalsIn, viewOf } from "../../support/builders/direct-invoicing.ts";
import { anUnnamed, aRequest, aTicket, correcting, linesOf } from "../../support/builders/requests.ts";

const substitution = { rectificationMethod: "substitution" } as const;
const { records, outcomes } = issueAll([
  aRequest("e1", { lines: linesOf("1x100@21 1x10.55@10 1x-3.33@4") }),
  aRequest("e2", { lines: linesOf("1x100@21", { surchargeRate: decimal("5.2") }) }),
  correcting(aRequest("e3", { lines: linesOf("-1x10@21") }), ["e1"]),
  correcting(aRequest("e4", { lines: linesOf("1x10@21") }), ["e2"], substitution),
  aRequest("e5", { lines: linesOf("1x200000000@21") }),
  aTicket("e6"),
  aRequest("e7", { invoiceType: "F3", rectifies: [{ externalId: "e6" }] }),
  anUnnamed("e8"),
]);
const contents = outcomes.map(viewOf).map(altaOf);
const of = (type: string) => contents.filter((content) => content.invoiceType === type);

test("1114, 1115 the method is there exactly with R1 to R5", () => {
  expect(contents.map((content) => [content.invoiceType, content.rectificationMethod])).toEqual([
    ["F1", undefined],
    ["F1", undefined],
    ["R1", "I"],
    ["R1", "S"],
    ["F1", undefined],
    ["F2", undefined],
    ["F3", undefined],
    ["F2", undefined],
  ]);
});

test("1116, 1117 rectified ones only with R*, replaced ones only with F3", () => {
  expect(contents.filter((content) => content.rectified)).toEqual(of("R1"));
  expect(contents.filter((content) => content.replaced)).toEqual(of("F3"));
});

test("1118, 1119 the amounts rectified exactly with substitution", () => {
  expect(
    contents.filter((content) => content.rectifiedAmounts).map((content) => content.rectificationMethod),
  ).toEqual(["S"]);
});

test("1138, 1139 macrodata exactly from 100,000,000 on", () => {
  expect(contents.filter((content) => content.macrodata).map((content) => content.total)).toEqual([
    "242000000.00",
  ]);
});

test("1152 the issue date is today's", () => {
  expect(new Set(records.map(({ content }) => content.key.date))).toEqual(new Set(["27-11-2026"]));
});

test("1208, 1284 S1 has rate and tax, a surcharge has both of its own", () => {
  const lines = contents.flatMap((content) => content.breakdown);
  expect(lines.every((line) => line.rate !== undefined && line.taxAmount !== undefined)).toBe(true);
  expect(
    lines.filter((line) => (line.surchargeRate === undefined) !== (line.surchargeAmount === undefined)),
  ).toEqual([]);
});

test("1195, 1196 exactly one of qualification and exemption", () => {
  const lines = [...linesOf("1x1@0", { qualification: "E1" }), ...linesOf("1x1@0", { qualification: "N1" })];
  const { breakdown } = altaOf(issued(aRequest("e1", { lines })));
  expect(breakdown.map((line) => [line.qualification, line.exemption])).toEqual([
    [undefined, "E1"],
    ["N1", undefined],
  ]);
});

test("1245 IPSI has a regime too, which 2027 demands", () => {
  const view = issued(aRequest("e1", { lines: linesOf("1x100@10") }), {
    settings: { territory: "ceuta_melilla" },
  });
  expect(altaOf(view).breakdown).toMatchObject([{ tax: "02", regime: "01" }]);
});

test("2005, 2006 exempt and not subject bases are in ImporteTotal, all taxes in CuotaTotal", () => {
  const lines = [
    ...linesOf("1x100@21", { surchargeRate: decimal("5.2") }),
    ...linesOf("1x50@0", { qualification: "E1" }),
    ...linesOf("1x25@0", { qualification: "N2" }),
  ];
  expect(recordTotalsIn(issued(aRequest("e1", { lines })))).toBe("26.20 / 201.20");
});
