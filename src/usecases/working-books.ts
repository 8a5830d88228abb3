import type { RecordPlace } from "../domain/invoice/invoice-record.ts";
import type { Installation, IssuingSettings } from "../domain/invoice/settings.ts";
import { type CivilDate, laterOf } from "../domain/shared/civil-date.ts";
import { type Instant, instantOf, localTime } from "../domain/shared/instant.ts";
import { type ChainHead, linkTo, recordId, type SoftwareSystem } from "../domain/verifactu/record.ts";
import type { SoftwareConfig } from "../domain/verifactu/software.ts";
import type { Books, NewInvoice, NewRecord, SeriesHead, StoredInvoice } from "./ports.ts";

/**
 * The books as they stand in the middle of a group: each decision is applied before the next is taken, so
 * that every one sees those before it. Thrown away with the group unless its batch is committed.
 */
export interface WorkingBooks {
  readonly settings: IssuingSettings;
  /** Issue date of whatever is issued now: never earlier than the last one. */
  readonly today: CivilDate;
  /** FechaHoraHusoGenRegistro of whatever is sealed now. */
  readonly generatedAt: string;
  readonly series: Map<string, SeriesHead>;
  /** By external_id: read from the database, or issued in this group. */
  readonly invoices: Map<string, StoredInvoice>;
  readonly newSeries: string[];
  readonly newInvoices: NewInvoice[];
  readonly newRecords: NewRecord[];
  chain: ChainHead | undefined;
}

export function openBooks(
  books: Books,
  invoices: ReadonlyMap<string, StoredInvoice>,
  now: Instant,
): WorkingBooks {
  const instant = books.chain ? Math.max(now, instantOf(books.chain.generatedAt)) : now;
  const local = localTime(instant, books.settings.timeZone);
  return {
    settings: books.settings,
    today: books.series.map((head) => head.date).reduce(laterOf, local.date),
    generatedAt: local.timestamp,
    series: new Map(books.series.map((head) => [head.code, head])),
    invoices: new Map(invoices),
    newSeries: [],
    newInvoices: [],
    newRecords: [],
    chain: books.chain,
  };
}

/** How far the clock is behind the chain, in milliseconds; the chain goes on with its own last instant. */
export function clockLag(books: Books, now: Instant): number {
  return books.chain ? Math.max(0, instantOf(books.chain.generatedAt) - now) : 0;
}

/** The books after the batch of the group was committed. */
export function closedBooks(books: Books, working: WorkingBooks, seq: number): Books {
  return {
    ...books,
    seq,
    series: [...working.series.values()],
    ...(working.chain ? { chain: working.chain } : {}),
  };
}

export function nextPlace(
  working: WorkingBooks,
  installation: Installation,
  software: SoftwareConfig,
): RecordPlace & { position: number } {
  const position = (working.chain?.position ?? 0) + 1;
  return {
    position,
    reference: recordId(installation.id, position),
    chain: linkTo(working.chain),
    system: systemOf(working.settings, installation, software),
    generatedAt: working.generatedAt,
  };
}

function systemOf(
  settings: IssuingSettings,
  installation: Installation,
  software: SoftwareConfig,
): SoftwareSystem {
  return {
    producerName: software.producerName,
    producerNif: software.producerNif,
    name: software.name,
    code: software.code,
    version: software.version,
    installationNumber: installation.number,
    verifactuOnly: true,
    multipleIssuersPossible: true,
    multipleIssuers: settings.multipleIssuers,
  };
}
