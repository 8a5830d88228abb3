import type { ConsoleReads } from "../../usecases/console/console-ports.ts";
import { databaseOn } from "../database.ts";
import { accountReads } from "./account-reads.ts";
import { activityReads } from "./activity-reads.ts";
import { companyStore } from "./company-store.ts";
import { connectionReads } from "./connection-reads.ts";
import { sellingReads } from "./selling-reads.ts";

/** What the console reads of one ledger. */
export function consoleReads(binding: D1Database): ConsoleReads {
  const db = databaseOn(binding);
  return {
    accounts: accountReads(db),
    connections: connectionReads(db),
    selling: sellingReads(db),
    company: companyStore(db),
    activity: activityReads(db),
  };
}
