/** Companies of the tests that issue invoices: an operator has seen whose their NIFs are. */

import type { RandomBytes } from "../../src/domain/connection/ids.ts";
import { accountStore } from "../../src/storage/account-store.ts";
import { companyRegister } from "../../src/storage/company-register.ts";
import { hearDeed } from "../../src/usecases/console/hear-company.ts";
import { verifyByOperator } from "../../src/usecases/console/verify-by-operator.ts";

export interface Verifying {
  readonly directory: D1Database;
  readonly databaseOf: (ledger: string) => D1Database;
  readonly now: () => number;
  readonly random: RandomBytes;
}

export async function verifyAccount(accountId: string, deps: Verifying): Promise<void> {
  const { directory, databaseOf, now, random } = deps;
  const register = companyRegister(directory);
  const company = await register.companyOf(accountId);
  if (!company) throw new Error(`there is no account ${accountId}`);
  await verifyByOperator(company, { operator: "test", reason: "test" }, { register, now, random });
  await hearDeed(accountId, {
    ...{ register, now },
    accountsIn: (ledger) => accountStore(databaseOf(ledger)),
    // The activity of a company in a test is that of the test.
    noteIn: async () => {},
    handOver: async () => {},
    mail: async () => {},
    report: () => {},
    attempt: (work) => work(),
  });
}
