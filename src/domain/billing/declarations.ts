import { type Refusal, refuse } from "../invoice/refusal.ts";
import { type ActiveAuthorisation, ARTICLE_4_2_CEILING } from "../invoice/simplified.ts";
import { type CivilDate, civilDate, yearOf } from "../shared/civil-date.ts";
import { digitsOf, isAtMost, isPositive } from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { hasInk, isPlainText, normalizeText } from "../shared/text.ts";
import { LIMITS } from "../verifactu/aeat-lists.ts";

/** All refusals of an owner's declarations about sales, in the order of the checks. */
export const DECLARATION_REFUSALS = [
  // Profiles
  "orders_not_supported_by_connection",
  "profile_unknown",
  "profile_name_invalid",
  "profile_name_taken",
  "channel_invalid",
  "store_unknown",
  "profile_takes_everything",
  "profile_match_taken",
  // Stems
  "stem_of_profiles",
  "stem_numbered",
  "stem_invalid",
  "stem_reserved",
  "stem_too_long",
  "stem_taken",
  // Sales
  "treatment_code_invalid",
  "fee_rate_not_allowed",
  "destinations_contradict",
  "foreign_sales_not_allowed",
  "authorisation_missing",
  "rounding_rate_invalid",
  // Tags
  "tag_invalid",
  // All of it
  "too_much_declared",
  // Authorisations
  "authorisation_number_invalid",
  "authorisation_limit_invalid",
  "agreement_number_invalid",
  "agreement_number_required",
  "authorisation_active",
  "authorisation_not_active",
  // The cutoff
  "cutoff_too_late",
] as const;

export type DeclarationRefusalCode = (typeof DECLARATION_REFUSALS)[number];
export type DeclarationRefusal = Refusal<DeclarationRefusalCode>;

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

/** A new cutoff compared with the current one. */
interface CutoffMove {
  readonly date: CivilDate;
  /** Earlier adds orders; later excludes orders without an invoice. */
  readonly moves: "nowhere" | "earlier" | "later";
}

/**
 * The first day of orders to invoice. It may be in the next year, but not later: such a date is a typing
 * error that would stop all invoicing.
 */
export function checkCutoff(date: CivilDate, today: CivilDate): Result<CivilDate, DeclarationRefusal> {
  const latest = civilDate(`${yearOf(today) + 1}-12-31`);
  if (date > latest)
    return refuse("cutoff_too_late", { date: { date }, latest: { date: latest } }, "cutoff_date");
  return ok(date);
}

export function moveCutoff(
  current: CivilDate,
  next: CivilDate,
  today: CivilDate,
): Result<CutoffMove, DeclarationRefusal> {
  const checked = checkCutoff(next, today);
  if (!checked.ok) return checked;
  const moves = next === current ? "nowhere" : next < current ? "earlier" : "later";
  return ok({ date: next, moves });
}
