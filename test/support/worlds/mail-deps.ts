import type { LedgerDeps } from "../../../src/ledger/core/core.ts";

/** For a `Ledger` that sends no mails. */
export const NO_MAILS: LedgerDeps["invoiceMailer"] = {
  send: async () => {
    throw new Error("no mail is sent here");
  },
  isOwnAddress: async () => false,
};
