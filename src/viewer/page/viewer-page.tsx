import type { Child } from "hono/jsx";
import type { Bilingual, Language } from "../../words/words.ts";
import type { InvoicePresentation } from "../presentation/invoice-presentation.ts";
import { fill, WORDS } from "../presentation/words.ts";
import { accentPath, VIEWER_STYLESHEET_PATH } from "../stylesheet.ts";
import { Foreign, Legal, Sheet, Whole } from "./sheet.tsx";

/** A file of an invoice for programs, by the name of its format. */
export interface FormatLink {
  readonly format: string;
  readonly url: string;
}

/** One invoice, and where its PDF and its other files are. */
interface ViewedInvoice {
  readonly invoice: InvoicePresentation;
  readonly pdfUrl: string;
  readonly formats: readonly FormatLink[];
}

export interface ViewerPageProps {
  readonly language: Language;
  /** Inside another page, or on its own. */
  readonly presentation: "link" | "embed";
  /** The shop, as its customer knows it. */
  readonly seller: string;
  /** The shop's name of the order. */
  readonly orderReference?: string;
  /** Oldest first. */
  readonly invoices: readonly ViewedInvoice[];
}

/** The invoices of an order, without a script. */
export function ViewerPage(props: ViewerPageProps) {
  const { language, presentation, seller, invoices } = props;
  const heading = headingOf(props);
  return (
    <ViewerFrame
      language={language}
      title={`${heading} · ${seller}`}
      embedded={presentation === "embed"}
      accent={invoices[0]?.invoice.accent}
    >
      <TopBar {...props} />
      <main>
        <h1 class="unseen">{heading}</h1>
        {invoices.length > 1 ? <DocumentList language={language} invoices={invoices} /> : null}
        {invoices.map(({ invoice }, index) => (
          <>
            <Notices invoice={invoice} />
            <Sheet invoice={invoice} id={sheetId(index)} />
          </>
        ))}
      </main>
      <footer>
        <p>{fill(WORDS.expires, language)}</p>
      </footer>
    </ViewerFrame>
  );
}

interface FrameProps {
  readonly language: Language;
  readonly title: string;
  readonly embedded?: boolean;
  readonly accent?: string | undefined;
  readonly children: Child;
}

/** The frame of every viewer page; it loads nothing from another host. */
function ViewerFrame({ language, title, embedded = false, accent, children }: FrameProps) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <link rel="stylesheet" href={VIEWER_STYLESHEET_PATH} />
        {accent === undefined ? null : <link rel="stylesheet" href={accentPath(accent)} />}
      </head>
      <body class={embedded ? "embedded" : undefined}>{children}</body>
    </html>
  );
}

function headingOf({ language, orderReference: reference, invoices }: ViewerPageProps): string {
  const [only] = invoices;
  if (reference !== undefined) {
    return fill(invoices.length > 1 ? WORDS.viewSeveral : WORDS.viewTitle, language, { reference });
  }
  if (invoices.length > 1 || !only) return fill(WORDS.viewNumbers, language);
  return fill(WORDS.invoiceNumber, language, { number: only.invoice.number });
}

function sheetId(index: number): string {
  return `invoice-${index + 1}`;
}

/** Shop and order, unless the embedding page shows them; the PDF if there is one invoice. */
function TopBar({ language, presentation, seller, orderReference, invoices }: ViewerPageProps) {
  const count = fill(WORDS.documents, language, { count: String(invoices.length) });
  const order = orderReference === undefined ? [] : [`${fill(WORDS.order, language)} ${orderReference}`];
  const [only] = invoices;
  return (
    <header class="bar">
      {presentation === "link" ? (
        <p>
          <strong>
            <Foreign text={seller} />
          </strong>
          <span>
            <Foreign text={[...order, ...(invoices.length > 1 ? [count] : [])].join(" · ")} />
          </span>
        </p>
      ) : null}
      {invoices.length === 1 && only ? (
        <>
          <a class="download" href={only.pdfUrl}>
            <DownloadIcon />
            {fill(WORDS.downloadPdf, language)}
          </a>
          <FormatLinks language={language} viewed={only} />
        </>
      ) : null}
    </header>
  );
}

interface FormatLinksProps {
  readonly language: Language;
  readonly viewed: ViewedInvoice;
}

function FormatLinks({ language, viewed: { invoice, formats } }: FormatLinksProps) {
  return (
    <>
      {formats.map(({ format, url }) => (
        <a
          class="pdf"
          href={url}
          aria-label={fill(WORDS.downloadFormatOf, language, { number: invoice.number, format })}
        >
          <DownloadIcon />
          {format}
        </a>
      ))}
    </>
  );
}

interface ListProps {
  readonly language: Language;
  readonly invoices: readonly ViewedInvoice[];
}

function DocumentList({ language, invoices }: ListProps) {
  return (
    <nav class="documents" aria-label={fill(WORDS.documentList, language)}>
      <ul>
        {invoices.map(({ invoice, pdfUrl, formats }, index) => (
          <li class={formats.length > 0 ? "several" : undefined}>
            <p>
              <a href={`#${sheetId(index)}`}>
                <Legal words={invoice.title} language={language} />
              </a>
              <span class="soft">
                <span>{invoice.number}</span> <span>{invoice.issueDate}</span>
                {invoice.cancelled ? " " : null}
                {invoice.cancelled ? <span>{fill(WORDS.cancelledState, language)}</span> : null}
              </span>
            </p>
            {invoice.cancelled ? <s>{invoice.total}</s> : <span class="figure">{invoice.total}</span>}
            <div class="files">
              <a
                class="pdf"
                href={pdfUrl}
                aria-label={fill(WORDS.downloadPdfOf, language, { number: invoice.number })}
              >
                <DownloadIcon />
                PDF
              </a>
              <FormatLinks language={language} viewed={{ invoice, pdfUrl, formats }} />
            </div>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Later changes of the invoice, shown above it: the sheet itself stays as issued. */
function Notices({ invoice }: { readonly invoice: InvoicePresentation }) {
  if (invoice.notices.length === 0) return null;
  return (
    <div class={invoice.cancelled ? "notices bad" : "notices"}>
      {invoice.notices.map((notice) => (
        <p>
          <Whole text={notice} />
        </p>
      ))}
    </div>
  );
}

function DownloadIcon() {
  return (
    <svg class="icon" width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 4v12M7 11l5 5 5-5M4 20h16" />
    </svg>
  );
}

interface StatusProps {
  readonly language: Language;
}

/** Unknown, expired or switched off: one page, so that it does not reveal the cause. */
export function GonePage({ language }: StatusProps) {
  return <StatusPage language={language} title={WORDS.goneTitle} body={WORDS.goneBody} />;
}

/** A temporary failure: the page says so. */
export function UnavailablePage({ language }: StatusProps) {
  return <StatusPage language={language} title={WORDS.unavailableTitle} body={WORDS.unavailableBody} />;
}

/** Too many views of one link, or from one network. */
export function BrakedPage({ language }: StatusProps) {
  return <StatusPage language={language} title={WORDS.brakedTitle} body={WORDS.brakedBody} />;
}

interface SentenceProps extends StatusProps {
  readonly title: Bilingual;
  readonly body: Bilingual;
}

/** The shop is unknown here: only the sentence, no link. */
function StatusPage({ language, title, body }: SentenceProps) {
  return (
    <ViewerFrame language={language} title={fill(title, language)}>
      <main class="status">
        <h1>{fill(title, language)}</h1>
        <p>{fill(body, language)}</p>
      </main>
    </ViewerFrame>
  );
}
