import type { PaymentMeans } from "../../invoice/payment-terms.ts";
import { branch, branchOfSome, leaf, type Markup, NOTHING } from "../../verifactu/xml/element.ts";
import type { UblDocument } from "./ubl-document.ts";

/** UNCL 4461. */
const CODES: Readonly<Record<PaymentMeans, string>> = {
  transfer: "58",
  direct_debit: "59",
  card: "48",
  cash: "10",
  cheque: "20",
  other: "ZZZ",
};
const TRANSFER_OUTSIDE_SEPA = "30";

/** Countries whose IBANs SEPA reaches, by the European Payments Council's list of 2026. */
const SEPA = new Set(
  (
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GG GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT " +
    "NL NO PL PT RO RS SE SI SK SM VA"
  ).split(" "),
);

/** BG-16. */
export function paymentMeansXml({ invoice, root }: UblDocument): Markup {
  const { payment, dueDate } = invoice;
  if (payment?.means === undefined) return NOTHING;
  const { means, iban, bic, reference, mandate } = payment;
  const isDebit = means === "direct_debit";
  const isOutside = means === "transfer" && !SEPA.has(iban?.slice(0, 2) ?? "");
  return branch("cac:PaymentMeans", [
    leaf("cbc:PaymentMeansCode", isOutside ? TRANSFER_OUTSIDE_SEPA : CODES[means]),
    leaf("cbc:PaymentDueDate", root === "CreditNote" ? dueDate : undefined),
    leaf("cbc:PaymentID", reference),
    means === "transfer"
      ? branchOfSome("cac:PayeeFinancialAccount", [
          leaf("cbc:ID", iban),
          branchOfSome("cac:FinancialInstitutionBranch", [leaf("cbc:ID", bic)]),
        ])
      : NOTHING,
    isDebit
      ? branchOfSome("cac:PaymentMandate", [
          leaf("cbc:ID", mandate),
          branchOfSome("cac:PayerFinancialAccount", [leaf("cbc:ID", iban)]),
        ])
      : NOTHING,
  ]);
}
