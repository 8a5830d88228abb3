import { defaultRegime, type InvoiceRequest } from "../../domain/invoice/request.ts";
import type { InvoiceBody } from "./invoice-body.ts";
import { present } from "./present.ts";

type BodyLine = InvoiceBody["lines"][number];
type BodyCitation = NonNullable<InvoiceBody["rectifies"]>[number];
type BodyAttestation = NonNullable<InvoiceBody["simplified_attestation"]>;
export type BodyRecipient = NonNullable<InvoiceBody["recipient"]>;

/** The body in domain terms: fixed defaults are filled in, absent members stay absent. */
export function toInvoiceRequest(body: InvoiceBody): InvoiceRequest {
  return present({
    externalId: body.external_id,
    invoiceType: body.invoice_type,
    regime: body.documentary_regime ?? defaultRegime(body.invoice_type),
    flags: body.documentary_flags ?? [],
    description: body.description,
    currency: body.currency,
    exchangeRate: body.exchange_rate,
    exchangeRateDate: body.exchange_rate_date,
    operationDate: body.operation_date,
    pricesIncludeTax: body.prices_include_tax ?? false,
    withholdingRate: body.withholding?.rate,
    disbursements: body.disbursements,
    recipient: body.recipient && toRecipient(body.recipient),
    lines: body.lines.map(toLine),
    attestation: body.simplified_attestation && toAttestation(body.simplified_attestation),
    rectifies: (body.rectifies ?? []).map(toReference),
    rectificationMethod: body.rectification_method,
    rectifiedPeriod: body.rectified_period,
  });
}

/** An object without members means the same as its absence. */
export function toRecipient(recipient: BodyRecipient) {
  const members = present({
    company: recipient.company,
    vatNumber: recipient.vat_number,
    country: recipient.country,
    address1: recipient.address1,
    postcode: recipient.postcode,
    city: recipient.city,
    idType: recipient.id_type,
  });
  return Object.keys(members).length > 0 ? members : undefined;
}

function toLine(line: BodyLine) {
  return present({
    lineId: line.line_id,
    description: line.description,
    quantity: line.quantity,
    priceUnit: line.price_unit,
    taxRate: line.tax_rate,
    discountRate: line.discount_rate,
    surchargeRate: line.equivalence_surcharge_rate,
    tax: line.type_tax,
    regime: line.regime,
    qualification: line.qualification ?? ("S1" as const),
    taxableMargin: line.taxable_margin,
  });
}

function toAttestation(attestation: BodyAttestation) {
  return present({
    legalBasis: attestation.legal_basis,
    buyerRole: attestation.buyer_role,
    operation: attestation.operation,
    lineIds: attestation.line_ids,
    authorisation: attestation.authorisation,
  });
}

function toReference(cited: BodyCitation) {
  if ("external_id" in cited) return { externalId: cited.external_id };
  return present({
    number: cited.number,
    issueDate: cited.issue_date,
    invoiceType: cited.invoice_type,
    base: cited.base,
    tax: cited.tax,
    surcharge: cited.surcharge,
  });
}
