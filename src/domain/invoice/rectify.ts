import { isNegative } from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { takeDifference } from "./difference.ts";
import type { Rectified, TaxGroup } from "./document.ts";
import { mergeGroups } from "./rectifiable.ts";
import { linkWhole, type Rectification } from "./rectification.ts";
import { externalAmounts, type References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import { replaceSimplified } from "./replacement.ts";
import type { InvoiceRequest } from "./request.ts";
import { amountsToEur, grossOf, isBelowZero, keyText, sumAmounts } from "./tax-groups.ts";

export type { Link } from "./rectification.ts";

/** The effects of the invoice on the cited ones; empty without citations. */
export function rectify(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  if (request.invoiceType === "F3") return replaceSimplified(request, references, groups);
  if (request.rectificationMethod === "substitution") return substitute(request, references, groups);
  if (request.rectificationMethod === "difference") return takeDifference(request, references, groups);
  return ok({ groups, links: [] });
}

/** The full new amounts replace all cited invoices; the record repeats their amounts (AEAT 1118). */
function substitute(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  const negative = groups.find(
    (group) => isBelowZero(group.amounts) && !isReplacingNegative(group, references),
  );
  if (negative) {
    const amount = money(grossOf(negative.amounts), request.currency);
    return refuse("substitution_negative", { rate: { percent: negative.rate }, amount });
  }
  const rectified = rectifiedBy(references, request);
  return ok({ groups, links: linkWhole(references.own, "substitution"), rectified });
}

function rectifiedBy({ own, external }: References, { exchangeRate }: InvoiceRequest): Rectified {
  const groups = [...mergeGroups(own.flatMap((invoice) => invoice.groups)).values()];
  if (external.length === 0) return { groups };
  const stated = external.map(externalAmounts);
  const eur = sumAmounts(stated.map((amounts) => amountsToEur(amounts, exchangeRate)));
  return { groups, elsewhere: { amounts: sumAmounts(stated), eur } };
}

/** An invoice issued elsewhere states its sum alone, so that its groups are not known one by one. */
function isReplacingNegative(group: TaxGroup, { own, external }: References): boolean {
  const replaced = mergeGroups(own.flatMap((invoice) => invoice.groups)).get(keyText(group));
  return (
    (replaced !== undefined && isBelowZero(replaced.amounts)) || external.some(({ base }) => isNegative(base))
  );
}
