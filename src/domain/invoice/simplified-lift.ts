import { add, compare, type Decimal, isAtMost, sum } from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { Documentary } from "./documentary.ts";
import { isPart, type RectifiableInvoice, type Rectification, remainingOf } from "./rectifiable.ts";
import { externalAmounts, type References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";
import { type ActiveAuthorisation, ARTICLE_4_2_CEILING, ceilingOf, SIMPLIFIED_LIMIT } from "./simplified.ts";
import { amountsToEur, grossOf } from "./tax-groups.ts";
import { totalInEur } from "./totals.ts";

/** A rectification of simplified invoices. */
export interface Lifting {
  readonly request: InvoiceRequest;
  readonly documentary: Documentary;
  readonly references: References;
  readonly rectification: Rectification;
}

/**
 * An R5 cannot raise a simplified invoice above its limit (article 4 RD 1619/2012): the sale would need a
 * full invoice. A reduced total may stay above it.
 */
export function checkLift(
  lifting: Lifting,
  authorisation: ActiveAuthorisation | undefined,
): Result<void, IssueRefusal> {
  const { request, documentary } = lifting;
  if (request.invoiceType !== "R5" || !documentary.simplified) return ok(undefined);
  return request.rectificationMethod === "substitution"
    ? checkWhole(lifting, authorisation)
    : checkParts(lifting, authorisation);
}

/** The maximum total of an R5 that substitutes simplified invoices; undefined for any other invoice. */
export function liftLimit(
  { request, documentary, references }: Omit<Lifting, "rectification">,
  authorisation: ActiveAuthorisation | undefined,
): Decimal | undefined {
  const { invoiceType, rectificationMethod } = request;
  if (invoiceType !== "R5" || !documentary.simplified || rectificationMethod !== "substitution") {
    return undefined;
  }
  const { own, external } = references;
  const elsewhere = external.map(() => mostOf(authorisation));
  return sum([...own.filter((invoice) => !isPart(invoice)).map(limitOfOwn), ...elsewhere]);
}

function checkWhole(lifting: Lifting, authorisation: ActiveAuthorisation | undefined) {
  const { request, references, rectification } = lifting;
  const limit = liftLimit(lifting, authorisation);
  const replaced = sum([
    ...references.own.map((invoice) => totalInEur(invoice.groups)),
    ...references.external.map((one) => grossOf(amountsToEur(externalAmounts(one), request.exchangeRate))),
  ]);
  return within({ before: replaced, after: totalInEur(rectification.groups), limit });
}

/** Checks each invoice on its own: its remaining amount plus the part of this one. */
function checkParts(
  { references, rectification, request }: Lifting,
  authorisation: ActiveAuthorisation | undefined,
): Result<void, IssueRefusal> {
  const { own, external } = references;
  for (const invoice of own) {
    const link = rectification.links.find(({ targetId }) => targetId === invoice.invoiceId);
    const before = totalInEur([...remainingOf(invoice).values()]);
    const after = add(before, totalInEur(link?.taken ?? []));
    const checked = within({ before, after, limit: limitOfOwn(invoice) });
    if (!checked.ok) return checked;
  }
  if (own.length > 0) return ok(undefined);
  const before = sum(
    external.map((one) => grossOf(amountsToEur(externalAmounts(one), request.exchangeRate))),
  );
  const limit = sum(external.map(() => mostOf(authorisation)));
  return within({ before, after: add(before, totalInEur(rectification.groups)), limit });
}

interface Lifted {
  readonly before: Decimal;
  readonly after: Decimal;
  readonly limit: Decimal | undefined;
}

function within({ before, after, limit }: Lifted): Result<void, IssueRefusal> {
  if (limit === undefined || isAtMost(after, limit) || compare(after, before) <= 0) return ok(undefined);
  return refuse("simplified_limit_exceeded", {
    total: money(after, "EUR"),
    limit: money(limit, "EUR"),
    fix: { phrase: "take_back_and_send_full" },
  });
}

/** If an R5 has no stored basis, its own total is the only known limit. */
function limitOfOwn(invoice: RectifiableInvoice): Decimal {
  const { limitEur } = invoice;
  if (limitEur !== undefined) return limitEur;
  const total = totalInEur(invoice.groups);
  return isAtMost(total, SIMPLIFIED_LIMIT) ? SIMPLIFIED_LIMIT : total;
}

/** Under which basis another system issued an invoice is not stated: the widest that there is. */
function mostOf(authorisation: ActiveAuthorisation | undefined): Decimal {
  const ceiling = authorisation ? ceilingOf(authorisation) : ARTICLE_4_2_CEILING;
  return isAtMost(ceiling, ARTICLE_4_2_CEILING) ? ARTICLE_4_2_CEILING : ceiling;
}
