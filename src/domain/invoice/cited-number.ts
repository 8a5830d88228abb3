import { directStem, isNumberOf } from "../billing/series.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import { compare, type Decimal, ZERO } from "../shared/decimal.ts";
import { type Fact, type Facts, money } from "../shared/fact.ts";
import type { RectifiableInvoice } from "./rectifiable.ts";
import type { RectifiedReference } from "./request.ts";
import type { IssuingSettings } from "./settings.ts";
import { sumAmounts } from "./tax-groups.ts";

export type ExternalReference = Extract<RectifiedReference, { readonly number: string }>;

/** The owner of a number that a request cites as issued elsewhere, although the account itself issued it. */
export type NumberHolder =
  | { readonly kind: "direct"; readonly invoice: RectifiableInvoice }
  | { readonly kind: "order"; readonly order: string }
  /** Issued through another connection of the account. */
  | { readonly kind: "connection"; readonly connection: string };

/** Undefined where no invoice of the account has the number. */
export type FindHolder = (number: string) => NumberHolder | undefined;

export interface NumberContext {
  readonly holderOf: FindHolder;
  readonly today: CivilDate;
  readonly settings: Pick<IssuingSettings, "connectionOrdinal" | "installation">;
}

/** Checks a number cited as external: if it is ours, its known state would be bypassed. */
export function faultOf(
  reference: ExternalReference,
  currency: string,
  context: NumberContext,
): Facts | undefined {
  const holder = context.holderOf(reference.number);
  switch (holder?.kind) {
    case "direct":
      return contradiction(reference, currency, holder.invoice);
    case "order": {
      const { order } = holder;
      return { detail: { phrase: "issued_for_order", order }, fix: { phrase: "correct_in_order" } };
    }
    case "connection": {
      const { connection } = holder;
      return { detail: { phrase: "issued_through", connection }, fix: { phrase: "correct_there" } };
    }
    case undefined:
      return faultOfUnknown(reference, context);
  }
}

function faultOfUnknown(
  { number, issueDate }: ExternalReference,
  { settings, today }: NumberContext,
): Facts | undefined {
  const { connectionOrdinal, installation } = settings;
  const stem =
    installation &&
    directStem({ connectionOrdinal, installationOrdinal: installation.ordinal, trial: installation.trial });
  if (stem !== undefined && isNumberOf(stem, number)) {
    return { detail: { phrase: "not_in_books" }, fix: { phrase: "correct_number" } };
  }
  if (issueDate <= today) return undefined;
  return { detail: { phrase: "issued_in_future" }, fix: { phrase: "correct_issue_date" } };
}

/** The first stated member that contradicts the invoice of this connection. */
function contradiction(
  stated: ExternalReference,
  currency: string,
  invoice: RectifiableInvoice,
): Facts | undefined {
  const actual = sumAmounts(invoice.groups.map(({ amounts }) => amounts));
  const amount = (member: "base" | "tax" | "surcharge", value: Decimal): Fact[] => {
    // In another currency amounts say nothing of each other; that refusal follows.
    const isSame = invoice.currency !== currency || compare(value, actual[member]) === 0;
    return isSame ? [] : [{ phrase: "member_is", member, value: money(actual[member], currency) }];
  };
  const { issueDate, invoiceType } = invoice;
  const found: Fact[] = [
    ...(stated.issueDate === issueDate ? [] : [memberIs("issue_date", { date: issueDate })]),
    ...(stated.invoiceType === invoiceType ? [] : [memberIs("invoice_type", invoiceType)]),
    ...amount("base", stated.base),
    ...amount("tax", stated.tax),
    ...amount("surcharge", stated.surcharge ?? ZERO),
  ];
  if (found.length === 0) return undefined;
  return {
    detail: { phrase: "issued_here_otherwise", found: { all: found } },
    fix: { phrase: "correct_or_cite", external_id: invoice.externalId },
  };
}

function memberIs(member: string, value: Fact): Fact {
  return { phrase: "member_is", member, value };
}
