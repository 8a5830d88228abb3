import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { type Decimal, round, toFixed } from "../../domain/shared/decimal.ts";
import { fill, type Values } from "../../domain/shared/typography.ts";
import { amountText, type Bilingual, dateText, type Language, numberText } from "../../words/words.ts";

export { fill };

/** Labels and sentences of page and PDF that no law fixes: in the reader's language. */
export const WORDS = {
  issueDate: { es: "Fecha de expedición", en: "Issue date" },
  operationDate: { es: "Fecha de operación", en: "Transaction date" },
  order: { es: "Pedido", en: "Order" },
  currency: { es: "Moneda", en: "Currency" },
  customer: { es: "Cliente", en: "Customer" },
  subject: { es: "Concepto", en: "Subject" },
  nif: { es: "NIF", en: "Tax ID" },
  vatNumber: { es: "N.º de IVA", en: "VAT no." },
  idNumber: { es: "N.º de identificación", en: "ID no." },
  lines: { es: "Líneas de la factura", en: "Lines of the invoice" },
  description: { es: "Descripción", en: "Description" },
  quantity: { es: "Cantidad", en: "Quantity" },
  price: { es: "Precio", en: "Price" },
  priceExcluding: { es: "Precio sin {tax}", en: "Price excl. {tax}" },
  discount: { es: "Dto.", en: "Disc." },
  amount: { es: "Importe", en: "Amount" },
  tax: { es: "Impuesto", en: "Tax" },
  anyTax: { es: "impuestos", en: "tax" },
  taxOfCountry: { es: "{tax} de {country} {rate}", en: "{tax} of {country} {rate}" },
  taxSomewhere: { es: "{tax} del país de consumo {rate}", en: "{tax} of the country of consumption {rate}" },
  otherTax: { es: "Otro impuesto", en: "Other tax" },
  taxes: { es: "Impuestos", en: "Taxes" },
  base: { es: "Base", en: "Taxable" },
  taxAmount: { es: "Cuota", en: "Tax amount" },
  sum: { es: "Suma", en: "Sum" },
  totals: { es: "Totales", en: "Totals" },
  taxableAmount: { es: "Base imponible", en: "Taxable amount" },
  taxAmountOf: { es: "Cuota de {tax}", en: "{tax}" },
  pricesOf: { es: "Precios en {name}", en: "Prices under {name}" },
  surcharge: { es: "Recargo de equivalencia", en: "Equivalence surcharge" },
  total: { es: "Total", en: "Total" },
  totalInEuros: { es: "Total en euros", en: "Total in euros" },
  withholding: { es: "Retención IRPF {rate}", en: "Income tax withheld {rate}" },
  disbursement: { es: "Suplido: {name}", en: "Disbursement: {name}" },
  paid: { es: "Pagado: {name}", en: "Paid: {name}" },
  paidByGiftCard: { es: "Pagado con tarjeta regalo", en: "Paid by gift card" },
  paidWithCredit: { es: "Pagado con saldo", en: "Paid with credit" },
  toPay: { es: "Total a pagar", en: "To pay" },
  collected: { es: "Cobrado del pedido", en: "Paid so far for the order" },
  leftToCollect: { es: "Pendiente de pago", en: "Left to pay" },
  carriedForward: { es: "Suma y sigue", en: "Carried forward" },
  broughtForward: { es: "Suma anterior", en: "Brought forward" },
  invoiceNumber: { es: "Factura {number}", en: "Invoice {number}" },
  pageOf: { es: "Página {page} de {pages}", en: "Page {page} of {pages}" },
  // No line ends inside the equation.
  exchangeRate: {
    es: "Tipo de cambio del {date}: 1\u00a0EUR\u00a0=\u00a0{rate}\u00a0{currency}.",
    en: "Rate of {date}: 1\u00a0EUR\u00a0=\u00a0{rate}\u00a0{currency}.",
  },
  exchangeRateEcb: {
    es: "Tipo de cambio del Banco Central Europeo del {date}: 1\u00a0EUR\u00a0=\u00a0{rate}\u00a0{currency}.",
    en: "ECB rate of {date}: 1\u00a0EUR\u00a0=\u00a0{rate}\u00a0{currency}.",
  },
  eurosInQr: {
    es: "El importe que figura en la AEAT, y en el código QR, es el total en euros.",
    en: "The amount known to the Tax Agency, and in the QR code, is the total in euros.",
  },
  amountInQr: { es: "Importe en el código QR: {amount}", en: "Amount in the QR code: {amount}" },
  notice: { es: "Avisos sobre esta factura", en: "Notices about this invoice" },
  viewTitle: { es: "Factura del pedido {reference}", en: "Invoice for order {reference}" },
  viewSeveral: { es: "Facturas del pedido {reference}", en: "Invoices for order {reference}" },
  viewNumbers: { es: "Facturas", en: "Invoices" },
  documents: { es: "{count} documentos", en: "{count} documents" },
  documentList: { es: "Documentos de este pedido", en: "Documents of this order" },
  downloadPdf: { es: "Descargar PDF", en: "Download PDF" },
  downloadFormatOf: {
    es: "Descargar en {format} la factura {number}",
    en: "Download invoice {number} as {format}",
  },
  downloadPdfOf: { es: "Descargar en PDF la factura {number}", en: "Download invoice {number} as PDF" },
  check: {
    es: "Comprobar esta factura en la sede electrónica de la AEAT",
    en: "Check this invoice at the Spanish Tax Agency",
  },
  qrCode: { es: "Código QR tributario", en: "Tax QR code" },
  expires: {
    es:
      "Este enlace caduca a los 30 minutos. Para volver a ver la factura, ábrela otra vez desde tu pedido " +
      "en la tienda o guarda el PDF.",
    en:
      "This link expires after 30 minutes. To see the invoice again, open it from your order in the shop, " +
      "or save the PDF.",
  },
  cancelledNotice: {
    es:
      "Esta factura está anulada desde el {date}: la venta no llegó a existir. Ya no aparece al " +
      "comprobarla en la AEAT.",
    en:
      "This invoice was cancelled on {date}: the sale did not take place. It no longer appears when " +
      "checked with the Tax Agency.",
  },
  cancelledState: { es: "Anulada", en: "Cancelled" },
  rectifiedNotice: {
    es: "Esta factura tiene rectificativas: {numbers}.",
    en: "This invoice has corrective invoices: {numbers}.",
  },
  replacedNotice: {
    es: "Sustituida por la factura {number}, de {date}.",
    en: "Replaced by invoice {number}, of {date}.",
  },
  goneTitle: {
    es: "Este enlace ya no muestra ninguna factura",
    en: "This link does not show an invoice any more",
  },
  goneBody: {
    es: "Los enlaces duran 30 minutos. Vuelve a tu pedido en la tienda y ábrela otra vez desde allí.",
    en: "Links last 30 minutes. Go back to your order in the shop and open it again from there.",
  },
  brakedTitle: {
    es: "Se ha abierto demasiadas veces en el último minuto",
    en: "It was opened too often in the last minute",
  },
  brakedBody: {
    es: "Espera un minuto y vuelve a abrirla. La factura está a salvo.",
    en: "Wait a minute and open it again. The invoice is safe.",
  },
  unavailableTitle: {
    es: "Ahora no podemos mostrar la factura",
    en: "We cannot show the invoice now",
  },
  unavailableBody: {
    es: "Vuelve a intentarlo dentro de un minuto. La factura está a salvo.",
    en: "Try again in a minute. The invoice is safe.",
  },
} as const satisfies Record<string, Bilingual>;

