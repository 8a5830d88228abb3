/** Tag rules, authorisations and the cutoff. */
import { describe, expect, test } from "vitest";
import {
  checkCutoff,
  closeAuthorisation,
  DECLARATION_REFUSALS,
  moveCutoff,
  openAuthorisation,
} from "../../../src/domain/billing/declarations.ts";
import type { ActiveAuthorisation } from "../../../src/domain/invoice/simplified.ts";
import type { TagRule } from "../../../src/domain/order/context.ts";
import { removeTagRule, setTagRule } from "../../../src/domain/order/decide-first.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { eur } from "../../support/builders/facts.ts";
import { refusalIn } from "../../support/rules/readable.ts";
import { sourceFiles } from "../../support/rules/sources.ts";

describe("rules of tags", () => {
  const ignored: TagRule = { tag: "test", action: "ignore" };
  const rules: readonly TagRule[] = [{ tag: "vip", action: "hold" }, ignored];

  test.each<[string, TagRule, readonly TagRule[]]>([
    ["a new one", { tag: " B2B ", action: "hold" }, [...rules, { tag: "b2b", action: "hold" }]],
    [
      "one in the place of another",
      { tag: "VIP", action: "ignore" },
      [{ tag: "vip", action: "ignore" }, ignored],
    ],
    ["the same again", { tag: "vip", action: "hold" }, rules],
    [
      "of texts without a small letter",
      { tag: "STRASSE", action: "hold" },
      [...rules, { tag: "strasse", action: "hold" }],
    ],
  ])("%s", (_, rule, expected) => {
    expect(setTagRule(rules, rule)).toEqual({ ok: true, value: expected });
  });

  test.each(["", " ", "\u200b", "a\u0000", "a".repeat(256)])("none for %j", (tag) => {
    const refused = refusalIn(setTagRule(rules, { tag, action: "hold" }));
    expect(refused).toEqual({ code: "tag_invalid", facts: {}, path: "tag" });
  });

  test("removed, and removed again", () => {
    const left = removeTagRule(rules, " Vip");
    expect(left).toEqual([ignored]);
    expect(removeTagRule(left, "vip")).toEqual(left);
  });
});

describe("an authorisation", () => {
  const stated: ActiveAuthorisation = {
    number: "RGE-1",
    limit: decimal("5000"),
    agreementNumber: "123456789012345",
  };
  const without = (limit: string): ActiveAuthorisation => ({ number: "RGE-1", limit: decimal(limit) });

  test.each<[string, ActiveAuthorisation, ActiveAuthorisation | undefined, ActiveAuthorisation]>([
    ["with its registration number", stated, undefined, stated],
    ["trimmed", { ...stated, number: " RGE-1 " }, undefined, stated],
    ["without one, up to 3,000.00", without("3000"), undefined, without("3000")],
    ["that is active already", stated, stated, stated],
  ])("%s is opened", (_, authorisation, active, value) => {
    expect(openAuthorisation(authorisation, active)).toEqual({ ok: true, value });
  });

  const longest = { amount: "15" };
  test.each<[string, ActiveAuthorisation, string, object, string?]>([
    ["without number", { ...stated, number: " " }, "authorisation_number_invalid", {}, "number"],
    [
      "with a number of 65",
      { ...stated, number: "1".repeat(65) },
      "authorisation_number_invalid",
      {},
      "number",
    ],
    ["of nothing", without("0"), "authorisation_limit_invalid", {}, "limit"],
    ["of less", without("-1"), "authorisation_limit_invalid", {}, "limit"],
    ["in tenths of a cent", without("100.001"), "authorisation_limit_invalid", {}, "limit"],
    ["beyond all invoices", without("1000000000000"), "authorisation_limit_invalid", {}, "limit"],
    [
      "with an empty registration number",
      { ...stated, agreementNumber: "" },
      "agreement_number_invalid",
      { longest },
      "agreement_number",
    ],
    [
      "with one of 16",
      { ...stated, agreementNumber: "1234567890123456" },
      "agreement_number_invalid",
      { longest },
      "agreement_number",
    ],
    [
      "with a name that the AEAT would refuse",
      { ...stated, agreementNumber: "1=2" },
      "agreement_number_invalid",
      { longest },
      "agreement_number",
    ],
    [
      "without one, above 3,000.00",
      without("3000.01"),
      "agreement_number_required",
      { limit: eur("3000.01"), ceiling: eur("3000") },
      "agreement_number",
    ],
  ])("%s is refused", (_, authorisation, code, facts, path) => {
    expect(refusalIn(openAuthorisation(authorisation, undefined))).toEqual({ code, facts, path });
  });

  test.each<[string, Partial<ActiveAuthorisation>]>([
    ["another", { number: "RGE-2" }],
    ["the same with another limit", { limit: decimal("6000") }],
    ["the same with another registration number", { agreementNumber: "9" }],
  ])("next to an active one, %s is refused", (_, change) => {
    const refused = refusalIn(openAuthorisation({ ...stated, ...change }, stated));
    expect(refused).toEqual({ code: "authorisation_active", facts: { number: "RGE-1" } });
  });

  test("is closed once, by its number", () => {
    expect(closeAuthorisation("RGE-1 ", stated)).toEqual({ ok: true, value: stated });
    expect(closeAuthorisation("RGE-1", undefined)).toEqual({ ok: true, value: undefined });
    expect(refusalIn(closeAuthorisation("RGE-2", stated))).toEqual({
      code: "authorisation_not_active",
      facts: { number: "RGE-2", active: "RGE-1" },
    });
  });
});

describe("the cutoff", () => {
  const today = civilDate("2026-11-27");
  const current = civilDate("2026-06-01");

  test.each(["1990-01-01", "2026-11-27", "2027-01-01", "2027-12-31"])("may be %s", (date) => {
    expect(checkCutoff(civilDate(date), today)).toEqual({ ok: true, value: date });
  });

  test("may not be beyond the coming year", () => {
    const refused = refusalIn(moveCutoff(current, civilDate("2028-01-01"), today));
    expect(refused).toEqual({
      code: "cutoff_too_late",
      facts: { date: { date: "2028-01-01" }, latest: { date: "2027-12-31" } },
      path: "cutoff_date",
    });
  });

  test.each([
    ["2026-05-31", "earlier"],
    ["2026-06-01", "nowhere"],
    ["2026-06-02", "later"],
  ])("moved to %s it moves %s", (date, moves) => {
    expect(moveCutoff(current, civilDate(date), today)).toEqual({ ok: true, value: { date, moves } });
  });
});

test("every refusal of a declaration is shown in these tests", () => {
  const texts = sourceFiles("test/unit/billing/*.test.ts").map(({ text }) => text);
  const shown = (code: string) => texts.some((text) => text.includes(`"${code}"`));
  expect(DECLARATION_REFUSALS.filter((code) => !shown(code))).toEqual([]);
});
