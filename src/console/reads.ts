import { type AccountReads, accountReads } from "../db/accounts/account-store.ts";
import { databaseOn, plainReads } from "../db/database.ts";
import { type DraftStore, draftStore } from "../db/drafts/draft-store.ts";
import type { ErasureReads } from "../db/ledger-state.ts";
import { erasureReads } from "../db/orders/order-reads.ts";
import { type ActivityReads, activityReads } from "./activity/queries.ts";
import { type CompanyStore, companyStore } from "./company/queries.ts";
import { type ConnectionReads, connectionReads } from "./connections/queries.ts";
import { type FindReads, findReads } from "./find/queries.ts";
import { type InvoiceDetailReads, invoiceDetailReads } from "./invoices/invoice-detail.ts";
import type { InvoiceReads } from "./invoices/list-invoices.ts";
import { invoiceReads } from "./invoices/queries.ts";
import { type MailingReads, mailingReads } from "./mailing/queries.ts";
import { type OrderListReads, orderListReads } from "./orders/listed-orders.ts";
import { type OrderDetailReads, orderDetailReads } from "./orders/order-detail.ts";
import { type QuestionReads, questionReads } from "./orders/questions-queries.ts";
import { type ReviewReads, reviewReads } from "./orders/review.ts";
import { type WaitingReads, waitingReads } from "./orders/waiting.ts";
import { type OverviewReads, overviewReads } from "./overview/queries.ts";
import { type SellingReads, sellingReads } from "./sales/queries.ts";
import { type RememberedReads, rememberedReads } from "./sales/remembered-queries.ts";
import { type EvidenceReads, evidenceReads, type SetupReads, setupReads } from "./setup/queries.ts";
import { type BackfillReads, backfillReads } from "./shop/backfill-queries.ts";
import { type BackfillTotalsReads, backfillTotalsReads } from "./shop/backfill-totals-queries.ts";
import { type DocumentReads, documentReads } from "./shop/document-queries.ts";
import { type ShopReads, shopReads } from "./shop/queries.ts";
import { type SeenReads, seenReads } from "./shop/seen-queries.ts";
import { type SubmissionReads, submissionReads } from "./submission/queries.ts";

export function consoleReads(binding: D1Database): ConsoleReads {
  const db = databaseOn(binding);
  const plain = plainReads(binding);
  return {
    accounts: accountReads(db),
    find: findReads(binding),
    invoices: invoiceReads(binding),
    invoice: invoiceDetailReads(binding),
    submission: submissionReads(binding),
    overview: overviewReads(binding),
    setup: setupReads(db),
    orders: orderListReads(plain),
    review: reviewReads(plain),
    questions: questionReads(plain),
    order: orderDetailReads(db),
    waiting: waitingReads(plain),
    connections: connectionReads(db),
    selling: sellingReads(db),
    remembered: rememberedReads(plain),
    company: companyStore(db),
    evidence: evidenceReads(db),
    activity: activityReads(db),
    erasure: erasureReads(binding),
    shop: shopReads(db),
    backfill: backfillReads(db),
    backfillTotals: backfillTotalsReads(db),
    document: documentReads(db),
    seen: seenReads(db),
    mailing: mailingReads(db),
    drafts: draftStore(binding),
  };
}

/** The console's reads of one ledger, by area. */
export interface ConsoleReads {
  readonly accounts: AccountReads;
  readonly connections: ConnectionReads;
  readonly selling: SellingReads;
  readonly remembered: RememberedReads;
  readonly company: CompanyStore;
  readonly evidence: EvidenceReads;
  readonly activity: ActivityReads;
  readonly find: FindReads;
  readonly invoices: InvoiceReads;
  readonly invoice: InvoiceDetailReads;
  readonly submission: SubmissionReads;
  readonly overview: OverviewReads;
  readonly setup: SetupReads;
  readonly orders: OrderListReads;
  readonly review: ReviewReads;
  readonly questions: QuestionReads;
  readonly order: OrderDetailReads;
  readonly waiting: WaitingReads;
  readonly erasure: ErasureReads;
  readonly shop: ShopReads;
  readonly backfill: BackfillReads;
  readonly backfillTotals: BackfillTotalsReads;
  readonly document: DocumentReads;
  readonly seen: SeenReads;
  readonly mailing: MailingReads;
  readonly drafts: DraftStore;
}
