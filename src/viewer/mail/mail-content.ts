import type { InvoiceDocument } from "../../domain/invoice/document.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { termsOf } from "../../domain/invoice/payment-terms.ts";
import { scaleOf } from "../../domain/invoice/prepare.ts";
import { payableOf } from "../../domain/invoice/totals.ts";
import { absolute, type Decimal, isNegative, isPositive, subtract } from "../../domain/shared/decimal.ts";
import type { Language } from "../../words/words.ts";
import { presentInvoice } from "../presentation/invoice-presentation.ts";
import { fill, type Labelled, moneyText, shortDate, shownText, type Words } from "../presentation/words.ts";
import { MAIL_WORDS } from "./mail-words.ts";

/** What a mail says, in reading order; text and HTML only lay it out. */
export interface MailContent {
  readonly language: Language;
  readonly subject: string;
  readonly issuer: string;
  readonly attached: string;
  /** What the document is, and that it is a test where it is one. */
  readonly title: string;
  readonly mark?: string;
  readonly rows: readonly Labelled[];
  /** The invoices that it rectifies or replaces. */
  readonly statements: readonly string[];
  readonly replies: string;
}

export interface MailContentOptions {
  readonly language: Language;
  readonly orderReference?: string;
  /** Replies go to the issuer. */
  readonly hasReplyTo: boolean;
}

export function mailContent(view: InvoiceView, options: MailContentOptions): MailContent {
  const { language, orderReference, hasReplyTo } = options;
  const { document, fullNumber: number } = view;
  const shown = presentInvoice(view, { language });
  const issuer = shownText(document.issuer.name);
  const labelled = (label: keyof typeof MAIL_WORDS, value: string): Labelled => ({
    label: fill(MAIL_WORDS[label], language),
    value,
  });
  return {
    language,
    subject: fill(MAIL_WORDS.subject, language, { number, issuer }),
    issuer,
    attached: fill(MAIL_WORDS.attached, language),
    title: inLanguage(shown.title),
    ...(shown.testMark ? { mark: inLanguage(shown.testMark) } : {}),
    rows: [
      labelled("number", number),
      labelled("date", shortDate(view.issueDate)(language)),
      ...(orderReference === undefined ? [] : [labelled("order", shownText(orderReference))]),
      ...amountRows(document, language, labelled),
    ],
    statements: shown.statements.map(({ words }) => inLanguage(words)),
    replies: fill(hasReplyTo ? MAIL_WORDS.replies : MAIL_WORDS.noReplies, language, { issuer }),
  };
}

/** The document has the Spanish words that the law asks for; the mail need not repeat them in English. */
function inLanguage({ text, gloss }: Words): string {
  const translated = gloss?.replace(/^\((.*)\)$/, "$1");
  return translated === undefined || translated === "" ? text : translated;
}

/** Who has paid already, or is to be refunded, is not asked for money. */
function amountRows(
  document: InvoiceDocument,
  language: Language,
  labelled: (label: keyof typeof MAIL_WORDS, value: string) => Labelled,
): Labelled[] {
  const { request, totals } = document;
  const { currency } = request;
  const money = (amount: Decimal) => moneyText(amount, { currency, decimals: scaleOf(currency) }, language);
  const { dueDate, payment } = termsOf(document);
  const total = labelled("total", money(totals.total));
  if (payment?.paidOn !== undefined) {
    return [total, labelled("paid", shortDate(payment.paidOn)(language))];
  }
  if (isPaymentUnknown(document)) return [total];
  const left = leftToPay(document);
  if (isNegative(left)) return [labelled("toRefund", money(absolute(left)))];
  const isDue = isPositive(left) && dueDate !== undefined;
  return [labelled("toPay", money(left)), ...(isDue ? [labelled("due", shortDate(dueDate)(language))] : [])];
}

/**
 * What its customer has paid of the invoice that it takes the place of: unknown for a substitution, and for
 * the full invoice of a ticket unless its order says it, or it has a day to be paid on.
 */
function isPaymentUnknown(document: InvoiceDocument): boolean {
  const { request, collected } = document;
  if (request.rectificationMethod === "substitution") return true;
  return request.invoiceType === "F3" && !collected && termsOf(document).dueDate === undefined;
}

function leftToPay(document: InvoiceDocument): Decimal {
  const { collected, totals } = document;
  if (collected) return subtract(collected.payable, collected.paid);
  return payableOf(document) ?? totals.total;
}

export function mailText(content: MailContent): string {
  const { issuer, attached, title, mark, rows, statements, replies } = content;
  return [
    issuer,
    attached,
    [
      mark === undefined ? title : `${title} (${mark})`,
      ...rows.map(({ label, value }) => `${label}: ${value}`),
      ...statements,
    ].join("\n"),
    replies,
  ].join("\n\n");
}
