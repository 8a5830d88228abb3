import { accountReads } from "../db/accounts/account-store.ts";
import { databaseOn, plainReads } from "../db/database.ts";
import { erasureReads } from "../db/orders/order-reads.ts";
import { activityReads } from "./activity/queries.ts";
import { companyStore } from "./company/company-store.ts";
import { connectionReads } from "./connections/queries.ts";
import type { ConsoleReads } from "./console-ports.ts";
import { evidenceReads } from "./invoices/evidence-reads.ts";
import { invoiceDetailReads } from "./invoices/invoice-detail.ts";
import { invoiceReads } from "./invoices/invoice-list.ts";
import { orderDetailReads } from "./orders/order-detail-reads.ts";
import { orderListReads } from "./orders/order-list-reads.ts";
import { reviewReads } from "./orders/review-reads.ts";
import { waitingReads } from "./orders/waiting-reads.ts";
import { overviewReads } from "./overview/queries.ts";
import { sellingReads } from "./sales/queries.ts";
import { wizardReads } from "./setup/queries.ts";
import { submissionReads } from "./submission/queries.ts";

export function consoleReads(binding: D1Database): ConsoleReads {
  const db = databaseOn(binding);
  const plain = plainReads(binding);
  return {
    accounts: accountReads(db),
    invoices: invoiceReads(binding),
    invoice: invoiceDetailReads(binding),
    submission: submissionReads(binding),
    overview: overviewReads(binding),
    wizard: wizardReads(db),
    orders: orderListReads(plain),
    review: reviewReads(plain),
    order: orderDetailReads(db),
    waiting: waitingReads(plain),
    connections: connectionReads(db),
    selling: sellingReads(db),
    company: companyStore(db),
    evidence: evidenceReads(db),
    activity: activityReads(db),
    erasure: erasureReads(binding),
  };
}
