import type { InvoiceSheet } from "../../domain/invoice/invoice-view.ts";
import type { InvoiceRow, SeriesOwner } from "../../domain/proof/verify-invoice.ts";
import type { ChainOwner, RecordRow } from "../../domain/proof/verify-record.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AeatEnvironment } from "../../domain/verifactu/qr-url.ts";
import type { ChainHead } from "../../domain/verifactu/record.ts";
import type { AuditEntry } from "../ledger-state.ts";

/** A chain of the connection, as far as it reached when the walk began. */
export interface ChainToWalk extends ChainOwner {
  readonly environment: AeatEnvironment;
  readonly openedAt: Instant;
  /** The last retired record, if any: the next one links to it. */
  readonly start?: ChainHead;
  /** Position of its last record; 0 of an empty one. */
  readonly last: number;
}

/** A series of the connection, as far as it reached. */
export interface SeriesToWalk extends SeriesOwner {
  readonly accountId: string;
  readonly last: number;
}

/** The books to verify, as they were at one moment. */
export interface BooksToWalk {
  readonly connectionId: string;
  readonly accountId: string;
  readonly issuerName: string;
  readonly issuerNif: string;
  /** The last retired year, including one in progress: it is not checked. */
  readonly leftUntil?: number;
  /** In the order in which they were opened. */
  readonly chains: readonly ChainToWalk[];
  readonly series: readonly SeriesToWalk[];
}

/** Places after `after`, up to and including `until`. */
export interface Stretch {
  readonly after: number;
  readonly until: number;
}

/** Days from and to, both included; absent means open. Of records, the day when they were made. */
export interface DayRange {
  readonly from?: CivilDate;
  readonly to?: CivilDate;
}

export interface SealedRow {
  readonly position: number;
  readonly hash: string;
  /** JSON of the sealed literals. */
  readonly content: string;
  readonly state: string;
}

/**
 * The books of one connection, read from beginning to end. Every method is one D1 round trip; pages are
 * bounded by rows and bytes. An empty page ends its stretch.
 */
export interface ProofStore {
  /** Undefined without an account, or if the given account is not the connection's. */
  readBooks(accountId?: string): Promise<BooksToWalk | undefined>;
  readRecords(chain: ChainToWalk, stretch: Stretch): Promise<readonly RecordRow[]>;
  readInvoices(series: SeriesToWalk, stretch: Stretch): Promise<readonly InvoiceRow[]>;
}

/** The reads of an export. */
export interface ExportStore extends Pick<ProofStore, "readBooks"> {
  /** Records who exports, and finds the first and last place of the days. */
  beginExport(begun: ExportBegun): Promise<readonly Stretch[]>;
  readSealed(chain: ChainToWalk, stretch: Stretch): Promise<readonly SealedRow[]>;
  readSheets(series: SeriesToWalk, stretch: Stretch): Promise<readonly InvoiceSheet[]>;
}

export interface ExportBegun {
  readonly accountId: string;
  /** One stretch per walk. */
  readonly of:
    | { readonly kind: "records"; readonly walks: readonly ChainToWalk[] }
    | { readonly kind: "invoices"; readonly walks: readonly SeriesToWalk[] };
  readonly days: DayRange;
  readonly audit: AuditEntry;
}
