import { softwareFrom } from "./domain/verifactu/software.ts";
import type { Env } from "./env.ts";
import { preferredLanguage } from "./http/language.ts";
import type { ForgetProofsDeps } from "./jobs/forget-proofs.ts";
import { guarded } from "./jobs/guarded.ts";
import type { HearCompaniesDeps } from "./jobs/hear-companies.ts";
import { ownerClient } from "./ledger/client.ts";
import { mailerFor } from "./mail/mailer.ts";
import { accountStore } from "./storage/account-store.ts";
import { companyRegister } from "./storage/company-register.ts";
import { accountReads } from "./storage/console/account-reads.ts";
import { databaseOn } from "./storage/database.ts";
import { documentStore } from "./storage/document-store.ts";
import { OPERATOR } from "./usecases/console/activity-areas.ts";
import { handOver } from "./usecases/console/hand-over.ts";
import type { ClaimNotice, HearDeps } from "./usecases/console/hear-company.ts";
import type { Mailer } from "./usecases/console/identity-ports.ts";
import type { Claim, ClaimReceivers } from "./usecases/console/verification-ports.ts";
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
    mail: (notice, claim) =>
      guarded({ job: "tell_of_claim" }, JOB_LOG, () => tellOfClaim(env, notice, claim)),
    report: (event) => log({ level: "info", event }),
    attempt: (work) => guarded({ job: "hear_companies" }, JOB_LOG, work),
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

const RECEIVERS: Readonly<Record<ClaimNotice, ClaimReceivers>> = {
  company_contested: "owners",
  ownership_lost: "former_owners",
  claim_granted: "claimant",
  claim_rejected: "claimant",
};

async function tellOfClaim(env: Env, notice: ClaimNotice, claim: Claim): Promise<void> {
  // Its words are loaded with the first such mail: no start of the API needs them.
  const { noticeMail, noticeTime } = await import("./http/console/texts/identity-mails.ts");
  const mailer = mailerOf(env);
  const at = claim.settledAt ?? claim.contestedAt ?? claim.madeAt;
  const facts = { device: undefined, at: noticeTime(at) };
  const receivers = await companyRegister(env.DIRECTORY).receiversOf(claim, RECEIVERS[notice]);
  for (const { email, language } of receivers) {
    const to = {
      to: email,
      product: softwareFrom(env.SOFTWARE).name,
      language: preferredLanguage(language, "es"),
    };
    await mailer.send(noticeMail(notice, facts, to));
  }
}

export function hearJobDeps(bindings: Env): HearCompaniesDeps {
  const { env, budget } = countedRun(bindings);
  return { ...hearDeps(env), budget, ...JOB_LOG };
}

export function forgetProofsDeps(bindings: Env): ForgetProofsDeps {
  const { env, budget } = countedRun(bindings);
  return {
    register: companyRegister(env.DIRECTORY),
    documents: documentStore(env.EVIDENCE),
    now: () => Date.now(),
    budget,
    ...JOB_LOG,
  };
}
