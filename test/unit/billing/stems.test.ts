/** Stems of series: their form, what each reserves, and until when it can be exchanged. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changeOrderStem,
  changeStem,
  checkStem,
  codesOfStem,
  fullNumber,
  type OrderStemScope,
  seriesCode,
  stemIn,
  type TakenStem,
} from "../../../src/domain/billing/series.ts";
import { INVOICE_TYPES } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { refusalIn } from "../../support/rules/readable.ts";

const taken = (...stems: readonly string[]): TakenStem[] =>
  stems.map((stem) => ({ stem, where: `of ${stem}` }));

test("a stem reserves four codes", () => {
  expect(codesOfStem("A")).toEqual(["A", "AS", "AR", "ARS"]);
});

test("they are all that an invoice can be numbered under", () => {
  const codes = INVOICE_TYPES.flatMap((invoiceType) =>
    (["art6_full", "art7_simplified"] as const).map((regime) =>
      seriesCode("A", { invoiceType, regime }, civilDate("2026-11-27")),
    ),
  );
  expect([...new Set(codes)].sort()).toEqual(
    codesOfStem("A")
      .map((code) => `${code}-2026`)
      .sort(),
  );
});

describe("a stem", () => {
  test.each(["A", "7", "WEB", "TIENDA-1", "A.B", "A--B", "API1", "PED2", "APIS", "X-API-1", "A".repeat(46)])(
    "%s is one",
    (stem) => {
      expect(checkStem(stem, [])).toEqual({ ok: true, value: stem });
    },
  );

  test("of a connection for tests is shorter by what its numbers begin with", () => {
    const trial = { trial: true };
    expect(checkStem("A".repeat(44), [], trial)).toEqual({ ok: true, value: "A".repeat(44) });
    const [longest, tooLong] = [44, 45].map((length) =>
      stemIn("A".repeat(length), { installationOrdinal: 1, ...trial }),
    );
    expect([longest, tooLong].map((stem) => `${stem}RS-2026-000001`.length)).toEqual([60, 61]);
    const refused = { code: "stem_too_long", facts: { longest: { amount: "60" } }, path: "stem" };
    expect(refusalIn(checkStem("A".repeat(45), [], trial))).toEqual(refused);
    expect(
      refusalIn(changeStem({ current: "A", next: "A".repeat(45), numbered: [], taken: [], ...trial })),
    ).toEqual(refused);
  });

  test.each<[string, string, string, object]>([
    ["none at all", "", "stem_invalid", { stem: "" }],
    ["small letters", "web", "stem_invalid", { stem: "web" }],
    ["an accent", "ÁREA", "stem_invalid", { stem: "ÁREA" }],
    ["a space", "A B", "stem_invalid", { stem: "A B" }],
    ["a line break at its end", "A\n", "stem_invalid", { stem: "A\n" }],
    ["a slash", "A/1", "stem_invalid", { stem: "A/1" }],
    ["a hyphen at its end", "A-", "stem_invalid", { stem: "A-" }],
    ["a point at its beginning", ".A", "stem_invalid", { stem: ".A" }],
    ["the beginning of direct invoices", "API-9", "stem_reserved", { stem: "API-9" }],
    ["the beginning of orders", "PED-1", "stem_reserved", { stem: "PED-1" }],
    ["with codes that begin like those of direct invoices", "API", "stem_reserved", { stem: "API" }],
    ["with codes that begin like those of orders", "PED", "stem_reserved", { stem: "PED" }],
    ["of 47 characters", "A".repeat(47), "stem_too_long", { longest: { amount: "60" } }],
  ])("%s is none", (_, stem, code, facts) => {
    expect(refusalIn(checkStem(stem, []))).toEqual({ code, facts, path: "stem" });
  });

  test("is as long as its longest number can be printed", () => {
    const longest = seriesCode(
      "A".repeat(46),
      { invoiceType: "R5", regime: "art7_simplified" },
      civilDate("2026-11-27"),
    );
    expect(fullNumber(longest, 1)).toHaveLength(60);
  });

  test.each<[string, string, readonly string[], object]>([
    ["the same", "A", ["B", "A"], { series: "A", where: "of A" }],
    ["what another reserves", "AR", ["A"], { series: "AR", where: "of A" }],
    ["what reserves that of another", "A", ["ARS"], { series: "ARS", where: "of ARS" }],
    ["two that meet in the middle", "AR", ["ARS"], { series: "ARS", where: "of ARS" }],
  ])("%s is taken", (_, stem, others, facts) => {
    expect(refusalIn(checkStem(stem, taken(...others)))).toEqual({ code: "stem_taken", facts, path: "stem" });
  });

  test.each([
    ["B", "A"],
    ["A1", "A"],
    ["A-S", "A"],
    ["SA", "A"],
    ["ASR", "A"],
  ])("%s is free next to %s", (stem, other) => {
    expect(checkStem(stem, taken(other)).ok).toBe(true);
  });

  test("collides whichever comes first", () => {
    const form = fc.stringMatching(/^[ARS]{1,4}$/);
    fc.assert(
      fc.property(form, form, (a, b) => {
        expect(checkStem(a, taken(b)).ok).toBe(checkStem(b, taken(a)).ok);
        const meet = codesOfStem(a).some((code) => codesOfStem(b).includes(code));
        expect(checkStem(a, taken(b)).ok).toBe(!meet);
      }),
      { numRuns: 500 },
    );
  });
});

describe("an existing stem", () => {
  const scope = { current: "A", numbered: [], taken: taken("A", "B") };

  test("is exchanged before its first number, its own codes being no obstacle", () => {
    expect(changeStem({ ...scope, next: "AR" })).toEqual({ ok: true, value: "AR" });
  });

  test("is not after it", () => {
    const refused = refusalIn(changeStem({ ...scope, next: "C", numbered: ["A"] }));
    expect(refused).toEqual({ code: "stem_numbered", facts: { stem: "A" }, path: "stem" });
  });

  test("may be said again at any time", () => {
    expect(changeStem({ ...scope, next: "A", numbered: ["A"] })).toEqual({ ok: true, value: "A" });
  });

  test("gives way to none that is taken", () => {
    expect(refusalIn(changeStem({ ...scope, next: "BS" })).code).toBe("stem_taken");
  });
});

describe("the stem of orders without profile", () => {
  const scope: OrderStemScope = {
    current: "PED-1",
    given: "PED-1",
    hasProfiles: false,
    numbered: [],
    taken: taken("PED-1", "B"),
  };
  const chosen: OrderStemScope = { ...scope, current: "WEB", taken: taken("WEB", "B") };

  test.each<[string, string, OrderStemScope, string]>([
    ["is exchanged for one of the owner's", "WEB", scope, "WEB"],
    ["stays as it is", "PED-1", scope, "PED-1"],
    ["may be given back", "PED-1", chosen, "PED-1"],
  ])("%s", (_, next, under, value) => {
    expect(changeOrderStem(next, under)).toEqual({ ok: true, value });
  });

  test.each<[string, string, OrderStemScope, string, object]>([
    ["of another connection", "PED-2", scope, "stem_reserved", { stem: "PED-2" }],
    ["taken", "BR", scope, "stem_taken", { series: "BR", where: "of B" }],
    ["after the first number", "WEB", { ...scope, numbered: ["PED-1"] }, "stem_numbered", { stem: "PED-1" }],
    [
      "back after the first number",
      "PED-1",
      { ...chosen, numbered: ["WEB"] },
      "stem_numbered",
      { stem: "WEB" },
    ],
    ["next to profiles", "WEB", { ...scope, hasProfiles: true }, "stem_of_profiles", {}],
  ])("%s is refused", (_, next, under, code, facts) => {
    expect(refusalIn(changeOrderStem(next, under))).toEqual({ code, facts, path: "stem" });
  });
});
