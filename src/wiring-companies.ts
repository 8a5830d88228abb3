import { accountReads } from "./db/accounts/account-reads.ts";
import { accountStore } from "./db/accounts/account-store.ts";
import { companyRegister } from "./db/companies/company-register.ts";
import { documentStore } from "./db/companies/document-store.ts";
import { handOver } from "./db/companies/hand-over.ts";
import type { ClaimNotice, HearDeps } from "./db/companies/hear-company.ts";
import type { Claim, ClaimReceivers } from "./db/companies/verification-ports.ts";
import { databaseOn } from "./db/database.ts";
import type { Mailer } from "./db/people/identity-ports.ts";
import { OPERATOR } from "./domain/connection/activity-areas.ts";
import type { ApiDeployment, SharedDeployment } from "./env.ts";
import { ledgerClient } from "./ledger/client.ts";
import { mailerFor } from "./platform/mailer.ts";
import { countedRun, JOB_LOG, ledgerIn, log, stubDeps } from "./wiring.ts";
import { preferredLanguage } from "./words/words.ts";
import { guarded } from "./work/guarded.ts";
import type { HearCompaniesDeps } from "./work/hear-companies.ts";
import type { ForgetProofsDeps } from "./work/retention/forget-proofs.ts";

/** How the ledger of a company hears of what the directory says of it. */
export function hearDeps(env: SharedDeployment): HearDeps {
  return {
    register: companyRegister(env.DIRECTORY),
    accountsIn: (ledger) => accountStore(ledgerIn(env, ledger)),
    noteIn: (ledger, accountId, line) =>
      accountReads(databaseOn(ledgerIn(env, ledger))).note(accountId, line),
    handOver: ({ accountId, settledAt, madeAt }, ledger) =>
      handOver(
        { accountId, ledger, grantedAt: settledAt ?? madeAt },
        {
          secretsOf: (number, id, before) => accountStore(ledgerIn(env, number)).secretsOf(id, before),
          act: async (connectionId, request) => {
            const owner = ledgerClient(stubDeps(env), connectionId);
            return (await owner.act(connectionId, OPERATOR, request)).outcome === "done";
          },
        },
      ),
    mail: (notice, claim) =>
      guarded({ job: "tell_of_claim" }, JOB_LOG, () => tellOfClaim(env, notice, claim)),
    report: (event) => log({ level: "info", event }),
    attempt: (work) => guarded({ job: "hear_companies" }, JOB_LOG, work),
    now: () => Date.now(),
  };
}

export function mailerOf(env: SharedDeployment): Mailer {
  return mailerFor({
    transport: env.config.MAIL_TRANSPORT,
    from: env.config.MAIL_FROM,
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

async function tellOfClaim(env: SharedDeployment, notice: ClaimNotice, claim: Claim): Promise<void> {
  // Its words are loaded with the first such mail: no start of the API needs them.
  const { noticeMail, noticeTime } = await import("./console/sign-in/texts/identity-mails.ts");
  const mailer = mailerOf(env);
  const at = claim.settledAt ?? claim.contestedAt ?? claim.madeAt;
  const facts = { device: undefined, at: noticeTime(at) };
  const receivers = await companyRegister(env.DIRECTORY).receiversOf(claim, RECEIVERS[notice]);
  for (const { email, language } of receivers) {
    const to = {
      to: email,
      product: env.config.SOFTWARE.name,
      language: preferredLanguage(language, "es"),
    };
    // A mailbox that takes nothing keeps the others from nothing.
    await guarded({ job: "tell_of_claim" }, JOB_LOG, () => mailer.send(noticeMail(notice, facts, to)));
  }
}

export function hearJobDeps(deployment: ApiDeployment): HearCompaniesDeps {
  const { env, budget } = countedRun(deployment);
  return { ...hearDeps(env), budget, ...JOB_LOG };
}

export function forgetProofsDeps(deployment: ApiDeployment): ForgetProofsDeps {
  const { env, budget } = countedRun(deployment);
  return {
    register: companyRegister(env.DIRECTORY),
    documents: documentStore(env.EVIDENCE),
    now: () => Date.now(),
    budget,
    ...JOB_LOG,
  };
}
