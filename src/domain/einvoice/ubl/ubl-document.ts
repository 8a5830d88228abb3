import { type Decimal, isNegative, negate, round, subtract, toFixed } from "../../shared/decimal.ts";
import type { ElectronicInvoice } from "../electronic-invoice.ts";

/** BT-24 by profile. BT-23 is the same for all. */
export const CUSTOMIZATION = {
  en16931: "urn:cen.eu:en16931:2017",
  peppol: "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
} as const;
export const PROCESS = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

export type UblProfile = keyof typeof CUSTOMIZATION;

/** The document of UBL that an invoice becomes, and how its amounts are written in it. */
export interface UblDocument {
  readonly invoice: ElectronicInvoice;
  readonly profile: UblProfile;
  readonly root: "Invoice" | "CreditNote";
  /** BT-3, UNCL 1001. */
  readonly typeCode: string;
  /** An amount with the sign that it has in the document. */
  readonly signed: (amount: Decimal) => Decimal;
  /** The same, with the decimals of the currency. */
  readonly amount: (amount: Decimal) => string;
  /** Not subject: then neither party may state a VAT number (BR-O-02). */
  readonly isNotSubject: boolean;
  /** BT-112, BT-113 and BT-115, signed. */
  readonly due: { readonly total: Decimal; readonly paid: Decimal; readonly left: Decimal };
}

export function ublDocumentOf(invoice: ElectronicInvoice, profile: UblProfile): UblDocument {
  const { root, typeCode } = kindOf(invoice);
  const signed = root === "CreditNote" ? negate : (amount: Decimal) => amount;
  // EN 16931 takes two decimals at most; a third that says something is refused before.
  const scale = Math.min(invoice.decimals, 2);
  const total = signed(invoice.totals.total);
  const paid = invoice.payment?.paidOn === undefined ? signed(invoice.prepaid) : total;
  return {
    invoice,
    profile,
    root,
    typeCode,
    signed,
    amount: (amount) => toFixed(round(signed(amount), scale), scale),
    isNotSubject: invoice.breakdown.some(({ category }) => category === "O"),
    due: { total, paid, left: subtract(total, paid) },
  };
}

/** A refund is a credit note with all signs turned; other corrections are invoices with their own type. */
function kindOf({ correction, totals }: ElectronicInvoice): Pick<UblDocument, "root" | "typeCode"> {
  if (!correction) return { root: "Invoice", typeCode: "380" };
  if (correction.method === "substitution") return { root: "Invoice", typeCode: "384" };
  return isNegative(totals.total)
    ? { root: "CreditNote", typeCode: "381" }
    : { root: "Invoice", typeCode: "383" };
}
