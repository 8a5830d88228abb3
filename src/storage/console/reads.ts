import type { ConsoleReads } from "../../usecases/console/console-ports.ts";
import { databaseOn } from "../database.ts";
import { erasureReads } from "../erasure-reads.ts";
import { plainReads } from "../plain-reads.ts";
import { accountReads } from "./account-reads.ts";
import { activityReads } from "./activity-reads.ts";
import { companyStore } from "./company-store.ts";
import { connectionReads } from "./connection-reads.ts";
import { evidenceReads } from "./evidence-reads.ts";
import { invoiceDetailReads } from "./invoice-detail.ts";
import { invoiceReads } from "./invoice-list.ts";
import { orderDetailReads } from "./order-detail-reads.ts";
import { orderListReads } from "./order-list-reads.ts";
import { overviewReads } from "./overview-reads.ts";
import { reviewReads } from "./review-reads.ts";
import { sellingReads } from "./selling-reads.ts";
import { submissionReads } from "./submission-reads.ts";
import { waitingReads } from "./waiting-reads.ts";
import { wizardReads } from "./wizard-reads.ts";

/** What the console reads of one ledger. */
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
