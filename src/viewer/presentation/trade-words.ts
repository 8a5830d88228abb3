import type { InvoiceDocument } from "../../domain/invoice/document.ts";
import { type PaymentMeans, type PaymentTerms, termsOf } from "../../domain/invoice/payment-terms.ts";
import type { CentreRole, Delivery, Recipient } from "../../domain/invoice/request.ts";
import { spacedIban } from "../../domain/shared/iban.ts";
import { type Bilingual, countryText, type Language } from "../../words/words.ts";
import { fill, type Labelled, plainWords, shortDate, shownText, type Words } from "./words.ts";

const LABELS = {
  dueDate: { es: "Vencimiento", en: "Due date" },
  period: { es: "Periodo facturado", en: "Invoicing period" },
  // A line ends between two days, not within one.
  days: { es: "{start}\u00a0a {end}", en: "{start}\u00a0to {end}" },
  delivered: { es: "Fecha de entrega", en: "Delivery date" },
  deliveredTo: { es: "Lugar de entrega", en: "Place of delivery" },
  buyerReference: { es: "Su referencia", en: "Your reference" },
  orderReference: { es: "Su pedido", en: "Your order" },
  contractReference: { es: "Contrato", en: "Contract" },
  fileReference: { es: "Expediente", en: "File" },
} as const satisfies Readonly<Record<string, Bilingual>>;

/** Due date, period, delivery and references, under the dates of the head. */
export function tradeDetails(document: InvoiceDocument, language: Language): Labelled[] {
  const { request } = document;
  const { dueDate } = termsOf(document);
  const { invoicingPeriod: period } = request;
  const labelled = (label: keyof typeof LABELS, value: string | undefined): Labelled[] =>
    value === undefined ? [] : [{ label: fill(LABELS[label], language), value: shownText(value) }];
  const day = (date: string | undefined) => (date === undefined ? undefined : shortDate(date)(language));
  const whole = (date: string) => shortDate(date)(language).replaceAll(" ", "\u00a0");
  const days = period && { start: whole(period.start), end: whole(period.end) };
  return [
    ...labelled("dueDate", day(dueDate)),
    ...labelled("period", days && fill(LABELS.days, language, days)),
    ...labelled("delivered", day(request.delivery?.date)),
    ...labelled("deliveredTo", placeOf(request.delivery, language)),
    ...labelled("buyerReference", request.buyerReference),
    ...labelled("orderReference", request.orderReference),
    ...labelled("contractReference", request.contractReference),
    ...labelled("fileReference", request.fileReference),
  ];
}

/** In Spain without the country, as the recipient's address. */
function placeOf(delivery: Delivery | undefined, language: Language): string | undefined {
  const { address1, postcode, city, country } = delivery ?? {};
  const town = [postcode, city].filter((part) => part !== undefined).join(" ");
  const abroad = country === undefined || country === "ES" ? undefined : countryText(country, language);
  const parts = [address1, town === "" ? undefined : town, abroad].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}

const MEANS: Readonly<Record<PaymentMeans, Bilingual>> = {
  transfer: { es: "transferencia a {account}", en: "transfer to {account}" },
  direct_debit: {
    es: "adeudo domiciliado{account}, mandato {mandate}",
    en: "direct debit{account}, mandate {mandate}",
  },
  card: { es: "tarjeta", en: "card" },
  cash: { es: "efectivo", en: "cash" },
  cheque: { es: "cheque", en: "cheque" },
  other: { es: "otro medio", en: "other means" },
};
/** The debtor knows its account; whoever else reads the invoice need not. */
const DEBTOR: Bilingual = { es: " en la cuenta terminada en {end}", en: " from the account ending in {end}" };
const ACCOUNT: Bilingual = { es: "{iban} (BIC {bic})", en: "{iban} (BIC {bic})" };
const PAY: Bilingual = { es: "Forma de pago: {means}.", en: "Payment: {means}." };
const PAID: Bilingual = { es: "Pagada el {date}.", en: "Paid on {date}." };
const PAID_BY: Bilingual = { es: "Pagada el {date}: {means}.", en: "Paid on {date}: {means}." };
const QUOTE: Bilingual = { es: "Referencia del pago: {reference}.", en: "Payment reference: {reference}." };

/** How the invoice is paid, or was paid, next to the totals. */
export function paymentNote(document: InvoiceDocument, language: Language): Words[] {
  const { payment } = termsOf(document);
  if (!payment) return [];
  const { reference } = payment;
  const how = howPaid(payment, language);
  const quoted = reference === undefined ? [] : [fill(QUOTE, language, { reference: shownText(reference) })];
  const text = [...how, ...quoted].join(" ");
  return text === "" ? [] : [plainWords({ es: text, en: text }, language)];
}

function howPaid(payment: PaymentTerms, language: Language): string[] {
  const { paidOn } = payment;
  const means = meansText(payment, language);
  if (paidOn === undefined) return means === undefined ? [] : [fill(PAY, language, { means })];
  const date = shortDate(paidOn);
  return [means === undefined ? fill(PAID, language, { date }) : fill(PAID_BY, language, { date, means })];
}

function meansText({ means, iban, bic, mandate }: PaymentTerms, language: Language): string | undefined {
  if (means === undefined) return undefined;
  const end = iban?.slice(-4);
  const debtor = end === undefined ? "" : fill(DEBTOR, language, { end });
  // An account that is broken over two lines is mistyped: its blanks do not break.
  const spaced = iban === undefined ? "" : spacedIban(iban).replaceAll(" ", "\u00a0");
  const creditor = bic === undefined ? spaced : fill(ACCOUNT, language, { iban: spaced, bic });
  const account = means === "direct_debit" ? debtor : creditor;
  return fill(MEANS[means], language, { account, mandate: shownText(mandate ?? "") });
}

const ROLES: Readonly<Record<CentreRole, Bilingual>> = {
  accounting_office: { es: "Oficina contable", en: "Oficina contable (accounting office)" },
  managing_body: { es: "Órgano gestor", en: "Órgano gestor (managing body)" },
  processing_unit: { es: "Unidad tramitadora", en: "Unidad tramitadora (processing unit)" },
  proposing_body: { es: "Órgano proponente", en: "Órgano proponente (proposing body)" },
};

/** The DIR3 codes of a public body, one line for each role. */
export function centreLines({ administrativeCentres = [] }: Recipient, language: Language): string[] {
  return administrativeCentres.map(({ role, code }) => `${fill(ROLES[role], language)}: ${code}`);
}
