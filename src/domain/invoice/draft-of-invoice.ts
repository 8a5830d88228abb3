import { DRAFTS } from "../limits.ts";
import { err, ok, type Result } from "../shared/result.ts";
import type { InvoiceDocument } from "./document.ts";
import {
  DRAFT_REGIMES,
  type DraftContent,
  type DraftLine,
  type DraftRegime,
  described,
  kindOf,
  ONE_STOP_SHOP,
  regimeOf,
} from "./draft.ts";
import { isOfEarlierSale, type Qualification, type RequestLine } from "./request.ts";

/** The reasons against a copy, in the order in which they are looked for. */
export const COPY_REFUSALS = [
  "copy_of_correction",
  "copy_of_kind",
  "copy_of_disbursements",
  "copy_of_many_lines",
  "copy_of_tax",
  "copy_of_regime",
] as const;
export type CopyRefusal = (typeof COPY_REFUSALS)[number];

/** Exemptions of IGIC that the form does not have. */
const NOT_OFFERED: readonly Qualification[] = ["E7", "E8"];

/**
 * An issued invoice as a draft: its lines and its customer, without number, dates, references and what an
 * order adds. The reason if the form for invoices by hand cannot say it.
 */
export function draftOfInvoice(document: InvoiceDocument): Result<DraftContent, CopyRefusal> {
  const { request } = document;
  const { recipient = {}, payment = {}, lines } = request;
  if (isOfEarlierSale(request.invoiceType)) return err("copy_of_correction");
  const kind = kindOf(request);
  // An attestation is of one sale, and a person has no way to give it.
  if (!kind || request.attestation) return err("copy_of_kind");
  if (request.disbursements) return err("copy_of_disbursements");
  if (lines.length > DRAFTS.lines) return err("copy_of_many_lines");
  if (lines.some((line) => !isOfOwnTax(line, document))) return err("copy_of_tax");
  const copied = lines.map((line) => copiedLine(line, document));
  if (!copied.every((line) => line !== undefined)) return err("copy_of_regime");
  const description = described({ description: "", lines: copied });
  return ok({
    kind,
    recipient: {
      ...{ company: recipient.company ?? "", vat_number: recipient.vatNumber ?? "" },
      ...{ id_type: recipient.idType ?? "", country: recipient.country ?? "" },
      ...{ address1: recipient.address1 ?? "", postcode: recipient.postcode ?? "" },
      ...{ city: recipient.city ?? "", email: recipient.email ?? "" },
    },
    delivery: { country: document.consumedIn ?? "" },
    ...{ operation_date: "", prices_include_tax: request.pricesIncludeTax, currency: request.currency },
    ...{ exchange_rate: "", exchange_rate_date: "", lines: copied },
    withholding: { rate: request.withholdingRate ?? "" },
    ...{ due_date: "", payment: { means: payment.means ?? "", iban: payment.iban ?? "" } },
    description: request.description === description ? "" : request.description,
  });
}

/** The tax of the company's territory, or that of the one stop shop. */
function isOfOwnTax({ tax, regime }: RequestLine, { defaults }: InvoiceDocument): boolean {
  return tax === undefined || tax === defaults.tax || regime === ONE_STOP_SHOP;
}

function copiedLine(line: RequestLine, { defaults }: InvoiceDocument): DraftLine | undefined {
  const { qualification } = line;
  const own = ["", defaults.regime, regimeOf({ regime: "", qualification })];
  const regime = own.includes(line.regime ?? "") ? "" : DRAFT_REGIMES.find((one) => one === line.regime);
  if (regime === undefined || NOT_OFFERED.includes(qualification)) return undefined;
  return {
    ...{ description: line.description, quantity: line.quantity, price_unit: line.priceUnit },
    ...{ discount_rate: line.discountRate ?? "", qualification, tax_rate: rateOf(line, regime) },
    ...{ equivalence_surcharge_rate: line.surchargeRate ?? "" },
    ...{ regime, taxable_margin: line.taxableMargin ?? "" },
  };
}

function rateOf({ qualification, taxRate }: RequestLine, regime: DraftRegime): string {
  return qualification === "S1" || regime === ONE_STOP_SHOP ? taxRate : "";
}
