import { softwareFrom } from "./domain/verifactu/software.ts";
import type { Env } from "./env.ts";
import { preferredLanguage } from "./http/language.ts";
import { guarded } from "./jobs/guarded.ts";
import type { HearCompaniesDeps } from "./jobs/hear-companies.ts";
import { ownerClient } from "./ledger/client.ts";
import { mailerFor } from "./mail/mailer.ts";
import { accountStore } from "./storage/account-store.ts";
import { companyRegister } from "./storage/company-register.ts";
import { accountReads } from "./storage/console/account-reads.ts";
import { databaseOn } from "./storage/database.ts";
import { OPERATOR } from "./usecases/console/activity-areas.ts";
import { handOver } from "./usecases/console/hand-over.ts";
import type { HearDeps } from "./usecases/console/hear-company.ts";
import type { Mailer } from "./usecases/console/identity-ports.ts";
import { countedRun, JOB_LOG, ledgerIn, log, stubDeps } from "./wiring.ts";

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
    tellFormerOwners: ({ id, settledAt }) =>
      guarded({ job: "tell_former_owners" }, JOB_LOG, () => tellFormerOwners(env, id, settledAt)),
    now: () => Date.now(),
  };
}

export function mailerOf(env: Env): Mailer {
  return mailerFor({
    transport: env.MAIL_TRANSPORT,
    from: env.MAIL_FROM,
    print: log,
    ...(env.MAIL ? { binding: env.MAIL } : {}),
  });
}

async function tellFormerOwners(env: Env, claimId: string, settledAt = Date.now()): Promise<void> {
  // Its words are loaded with the first such mail: no start of the API needs them.
  const { noticeMail, noticeTime } = await import("./http/console/texts/identity-mails.ts");
  const mailer = mailerOf(env);
  const facts = { device: undefined, at: noticeTime(settledAt) };
  for (const { email, language } of await companyRegister(env.DIRECTORY).formerOwnersOf(claimId)) {
    const to = {
      to: email,
      product: softwareFrom(env.SOFTWARE).name,
      language: preferredLanguage(language, "es"),
    };
    await mailer.send(noticeMail("ownership_lost", facts, to));
  }
}

export function hearJobDeps(bindings: Env): HearCompaniesDeps {
  const { env, budget } = countedRun(bindings);
  return { ...hearDeps(env), budget, ...JOB_LOG };
}
