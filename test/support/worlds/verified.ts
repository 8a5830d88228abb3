/** Companies of the tests that issue invoices: an operator has verified their NIFs. */

import { accountStore } from "../../../src/db/accounts/account-store.ts";
import { companyRegister } from "../../../src/db/companies/company-register.ts";
import { syncAfterChange } from "../../../src/db/companies/sync-company.ts";
import { verifyByOperator } from "../../../src/db/companies/verify-by-operator.ts";
import type { RandomBytes } from "../../../src/domain/connection/ids.ts";

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
  await syncAfterChange(accountId, {
    ...{ register, now },
    accountsIn: (ledger) => accountStore(databaseOf(ledger)),
    // The activity of a company in a test is that of the test.
    noteIn: async () => {},
    handOver: async () => {},
    mail: async () => true,
    report: () => {},
    attempt: (work) => work(),
  });
}
