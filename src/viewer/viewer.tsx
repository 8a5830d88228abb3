/** The viewer's interface for routes: texts of pages, bytes of PDFs, and the policy that the pages need. */
import type { InvoiceView } from "../domain/invoice/invoice-view.ts";
import type { MakeFacturae } from "../platform/facturae-file.ts";
import type { Mail } from "../platform/mailer.ts";
import { type Language, preferredLanguage } from "../words/words.ts";
import { type InvoiceMailDeps, type InvoiceMailOptions, invoiceMail } from "./mail/invoice-mail.ts";
import { Sheet } from "./page/sheet.tsx";
import {
  BrakedPage,
  type FormatLink,
  GonePage,
  UnavailablePage,
  ViewerPage,
  type ViewerPageProps,
} from "./page/viewer-page.tsx";
import { invoicePdf } from "./pdf/invoice-pdf.ts";
import {
  type PdfOptions,
  type PresentationOptions,
  presentInvoice,
} from "./presentation/invoice-presentation.ts";
import { shownText } from "./presentation/words.ts";

export { accentStylesheet } from "./stylesheet.ts";

/** An invoice of an order, and where its PDF and its other files are. */
export interface ShownInvoice {
  readonly view: InvoiceView;
  readonly pdfUrl: string;
  readonly formats?: readonly FormatLink[];
  readonly isEcbRate?: boolean;
}

export type ViewerOptions = Omit<ViewerPageProps, "invoices"> & Pick<PresentationOptions, "look" | "logoUrl">;

/** Spanish, as the invoice is, unless its reader prefers English. */
export function viewerLanguage(acceptLanguage: string | undefined): Language {
  return preferredLanguage(acceptLanguage, "es");
}

/** The page of an order's invoices, oldest first. */
export function viewerHtml(shown: readonly ShownInvoice[], options: ViewerOptions): string {
  const { language, orderReference, look, logoUrl } = options;
  const invoices = shown.map(({ view, pdfUrl, formats = [], isEcbRate = false }) => ({
    invoice: presentInvoice(view, {
      language,
      isEcbRate,
      ...(orderReference === undefined ? {} : { orderReference }),
      ...(look ? { look } : {}),
      ...(logoUrl === undefined ? {} : { logoUrl }),
    }),
    ...{ pdfUrl, formats },
  }));
  const shop = {
    seller: shownText(options.seller),
    ...(orderReference === undefined ? {} : { orderReference: shownText(orderReference) }),
  };
  return html(<ViewerPage {...options} {...shop} invoices={invoices} />);
}

/** For links that show nothing, for any reason: 404 and 410. */
export function goneHtml(language: Language): string {
  return html(<GonePage language={language} />);
}

/** For a temporary failure: 503. */
export function unavailableHtml(language: Language): string {
  return html(<UnavailablePage language={language} />);
}

/** For too many views in a minute: 429. */
export function brakedHtml(language: Language): string {
  return html(<BrakedPage language={language} />);
}

/** The sheet alone, without the rest of the page. */
export function sheetHtml(view: InvoiceView, options: PresentationOptions): string {
  return (<Sheet invoice={presentInvoice(view, options)} id="invoice" />).toString();
}

/** Imported with the file: a start is slower where any module is loaded on first use. */
export async function viewerPdf(view: InvoiceView, options: PdfOptions): Promise<Uint8Array<ArrayBuffer>> {
  return invoicePdf(presentInvoice(view, options), options.creator, options.picture);
}

export type { InvoiceMailOptions };

interface MailFiles {
  readonly facturae: MakeFacturae;
}

/** A mail to a customer; the PDF is that of the viewer. */
export function customerMail(
  view: InvoiceView,
  options: InvoiceMailOptions,
  { facturae, ...printed }: Pick<PdfOptions, "creator" | "look" | "picture"> & MailFiles,
): Promise<Mail> {
  const pdf: InvoiceMailDeps["pdf"] = (invoice, { language, order }) =>
    viewerPdf(invoice, { language, ...order, ...printed });
  return invoiceMail(view, options, { pdf, facturae });
}

/** The frame policy: no page, or exactly one origin. A picture is allowed to pages with a logo alone. */
export function viewerPolicy(frameAncestor: string | undefined, hasLogo = false): string {
  const ancestors = frameAncestor ?? "'none'";
  return (
    `default-src 'none'; style-src 'self'; font-src 'self'; ${hasLogo ? "img-src 'self'; " : ""}` +
    "base-uri 'none'; form-action 'none'; " +
    `frame-ancestors ${ancestors}`
  );
}

/** The result of `hono/jsx`: a node with escaped HTML as its text. */
function html(page: { toString(): string }): string {
  return `<!DOCTYPE html>${page.toString()}`;
}
