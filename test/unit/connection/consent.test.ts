/** The people who may consent, and the text they agree to. */
import { describe, expect, test } from "vitest";
import {
  CONSENT_TEXT_VERSIONS,
  checkConsentText,
  checkEligibility,
  consentTextToday,
  foralProvinceOf,
} from "../../../src/domain/connection/consent.ts";
import { refusalIn } from "../../support/rules/readable.ts";

const ORDINARY = { commonRulesApply: false, keepsBooksInSii: false };
const from = (postcode: string) => ({ name: "Comercial del Norte SL", postcode });

describe("an issuer", () => {
  test.each(["28013", "00000", "10001", "02001", "35001", "51001", "", "1001"])(
    "of %s may consent",
    (postcode) => {
      expect(checkEligibility(from(postcode), ORDINARY)).toEqual({ ok: true, value: undefined });
    },
  );

  test.each([
    ["01001", "Álava"],
    ["48001", "Bizkaia"],
    [" 20001", "Gipuzkoa"],
    ["31001", "Navarra"],
  ])("of %s may not, unless the common rules apply", (postcode, province) => {
    expect(foralProvinceOf(postcode)).toBe(province);
    expect(refusalIn(checkEligibility(from(postcode), ORDINARY))).toEqual({
      code: "issuer_not_eligible",
      facts: { legal_name: "Comercial del Norte SL", reason: { phrase: "foral_territory", province } },
    });
    expect(checkEligibility(from(postcode), { ...ORDINARY, commonRulesApply: true }).ok).toBe(true);
  });

  test.each(["28013", "48001"])("of %s that keeps its books in the SII may not", (postcode) => {
    const declared = { commonRulesApply: true, keepsBooksInSii: true };
    expect(refusalIn(checkEligibility(from(postcode), declared))).toEqual({
      code: "issuer_not_eligible",
      facts: { legal_name: "Comercial del Norte SL", reason: { phrase: "books_in_sii" } },
    });
  });
});

describe("the text", () => {
  test("of today is the last of all", () => {
    expect(CONSENT_TEXT_VERSIONS).toEqual([consentTextToday("api"), consentTextToday("console")]);
    expect(checkConsentText("1", "commerce")).toEqual({ ok: true, value: "1" });
    expect(checkConsentText("2", "console")).toEqual({ ok: true, value: "2" });
  });

  test.each(["0", "2", "", "1 "])("of version %j is not the agreed text", (version) => {
    expect(refusalIn(checkConsentText(version, "api"))).toMatchObject({
      code: "consent_text_outdated",
      facts: { current: "1" },
    });
  });
});
