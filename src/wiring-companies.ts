import type { Env } from "./env.ts";
import type { HearCompaniesDeps } from "./jobs/hear-companies.ts";
import { ownerClient } from "./ledger/client.ts";
import { accountStore } from "./storage/account-store.ts";
import { companyRegister } from "./storage/company-register.ts";
import { accountReads } from "./storage/console/account-reads.ts";
import { databaseOn } from "./storage/database.ts";
import { OPERATOR } from "./usecases/console/activity-areas.ts";
import { handOver } from "./usecases/console/hand-over.ts";
import type { HearDeps } from "./usecases/console/hear-company.ts";
import { countedRun, JOB_LOG, ledgerIn, stubDeps } from "./wiring.ts";

/** How the ledger of a company hears of what the directory says of it. */
export function hearDeps(env: Env): HearDeps {
  return {
    register: companyRegister(env.DIRECTORY),
    accountsIn: (ledger) => accountStore(ledgerIn(env, ledger)),
    noteIn: (ledger, accountId, line) =>
      accountReads(databaseOn(ledgerIn(env, ledger))).note(accountId, line),
    handOver: ({ accountId }, ledger) =>
      handOver(accountId, ledger, {
        secretsOf: (number, id) => accountStore(ledgerIn(env, number)).secretsOf(id),
        act: async (connectionId, request) => {
          const owner = ownerClient(stubDeps(env), connectionId);
          return (await owner.act(connectionId, OPERATOR, request)).outcome === "done";
        },
      }),
    now: () => Date.now(),
  };
}

export function hearJobDeps(bindings: Env): HearCompaniesDeps {
  const { env, budget } = countedRun(bindings);
  return { ...hearDeps(env), budget, ...JOB_LOG };
}
