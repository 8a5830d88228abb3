import type { ConnectionLedger } from "./core/connection-ledger.ts";

export type { ExportOutcome } from "./core/proof-reads.ts";

/** Methods of the connection's object that only its owners reach. */
export const OWNER_CALLS = [
  ...(["act", "answerOrder", "answerTogether", "previewOrder", "decideAgain"] as const),
  ...(["correctRecord", "readCorrections", "rectifyInvoice"] as const),
  "resendRecords",
  ...(["readSubmission", "readAttempts", "verifyBooks", "exportRecords", "exportInvoices"] as const),
  ...(["listWebhooks", "listWebhookDeliveries"] as const),
] as const;

/** Who may is asked before: every method trusts its caller with the connection. */
export type OwnerCalls = Pick<ConnectionLedger, (typeof OWNER_CALLS)[number]>;
