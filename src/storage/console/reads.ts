import type { ConsoleReads } from "../../usecases/console/console-ports.ts";
import { databaseOn } from "../database.ts";
import { accountReads } from "./account-reads.ts";
import { invoiceReads } from "./invoice-list.ts";

/** What the console reads of one ledger. */
export function consoleReads(binding: D1Database): ConsoleReads {
  const db = databaseOn(binding);
  return { accounts: accountReads(db), invoices: invoiceReads(binding) };
}
