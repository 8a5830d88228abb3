import type {
  ChainToWalk,
  ExportStore,
  SealedRow,
  SeriesToWalk,
  Stretch,
} from "../../db/books/proof-reads.ts";
import {
  BYTE_ORDER_MARK,
  type ExportedInvoice,
  INVOICE_HEADINGS,
  invoiceLines,
} from "../../domain/export/invoice-csv.ts";
import type { InvoiceSheet } from "../../domain/invoice/invoice-view.ts";
import { readContent, readDocument } from "../../domain/proof/verify.ts";
import { invariant } from "../../domain/shared/result.ts";
import {
  closeChain,
  closeExport,
  type ExportHeader,
  exportedRecord,
  openChain,
  openExport,
} from "../../domain/verifactu/xml/export-xml.ts";

/** A walk and its requested stretch. */
export interface WalkedStretch<Walk> {
  readonly walk: Walk;
  readonly stretch: Stretch;
}

export type Pages<Row> = (stretch: Stretch) => Promise<readonly Row[]>;

/** Every record of the connection, chain after chain: no page is read before it is asked for. */
export async function* exportRecords(
  header: ExportHeader,
  chains: readonly WalkedStretch<ChainToWalk>[],
  store: Pick<ExportStore, "readSealed">,
): AsyncGenerator<string> {
  yield openExport(header);
  for (const { walk, stretch } of chains) {
    yield openChain(walk);
    const pages = pagesOf(
      stretch,
      (rest) => store.readSealed(walk, rest),
      ({ position }) => position,
    );
    for await (const page of pages) yield page.map(recordEntry).join("");
    yield closeChain();
  }
  yield closeExport();
}

/** Every invoice of the connection, series after series. */
export async function* exportInvoices(
  series: readonly WalkedStretch<SeriesToWalk>[],
  store: Pick<ExportStore, "readSheets">,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + INVOICE_HEADINGS;
  for (const { walk, stretch } of series) {
    const pages = pagesOf(
      stretch,
      (rest) => store.readSheets(walk, rest),
      ({ number }) => number,
    );
    for await (const page of pages) yield page.map((sheet) => invoiceLines(exported(sheet))).join("");
  }
}

async function* pagesOf<Row>(
  { after, until }: Stretch,
  read: Pages<Row>,
  placeOf: (row: Row) => number,
): AsyncGenerator<readonly Row[]> {
  for (let at = after; at < until; ) {
    const page = await read({ after: at, until });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    at = placeOf(last);
  }
}

function recordEntry({ position, hash, content: text, state }: SealedRow): string {
  const content = readContent(text);
  // It cannot be written as it was sealed, and a file without it would claim to be whole.
  invariant(content, `the record at position ${position} can be read: verify the chain`);
  return exportedRecord({ content, position, hash }, state);
}

function exported({ document, ...sheet }: InvoiceSheet): ExportedInvoice {
  return { ...sheet, document: readDocument(document) };
}
