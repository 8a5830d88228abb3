import type {
  AuditEntry,
  ErasedOrder,
  IssueBatch,
  KnownStatuses,
  LedgerState,
  NewInvoice,
  NewMail,
  NewRecord,
  NumberedInvoice,
  OrderWrite,
  SellingSettings,
  SeriesHead,
  StoredInvoice,
  StoredOrder,
} from "../../db/ledger-state.ts";
import type { QuestionOutcome } from "../../db/orders/question-job.ts";
import type { UsedSetting } from "../../db/orders/remembered-answer.ts";
import type { ShopWrite } from "../../db/shops/shop-write.ts";
import type { ReferenceRate } from "../../domain/exchange/reference-rate.ts";
import type { RecordPlace } from "../../domain/invoice/invoice-record.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import { type Installation, type IssuingSettings, isStopped } from "../../domain/invoice/settings.ts";
import type { NewlyKept } from "../../domain/place/vat-rates.ts";
import { type CivilDate, laterOf } from "../../domain/shared/civil-date.ts";
import { type Instant, instantOf, localTime } from "../../domain/shared/instant.ts";
import { type ChainHead, linkTo, recordId, type SoftwareSystem } from "../../domain/verifactu/record.ts";
import type { SoftwareConfig } from "../../domain/verifactu/software.ts";

/**
 * The books in the middle of a group. Each decision is applied before the next is taken, so every decision
 * sees the earlier ones. Discarded with the group unless its batch is committed.
 */
export interface LedgerDraft {
  readonly settings: IssuingSettings;
  readonly selling: SellingSettings;
  /** Issue date of invoices issued now: never earlier than the last one. */
  readonly today: CivilDate;
  /** FechaHoraHusoGenRegistro of records sealed now. */
  readonly generatedAt: string;
  readonly series: Map<string, SeriesHead>;
  /** By origin: read from the database, or issued in this group. */
  readonly invoices: Map<string, StoredInvoice>;
  /** By origin: the years of retired invoices. */
  readonly retiredOrigins: ReadonlyMap<string, number>;
  /** By full number: invoices of the account that the group cites by number. */
  readonly numbered: ReadonlyMap<string, NumberedInvoice>;
  readonly newSeries: string[];
  readonly newInvoices: NewInvoice[];
  readonly newRecords: NewRecord[];
  /** Mails with invoices of the group. */
  readonly newMails: NewMail[];
  readonly now: Instant;
  /** By id: read from the database, or decided in this group. */
  readonly orders: Map<string, StoredOrder>;
  /** By id: erased orders. */
  readonly erased: ReadonlyMap<string, ErasedOrder>;
  /** New or changed orders among them: one row each. */
  readonly writes: Map<string, OrderWrite>;
  readonly rates: readonly ReferenceRate[];
  readonly statuses: KnownStatuses;
  readonly audits: AuditEntry[];
  /** Rates of the one-stop shop that an owner keeps for the account. */
  readonly keptRates: NewlyKept[];
  /** Deliveries and documents of a shop that orders of the group came from. */
  readonly shopWrites: ShopWrite[];
  /** Outcomes of orders that one answer was given to together. */
  readonly questionOutcomes: QuestionOutcome[];
  /** Settings of connections that remember answers, once for each order that they decided. */
  readonly usedSettings: UsedSetting[];
  /** The access to the shop now; undefined if none is connected. */
  readonly shopAccess: string | undefined;
  chain: ChainHead | undefined;
}

/** The data read for a group, besides the books. */
export interface Known {
  readonly invoices: ReadonlyMap<string, StoredInvoice>;
  readonly retiredOrigins: ReadonlyMap<string, number>;
  readonly numbered: ReadonlyMap<string, NumberedInvoice>;
  readonly orders: ReadonlyMap<string, StoredOrder>;
  readonly erased: ReadonlyMap<string, ErasedOrder>;
  readonly rates: readonly ReferenceRate[];
  readonly statuses: KnownStatuses;
}

const NOTHING_OF_ORDERS = { orders: new Map(), erased: new Map(), rates: [], statuses: {} };

