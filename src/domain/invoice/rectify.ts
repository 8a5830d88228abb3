import { ok, type Result } from "../shared/result.ts";
import { takeDifference } from "./difference.ts";
import type { TaxGroup } from "./document.ts";
import { linkWhole, type Rectification } from "./rectification.ts";
import { externalAmounts, type References } from "./references.ts";
import type { IssueRefusal } from "./refusal.ts";
import { replaceSimplified } from "./replacement.ts";
import type { InvoiceRequest } from "./request.ts";
import { amountsToEur, recordableEur, sumAmounts } from "./tax-groups.ts";

export type { Link } from "./rectification.ts";

/** What the invoice does to those that it cites; nothing where it cites none. */
export function rectify(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  if (request.invoiceType === "F3") return replaceSimplified(request, references, groups);
  if (request.rectificationMethod === "substitution") return ok(substitute(request, references, groups));
  if (request.rectificationMethod === "difference") return takeDifference(request, references, groups);
  return ok({ groups, links: [] });
}

/** The full new amounts stand for everything cited, whose own amounts the record repeats (AEAT 1118). */
function substitute(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Rectification {
  const own = references.own.flatMap((invoice) => invoice.groups.map(recordableEur));
  const external = references.external.map((reference) =>
    amountsToEur(externalAmounts(reference), request.exchangeRate),
  );
  return {
    groups,
    links: linkWhole(references, "substitution"),
    rectifiedAmounts: sumAmounts([...own, ...external]),
  };
}