/** Shown in a line instead of a rate. */
export const LINE_TAX = {
  exempt: { es: "Exenta", en: "Exempt" },
  notSubject: { es: "No sujeta", en: "Not subj." },
  reverseCharge: { es: "ISP", en: "RC" },
} as const satisfies Record<string, Bilingual>;

/**
 * Words required by law or the AEAT (articles 6, 7 and 15 RD 1619/2012, article 21 Orden HAC/1177/2024). They
 * are always printed in Spanish; English is only added next to them.
 */
export const LEGAL = {
  qrAbove: { es: "QR tributario:", en: "(tax QR code)" },
  qrBelow: {
    es: "Factura verificable en la sede electrónica de la AEAT",
    en: "(verifiable with the Spanish Tax Agency)",
  },
  simplified: { es: "Factura simplificada", en: "Simplified invoice" },
  rectifying: { es: "Factura rectificativa", en: "Corrective invoice" },
  taxIncluded: { es: "{tax} incluido", en: "tax included" },
  taxesIncluded: { es: "Impuestos incluidos", en: "taxes included" },
  cancelled: { es: "FACTURA ANULADA el {date}", en: "Cancelled on {date}" },
} as const satisfies Record<string, Bilingual>;

export const INVOICE: Bilingual = { es: "Factura", en: "Invoice" };

/** Printed words: in Spanish if the law requires it, with the reader's own language next to them. */
export interface Words {
  readonly text: string;
  readonly language: Language;
  /** The English version in small type, for readers of English. */
  readonly gloss?: string;
}

export interface Labelled {
  readonly label: string;
  readonly value: string;
}

/** Always Spanish, with the English next to it for readers of English. */
export function legalWords(template: Bilingual, language: Language, values: Values = {}): Words {
  const text = fill(template, "es", values);
  return language === "es"
    ? { text, language: "es" }
    : { text, language: "es", gloss: fill(template, "en", values) };
}

export function plainWords(template: Bilingual, language: Language, values: Values = {}): Words {
  return { text: fill(template, language, values), language };
}

/** Marks of text direction: in a name they could reverse a following amount. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Breaks of line or paragraph inside a value; the ends are trimmed already. */
const BREAKS = /[\u2028\u2029]+/g;

/** A foreign text, made safe to print between our own. */
export function shownText(text: string): string {
  return text.replace(DIRECTION_MARKS, "").replace(BREAKS, " ");
}

/** With the decimals of its currency; the head of the column shows the code or sign. */
export function figure(amount: Decimal, decimals: number, language: Language): string {
  return numberText(toFixed(round(amount, decimals), decimals), language);
}

export function moneyText(
  amount: Decimal,
  { currency, decimals }: { readonly currency: string; readonly decimals: number },
  language: Language,
): string {
  return amountText(toFixed(round(amount, decimals), decimals), currency, language);
}

/** At least the decimals of the currency, at most those that were sent. */
export function priceText(price: Decimal, decimals: number, language: Language): string {
  const sent = price.split(".")[1]?.length ?? 0;
  return numberText(toFixed(price, Math.max(sent, decimals)), language);
}

export function rateText(rate: Decimal, language: Language): string {
  return `${numberText(rate, language)}\u00a0%`;
}

export function shortDate(date: CivilDate | string): (language: Language) => string {
  return (language) => dateText(date, language);
}
