import { directStem, isNumberOf } from "../billing/series.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import {
  add,
  compare,
  type Decimal,
  HUNDRED,
  isNegative,
  isZero,
  multiply,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import { type Fact, type Facts, money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import type { TaxGroup } from "./document.ts";
import type { PreparedInvoice } from "./prepare.ts";
import {
  differencesOf,
  isFollowedByR5,
  type RectifiableInvoice,
  replacementOf,
  takenOverBy,
} from "./rectifiable.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest, RectifiedReference } from "./request.ts";
import type { IssuingSettings } from "./settings.ts";
import { grossOf, sumAmounts } from "./tax-groups.ts";

export type ExternalReference = Extract<RectifiedReference, { readonly number: string }>;

/** The owner of a number that a request cites as issued elsewhere, although the account itself issued it. */
export type NumberHolder =
  | { readonly kind: "direct"; readonly invoice: RectifiableInvoice }
  | { readonly kind: "order"; readonly order: string }
  /** Issued through another connection of the account. */
  | { readonly kind: "connection"; readonly connection: string };

/** Undefined where no invoice of the account has the number. */
type FindHolder = (number: string) => NumberHolder | undefined;

export interface NumberContext {
  readonly holderOf: FindHolder;
  readonly today: CivilDate;
  readonly settings: Pick<IssuingSettings, "connectionKind" | "connectionOrdinal" | "installation">;
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
  const { connectionKind, connectionOrdinal, installation } = settings;
  const stem =
    installation &&
    directStem({
      ...{ connectionKind, connectionOrdinal },
      ...{ installationOrdinal: installation.ordinal, trial: installation.trial },
    });
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

/** Any invoice of this connection by its id, as far as it was read. */
export type FindById = (invoiceId: string) => RectifiableInvoice | undefined;

/**
 * The F3 that a request undoes: it cites their replaced invoices with the opposite amounts. External tickets
 * cannot be compared, so an F3 that cites some is never undone by another.
 */
export function undoneIn(
  prepared: PreparedInvoice,
  own: readonly RectifiableInvoice[],
  findById: FindById,
): readonly RectifiableInvoice[] {
  const { invoiceType, rectifies } = prepared.request;
  if (invoiceType !== "F3" || own.length === 0 || own.length < rectifies.length) return [];
  const replacements = own.map(replacementOf);
  const isWhole = replacements.every((acting) => acting !== undefined && isFollowedByR5(acting));
  if (!isWhole) return [];
  const ids = new Set(replacements.flatMap((acting) => acting?.invoiceId ?? []));
  const found = [...ids].flatMap((id) => findById(id) ?? []);
  if (found.length < ids.size || found.some(({ citesElsewhere }) => citesElsewhere)) return [];
  return isOpposite(prepared, own) ? found : [];
}

/** The invoices that an undoing F3 must also cite: all that were replaced, and dependent corrections. */
export function missingToUndo(
  undone: readonly RectifiableInvoice[],
  own: readonly RectifiableInvoice[],
): readonly string[] {
  const cited = new Set(own.map(({ invoiceId }) => invoiceId));
  const replaced = undone.flatMap(({ actsOn }) => actsOn.filter(({ kind }) => kind === "replacement"));
  // The F3 of an R5 is valid only while the F3 of its ticket is in force.
  const stranded = own.flatMap((ticket) => differencesOf(ticket).filter((part) => takenOverBy(part)));
  const missing = [...replaced, ...stranded].filter(({ invoiceId }) => !cited.has(invoiceId));
  return [...new Set(missing.map(({ externalId }) => externalId))];
}

function isOpposite(prepared: PreparedInvoice, own: readonly RectifiableInvoice[]): boolean {
  const issued = grossOf(sumAmounts(own.flatMap(({ groups }) => groups.map(({ amounts }) => amounts))));
  if (isZero(issued)) return true;
  return compare(multiply(statedGross(prepared), issued), ZERO) < 0;
}

/** Exact enough for its sign: the tax groups do not exist yet. */
function statedGross({ request, lineAmounts }: PreparedInvoice): Decimal {
  return sum(
    request.lines.map(({ taxRate, surchargeRate }, index) => {
      const amount = lineAmounts[index] ?? ZERO;
      const percent = add(add(HUNDRED, taxRate), surchargeRate ?? ZERO);
      return request.pricesIncludeTax ? multiply(amount, HUNDRED) : multiply(amount, percent);
    }),
  );
}

/** The days of a rebate (article 15.4 RD 1619/2012) have passed, and the last one dates the operation. */
export function checkPeriod(
  { rectifiedPeriod: period, operationDate, rectifies }: InvoiceRequest,
  today: CivilDate,
): Result<void, IssueRefusal> {
  if (!period) return ok(undefined);
  const refused = (facts: Facts, path: string) => refuse("rectified_period_invalid", facts, path);
  if (rectifies.length > 0) {
    const facts = { detail: { phrase: "period_beside_invoices" }, fix: { phrase: "keep_one" } } as const;
    return refused(facts, "rectified_period");
  }
  const correct = { fix: { phrase: "correct_period" } } as const;
  if (period.from > period.to) {
    return refused({ detail: { phrase: "period_reversed" }, ...correct }, "rectified_period.from");
  }
  if (period.to > today) {
    return refused({ detail: { phrase: "period_not_over" }, ...correct }, "rectified_period.to");
  }
  if (operationDate === undefined || operationDate === period.to) return ok(undefined);
  const detail = { phrase: "period_dates_operation", date: { date: period.to } } as const;
  return refused({ detail, fix: { phrase: "remove_operation_date" } }, "operation_date");
}

/** Without a cited invoice only a discount is possible: an addition belongs to an invoice. */
export function checkPeriodTotal(
  { rectifiedPeriod, currency }: InvoiceRequest,
  groups: readonly TaxGroup[],
): Result<void, IssueRefusal> {
  if (!rectifiedPeriod) return ok(undefined);
  const total = sum(groups.map((group) => grossOf(group.amounts)));
  if (isNegative(total)) return ok(undefined);
  return refuse("rectified_period_not_negative", { amount: money(total, currency) }, "rectified_period");
}

/** Whether two identifiers belong to one person: equal NIF, VAT number, or document of one country. */
export function isSamePerson(a: TaxIdentifier, b: TaxIdentifier): boolean {
  return countryOf(a) === countryOf(b) && hasSameNumber(a, b);
}

/** Compares numbers in every spelling, type and country with which they may be stated. */
export function hasSameNumber(a: TaxIdentifier, b: TaxIdentifier): boolean {
  const numbers = spellingsOf(b);
  return spellingsOf(a).some((number) => numbers.includes(number));
}

/** A number of a type that has a prefix may be stated without it as one of another type. */
function spellingsOf(identifier: TaxIdentifier): readonly string[] {
  switch (identifier.kind) {
    case "nif":
      return [identifier.nif, `ES${identifier.nif}`];
    case "eu_vat":
      return [identifier.id, identifier.id.slice(identifier.prefix.length)];
    case "other":
      return [identifier.id.replace(/[\s.-]/gu, "").toUpperCase()];
  }
}

/** Greece is EL in its VAT numbers, Northern Ireland XI. */
function countryOf(identifier: TaxIdentifier): string {
  if (identifier.kind === "nif") return "ES";
  if (identifier.kind === "other") return identifier.country;
  const { prefix } = identifier;
  return { EL: "GR", XI: "GB" }[prefix] ?? prefix;
}