/** The data known to a group of direct invoices. */
export function knowing(
  invoices: Known["invoices"],
  retiredOrigins: Known["retiredOrigins"] = new Map<string, number>(),
  numbered: Known["numbered"] = new Map<string, NumberedInvoice>(),
): Known {
  return { invoices, retiredOrigins, numbered, ...NOTHING_OF_ORDERS };
}

export function openDraft(books: LedgerState, known: Known, now: Instant): LedgerDraft {
  const instant = books.chain ? Math.max(now, instantOf(books.chain.generatedAt)) : now;
  const local = localTime(instant, books.settings.timeZone);
  return {
    settings: settingsAt(books.settings, now),
    selling: books.selling,
    now,
    today: books.series.map((head) => head.date).reduce(laterOf, local.date),
    generatedAt: local.timestamp,
    series: new Map(books.series.map((head) => [head.code, head])),
    invoices: new Map(known.invoices),
    retiredOrigins: known.retiredOrigins,
    numbered: known.numbered,
    newSeries: [],
    newInvoices: [],
    newRecords: [],
    newMails: [],
    orders: new Map(known.orders),
    erased: known.erased,
    writes: new Map(),
    rates: known.rates,
    statuses: known.statuses,
    audits: [],
    keptRates: [],
    shopWrites: [],
    questionOutcomes: [],
    usedSettings: [],
    shopAccess: books.shopAccess,
    chain: books.chain,
  };
}

/** A contested issuer cannot issue after its time limit, as if consent were withdrawn. */
function settingsAt(settings: IssuingSettings, now: Instant): IssuingSettings {
  return isStopped(settings, now) ? { ...settings, consented: false } : settings;
}

/** A copy to decide on: it replaces the books or is discarded. */
export function copyOf(working: LedgerDraft): LedgerDraft {
  return {
    ...working,
    series: new Map(working.series),
    invoices: new Map(working.invoices),
    orders: new Map(working.orders),
    writes: new Map(working.writes),
    newSeries: [...working.newSeries],
    newInvoices: [...working.newInvoices],
    newRecords: [...working.newRecords],
    newMails: [...working.newMails],
    audits: [...working.audits],
    keptRates: [...working.keptRates],
    shopWrites: [...working.shopWrites],
    questionOutcomes: [...working.questionOutcomes],
    usedSettings: [...working.usedSettings],
  };
}

/** All results of a group, as one batch. */
export function batchOf(working: LedgerDraft, seq: number): IssueBatch {
  const { settings, newSeries, newInvoices, newRecords, writes, audits, keptRates, shopWrites } = working;
  return {
    seq,
    settings,
    newSeries,
    invoices: newInvoices,
    records: newRecords,
    orders: [...writes.values()],
    audits,
    keptRates,
    shopWrites,
    mails: working.newMails,
    questionOutcomes: working.questionOutcomes,
    usedSettings: working.usedSettings,
  };
}

/** A direct invoice by its external_id. */
export function directInvoice(working: LedgerDraft, externalId: string): StoredInvoice | undefined {
  return working.invoices.get(directOrigin(externalId));
}

/** Invoices that were read for this group, or issued in it. */
export function invoicesById(working: LedgerDraft): ReadonlyMap<string, StoredInvoice> {
  return new Map([...working.invoices.values()].map((invoice) => [invoice.view.invoiceId, invoice]));
}

export function invoiceOf(working: LedgerDraft, invoiceId: string): StoredInvoice | undefined {
  return [...working.invoices.values()].find(({ view }) => view.invoiceId === invoiceId);
}

/** The year of a retired direct invoice, by its external_id. */
export function retiredYearOf(working: LedgerDraft, externalId: string): number | undefined {
  return working.retiredOrigins.get(directOrigin(externalId));
}

/** How far the clock lags the chain, in milliseconds; the chain then continues with its own last instant. */
export function clockLag(books: LedgerState, now: Instant): number {
  return books.chain ? Math.max(0, instantOf(books.chain.generatedAt) - now) : 0;
}

/** The books after the batch of the group was committed. */
export function closeDraft(books: LedgerState, working: LedgerDraft, seq: number): LedgerState {
  return {
    ...books,
    seq,
    series: [...working.series.values()],
    ...(working.chain ? { chain: working.chain } : {}),
  };
}

export function nextPlace(
  working: LedgerDraft,
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
