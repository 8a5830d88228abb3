import { writeUbl } from "../../domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import type { MailedFormat } from "../../domain/mailing/invoice-delivery.ts";
import { facturaeName, type MakeFacturae } from "../../platform/facturae-file.ts";
import type { Mail, MailAttachment } from "../../platform/mailer.ts";
import type { Language } from "../../words/words.ts";
import { mailContent, mailText } from "./mail-content.ts";
import { mailHtml } from "./mail-html.tsx";

export interface InvoiceMailOptions {
  readonly to: string;
  readonly language: Language;
  readonly formats: readonly MailedFormat[];
  /** What the order adds to mail and PDF. */
  readonly order?: { readonly orderReference: string; readonly isEcbRate: boolean };
  /** Where replies go: the issuer's own address. */
  readonly replyTo?: string;
  readonly messageId: string;
}

export interface InvoiceMailDeps {
  /** The bytes that its customer sees in the viewer. */
  readonly pdf: (view: InvoiceView, options: InvoiceMailOptions) => Promise<Uint8Array<ArrayBuffer>>;
  readonly facturae: MakeFacturae;
}

/** A mail to a customer with the invoice in these formats; `formatRefusals` has allowed each. */
export async function invoiceMail(
  view: InvoiceView,
  options: InvoiceMailOptions,
  deps: InvoiceMailDeps,
): Promise<Mail> {
  const { to, language, order, replyTo, messageId, formats } = options;
  const content = mailContent(view, {
    ...{ language, hasReplyTo: replyTo !== undefined },
    ...(order ? { orderReference: order.orderReference } : {}),
  });
  const attachments: MailAttachment[] = [];
  for (const format of formats) attachments.push(await fileOf(format, view, options, deps));
  return {
    ...{ to, messageId, attachments },
    subject: content.subject,
    text: mailText(content),
    html: mailHtml(content),
    fromName: content.issuer,
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

const XML = "application/xml";

async function fileOf(
  format: MailedFormat,
  view: InvoiceView,
  options: InvoiceMailOptions,
  { pdf, facturae }: InvoiceMailDeps,
): Promise<MailAttachment> {
  const { fullNumber, invoiceId } = view;
  switch (format) {
    case "pdf":
      return {
        content: await pdf(view, options),
        ...{ filename: `${fullNumber}.pdf`, type: "application/pdf" },
      };
    case "ubl": {
      const xml = writeUbl(electronicInvoiceOf(view), { version: "ubl-2.1", profile: "en16931" });
      const content = new Uint8Array(new TextEncoder().encode(xml));
      return { content, filename: `${fullNumber}.ubl.xml`, type: XML };
    }
    case "facturae": {
      const file = await facturae({ invoiceId, invoice: electronicInvoiceOf(view) });
      return { content: file.bytes, filename: facturaeName(fullNumber, file), type: XML };
    }
  }
}
