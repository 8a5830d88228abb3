import { type Decimal, decimal, isAtMost } from "../shared/decimal.ts";
import { type Fact, type Facts, money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { InvoiceDocument } from "./document.ts";
import type { Documentary } from "./documentary.ts";
import { refuseLine } from "./line-context.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { Attestation, InvoiceRequest } from "./request.ts";
import { isOss, type ResolvedLine } from "./tax-groups.ts";

/** Article 4.1 RD 1619/2012, tax included. */
export const SIMPLIFIED_LIMIT = decimal("400");
/** Article 4.2, and the AEAT's limit without an agreement number (error 1150). */
export const ARTICLE_4_2_CEILING = decimal("3000");

/** The authorisation of article 4.3 that is active for the account today. */
export interface ActiveAuthorisation {
  readonly number: string;
  readonly limit: Decimal;
  /** NumRegistroAcuerdoFacturacion */
  readonly agreementNumber?: string;
}

export interface SimplifiedContext {
  readonly request: InvoiceRequest;
  readonly documentary: Documentary;
  readonly lines: readonly ResolvedLine[];
  readonly totalEur: Decimal;
}

/** Article 4: which sales may have a simplified invoice at all, and up to which total. Never presumed. */
export function checkSimplified(
  context: SimplifiedContext,
  authorisation: ActiveAuthorisation | undefined,
): Result<void, IssueRefusal> {
  const { documentary, lines, totalEur, request } = context;
  if (!documentary.simplified) return ok(undefined);
  const eligible = checkEligible(lines);
  if (!eligible.ok) return eligible;
  if (!documentary.limited) return ok(undefined);
  if (request.attestation) return checkAttestation(request.attestation, context, authorisation);
  if (isAtMost(totalEur, SIMPLIFIED_LIMIT)) return ok(undefined);
  return refuse("simplified_limit_exceeded", {
    total: eur(totalEur),
    limit: eur(SIMPLIFIED_LIMIT),
    fix: { phrase: "attest_or_send_full" },
  });
}

/**
 * The maximum total by the legal basis of a simplified invoice. An R5 keeps the limit of the invoices it
 * substitutes. Undefined without a limit, or if the basis is unknown.
 */
export function limitOf(
  { request, limitEur }: Pick<InvoiceDocument, "request" | "limitEur">,
  agreementNumber: string | undefined,
): Decimal | undefined {
  const { invoiceType, regime, attestation } = request;
  if (regime !== "art7_simplified") return undefined;
  if (invoiceType !== "F2") return limitEur;
  if (!attestation) return SIMPLIFIED_LIMIT;
  if (attestation.legalBasis === "article_4_2" || !attestation.authorisation) return ARTICLE_4_2_CEILING;
  const { limit, number } = attestation.authorisation;
  return ceilingOf({ limit, number, ...(agreementNumber === undefined ? {} : { agreementNumber }) });
}

/** Every F2 issued under the active authorisation carries the number that the AEAT registered it with. */
export function agreementOf(
  request: InvoiceRequest,
  active: ActiveAuthorisation | undefined,
): string | undefined {
  const isUnderIt = request.attestation?.legalBasis === "tax_authority_authorisation";
  if (request.invoiceType !== "F2" || !isUnderIt || !isActive(request.attestation, active)) return undefined;
  return active?.agreementNumber;
}

/** Article 4.4: reverse charge, intra-Community supplies, sales not located here, distance sales. */
function checkEligible(lines: readonly ResolvedLine[]): Result<void, IssueRefusal> {
  for (const line of lines) {
    if (!isOss(line) && !["S2", "E5", "N2"].includes(line.qualification)) continue;
    const reason: Fact = isOss(line) ? { phrase: "one_stop_shop_sales" } : line.qualification;
    return refuseLine("simplified_line_not_eligible", line, "qualification", { reason });
  }
  return ok(undefined);
}

/** Every statement must be true, even if the total would have needed none. */
function checkAttestation(
  attestation: Attestation,
  context: SimplifiedContext,
  active: ActiveAuthorisation | undefined,
): Result<void, IssueRefusal> {
  const covered = checkLineIds(attestation, context.lines);
  if (!covered.ok) return covered;
  const isNeeded = !isAtMost(context.totalEur, SIMPLIFIED_LIMIT);
  if (isNeeded && attestation.buyerRole === "professional") {
    return refuse("attestation_buyer_not_eligible", {}, "simplified_attestation.buyer_role");
  }
  if (attestation.legalBasis === "article_4_2") {
    if (isAtMost(context.totalEur, ARTICLE_4_2_CEILING)) return ok(undefined);
    return refuse("article_4_2_ceiling_exceeded", { total: eur(context.totalEur) });
  }
  return checkAuthorisation(attestation, context.totalEur, active);
}

/** The exact set of line ids, every line having one, each attested once. */
function checkLineIds(attestation: Attestation, lines: readonly ResolvedLine[]): Result<void, IssueRefusal> {
  const own = new Set(lines.map((line) => line.lineId));
  const attested = new Set(attestation.lineIds);
  const missing = lines.filter((line) => line.lineId === undefined || !attested.has(line.lineId));
  const unknown = [...attested].filter((lineId) => !own.has(lineId));
  const repeated = attestation.lineIds.filter((lineId, index, all) => all.indexOf(lineId) !== index);
  if (missing.length + unknown.length + repeated.length === 0) return ok(undefined);
  const findings = [
    { phrase: "lines_missing" as const, lines: { all: missing.map(nameOf) } },
    { phrase: "lines_unknown" as const, lines: { all: unknown } },
    { phrase: "lines_repeated" as const, lines: { all: [...new Set(repeated)] } },
  ];
  const detail = { each: findings.filter((finding) => finding.lines.all.length > 0) };
  return refuse("attestation_lines_mismatch", { detail }, "simplified_attestation.line_ids");
}

function nameOf(line: ResolvedLine): Fact {
  return line.lineId ?? { phrase: "line_without_id", line: String(line.index + 1) };
}

function checkAuthorisation(
  attestation: Attestation,
  totalEur: Decimal,
  active: ActiveAuthorisation | undefined,
): Result<void, IssueRefusal> {
  const stated = attestation.authorisation;
  const isWithin = active !== undefined && isAtMost(totalEur, ceilingOf(active));
  if (isWithin && isActive(attestation, active)) return ok(undefined);
  const facts: Facts = {
    stated: stated
      ? { phrase: "authorisation", number: stated.number, limit: eur(stated.limit) }
      : { phrase: "no_authorisation" },
    total: eur(totalEur),
  };
  return refuse("authorisation_mismatch", facts, "simplified_attestation.authorisation");
}

/** True if the stated number and limit equal the account's active authorisation. */
function isActive(attestation: Attestation | undefined, active: ActiveAuthorisation | undefined): boolean {
  const stated = attestation?.authorisation;
  if (!stated || !active) return false;
  return active.number === stated.number && active.limit === stated.limit;
}

/** Without an agreement number the AEAT takes no more than article 4.2 allows (error 1150). */
export function ceilingOf({ limit, agreementNumber }: ActiveAuthorisation): Decimal {
  const isWorthItsLimit = agreementNumber !== undefined || isAtMost(limit, ARTICLE_4_2_CEILING);
  return isWorthItsLimit ? limit : ARTICLE_4_2_CEILING;
}

function eur(amount: Decimal): Fact {
  return money(amount, "EUR");
}
