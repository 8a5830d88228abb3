import type { AccountReads } from "../db/accounts/account-store.ts";
import type { ErasureReads } from "../db/ledger-state.ts";
import type { ActivityReads } from "./activity/queries.ts";
import type { CompanyStore } from "./company/company-store.ts";
import type { ConnectionReads } from "./connections/connection-ports.ts";
import type { EvidenceReads } from "./invoices/evidence-reads.ts";
import type { InvoiceDetailReads } from "./invoices/invoice-detail.ts";
import type { InvoiceReads } from "./invoices/list-invoices.ts";
import type { OrderListReads } from "./orders/listed-orders.ts";
import type { OrderDetailReads } from "./orders/order-detail-reads.ts";
import type { ReviewReads } from "./orders/review-reads.ts";
import type { WaitingReads } from "./orders/waiting-reads.ts";
import type { OverviewReads } from "./overview/queries.ts";
import type { SellingReads } from "./sales/queries.ts";
import type { WizardReads } from "./setup/queries.ts";
import type { SubmissionReads } from "./submission/queries.ts";

/** The console's reads of one ledger, by area. */
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
