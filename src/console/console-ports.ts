import type { ErasureReads } from "../db/erasure-state.ts";
import type { AuditEntry } from "../db/shop-state.ts";
import type { Territory } from "../domain/invoice/settings.ts";
import type { TimeZone } from "../domain/shared/instant.ts";
import type { ActivityReads } from "./activity/activity-ports.ts";
import type { CompanyStore } from "./company/company-ports.ts";
import type { ConnectionReads } from "./connections/connection-ports.ts";
import type { EvidenceReads } from "./invoices/evidence-ports.ts";
import type { InvoiceDetailReads } from "./invoices/invoice-detail-ports.ts";
import type { InvoiceReads } from "./invoices/invoice-ports.ts";
import type { OrderDetailReads } from "./orders/order-detail-ports.ts";
import type { OrderListReads } from "./orders/order-list-ports.ts";
import type { ReviewReads } from "./orders/review-ports.ts";
import type { WaitingReads } from "./orders/waiting-ports.ts";
import type { OverviewReads } from "./overview/overview-ports.ts";
import type { SellingReads } from "./sales/selling-ports.ts";
import type { WizardReads } from "./setup/wizard-ports.ts";
import type { SubmissionReads } from "./submission/submission-ports.ts";

/** An account as every page of its console shows it. */
export interface AccountShown {
  readonly id: string;
  readonly legalName: string;
  readonly nif: string;
  readonly timeZone: TimeZone;
  readonly territory: Territory;
}

/** A connection, so far as every route of it needs it. */
export interface ConnectionShown {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
}

/** Accounts and connections by their ids. */
export interface AccountReads {
  readAccounts(accountIds: readonly string[]): Promise<readonly AccountShown[]>;
  /** Undefined where the account has no such connection. */
  readConnection(accountId: string, connectionId: string): Promise<ConnectionShown | undefined>;
  /** What was done to the account itself; once by its id. */
  note(accountId: string, entry: AuditEntry): Promise<void>;
}

/** Everything that the console reads of one ledger, area by area. */
export interface ConsoleReads {
  readonly accounts: AccountReads;
  readonly connections: ConnectionReads;
  readonly selling: SellingReads;
  readonly company: CompanyStore;
  readonly evidence: EvidenceReads;
  readonly activity: ActivityReads;
  readonly invoices: InvoiceReads;
  readonly invoice: InvoiceDetailReads;
  readonly submission: SubmissionReads;
  readonly overview: OverviewReads;
  readonly wizard: WizardReads;
  readonly orders: OrderListReads;
  readonly review: ReviewReads;
  readonly order: OrderDetailReads;
  readonly waiting: WaitingReads;
  readonly erasure: ErasureReads;
}
