import { refuse } from "../invoice/refusal.ts";
import { type ActiveAuthorisation, ARTICLE_4_2_CEILING } from "../invoice/simplified.ts";
import { digitsOf, isAtMost, isPositive } from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { hasInk, isPlainText, normalizeText } from "../shared/text.ts";
import { LIMITS } from "../verifactu/aeat-lists.ts";
import type { DeclarationRefusal } from "./declaration-refusal.ts";

/** The limit for the number in direct invoices. */
const NUMBER_LENGTH = 64;
const LIMIT_DIGITS = { integer: 12, fraction: 2 };
/** NumRegistroAcuerdoFacturacion, without the characters that the AEAT refuses in a record. */
const AGREEMENT_NUMBER = /^[!#-&(-;?-~]{1,15}$/;

export function isAgreementNumber(text: string): boolean {
  return AGREEMENT_NUMBER.test(text);
}

/** An authorisation of article 4.3, as the owner has it from the AEAT: an account has one at a time. */
export function openAuthorisation(
  stated: ActiveAuthorisation,
  active: ActiveAuthorisation | undefined,
): Result<ActiveAuthorisation, DeclarationRefusal> {
  const number = normalizeText(stated.number);
  const { limit, agreementNumber } = stated;
  if (!isNumber(number)) return refuse("authorisation_number_invalid", {}, "number");
  const digits = digitsOf(limit);
  const fits = digits.integer <= LIMIT_DIGITS.integer && digits.fraction <= LIMIT_DIGITS.fraction;
  if (!isPositive(limit) || !fits) return refuse("authorisation_limit_invalid", {}, "limit");
  if (agreementNumber !== undefined && !isAgreementNumber(agreementNumber)) {
    const longest = { amount: String(LIMITS.agreementNumberLength) };
    return refuse("agreement_number_invalid", { longest }, "agreement_number");
  }
  // Error 1150: without it the AEAT takes no more than article 4.2 allows.
  if (agreementNumber === undefined && !isAtMost(limit, ARTICLE_4_2_CEILING)) {
    const facts = { limit: money(limit, "EUR"), ceiling: money(ARTICLE_4_2_CEILING, "EUR") };
    return refuse("agreement_number_required", facts, "agreement_number");
  }
  const opened = { number, limit, ...(agreementNumber === undefined ? {} : { agreementNumber }) };
  if (active && !isSame(active, opened)) return refuse("authorisation_active", { number: active.number });
  return ok(opened);
}

/** Undefined where none is active: it was closed before, and a repeat closes nothing. */
export function closeAuthorisation(
  number: string,
  active: ActiveAuthorisation | undefined,
): Result<ActiveAuthorisation | undefined, DeclarationRefusal> {
  if (active && active.number !== normalizeText(number)) {
    return refuse("authorisation_not_active", { number, active: active.number });
  }
  return ok(active);
}

function isNumber(number: string): boolean {
  return isPlainText(number) && hasInk(number) && [...number].length <= NUMBER_LENGTH;
}

function isSame(a: ActiveAuthorisation, b: ActiveAuthorisation): boolean {
  return a.number === b.number && a.limit === b.limit && a.agreementNumber === b.agreementNumber;
}
