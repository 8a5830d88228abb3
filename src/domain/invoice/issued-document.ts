import type { CivilDate } from "../shared/civil-date.ts";
import { add, type Decimal, percentOf } from "../shared/decimal.ts";
import { invariant } from "../shared/result.ts";
import type { CitedInvoice, InvoiceDocument, Payment, Rectified, TaxGroup, Warning } from "./document.ts";
import { type PreparedInvoice, scaleOf } from "./prepare.ts";
import type { References } from "./references.ts";
import type { InvoiceRequest } from "./request.ts";
import type { IssuingSettings } from "./settings.ts";
import { grossOf, type LineDefaults, recordableEur, sumAmounts, totalsOf } from "./tax-groups.ts";
import { keptTerms } from "./usual-terms.ts";

export interface Decided {
  readonly settings: IssuingSettings;
  readonly today: CivilDate;
  readonly defaults: LineDefaults;
  readonly operationDate: CivilDate;
  readonly groups: readonly TaxGroup[];
  readonly references: References;
  readonly rectified?: Rectified;
  /** For an R5 that substitutes simplified invoices. */
  readonly limitEur?: Decimal;
  /** For a one-stop-shop sale with a known place. */
  readonly consumedIn?: string;
  /** For an order: what paid a part of it. */
  readonly payments?: readonly Payment[];
}

export function documentOf(prepared: PreparedInvoice, decided: Decided): InvoiceDocument {
  const { request, lineAmounts, fingerprint } = prepared;
  const { settings, today, defaults, operationDate, groups, limitEur, consumedIn, payments = [] } = decided;
  const totals = totalsOf(sumAmounts(groups.map((group) => group.amounts)));
  const withheld =
    request.withholdingRate === undefined
      ? {}
      : { withholding: percentOf(totals.base, request.withholdingRate, scaleOf(request.currency)) };
  const terms = keptTerms({ request, totals, ...withheld, payments }, settings.terms, today);
  return {
    v: 1,
    request,
    fingerprint,
    issuer: settings.issuer,
    ...(isTest(settings) || citesTest(decided.references) ? { test: true } : {}),
    defaults,
    lineAmounts,
    groups,
    totals,
    totalsEur: totalsOf(sumAmounts(groups.map((group) => group.eur))),
    ...withheld,
    ...(operationDate === today ? {} : { operationDate }),
    cited: citedIn(request, decided.references),
    ...(decided.rectified ? { rectified: decided.rectified } : {}),
    ...(limitEur === undefined ? {} : { limitEur }),
    ...(consumedIn === undefined ? {} : { consumedIn }),
    warnings: [...testWarnings(settings), ...warningsOf(request, groups)],
    ...(payments.length > 0 ? { payments } : {}),
    ...(settings.footer === undefined ? {} : { footer: settings.footer }),
    ...(terms ? { terms } : {}),
  };
}

function isTest({ verified, installation }: IssuingSettings): boolean {
  return !verified || installation?.trial === true;
}

/** A correction of a test is one, also where the company has been proven meanwhile. */
function citesTest({ own, undone }: References): boolean {
  return [...own, ...undone].some(({ test }) => test === true);
}

/** Why it is only a test: the unproven NIF first, because nothing else helps before that. */
function testWarnings(settings: IssuingSettings): Warning[] {
  if (!isTest(settings)) return [];
  return [{ code: settings.verified ? "connection_for_tests" : "company_unverified" }];
}

/** Total of the record: exempt and not subject bases included, foreign tax of one-stop-shop sales not. */
export function recordTotals(document: InvoiceDocument): { readonly tax: Decimal; readonly total: Decimal } {
  const amounts = sumAmounts(document.groups.map(recordableEur));
  return { tax: add(amounts.tax, amounts.surcharge), total: grossOf(amounts) };
}

/** In the order of the request; our own invoices with stored data, by number or by external_id. */
function citedIn(request: InvoiceRequest, { own }: References): CitedInvoice[] {
  return request.rectifies.map((reference) => {
    const invoice = own.find((one) =>
      "number" in reference ? one.number === reference.number : one.externalId === reference.externalId,
    );
    if (!invoice) {
      invariant("number" in reference, "every reference was resolved");
      const { number, issueDate, invoiceType } = reference;
      return { number, issueDate, invoiceType };
    }
    const { externalId, invoiceId, number, issueDate, invoiceType } = invoice;
    return { externalId, invoiceId, number, issueDate, invoiceType };
  });
}

/** Article 6.1.d.3: sales located in the issuer's territory normally name the recipient. */
function warningsOf(request: InvoiceRequest, groups: readonly TaxGroup[]): Warning[] {
  const isUnnamed = request.invoiceType === "F2" && request.regime === "art6_full";
  const isLocatedHere = groups.some(
    ({ qualification }) => qualification === "S1" || qualification.startsWith("E"),
  );
  return isUnnamed && isLocatedHere ? [{ code: "recipient_identification_expected" }] : [];
}
