/** The dependencies that both Workers build from their bindings. */
import { accountReads, accountStore } from "./db/accounts/account-store.ts";
import { companyRegister } from "./db/companies/company-register.ts";
import type { DueNotice } from "./db/companies/registered-company.ts";
import { handOver, type SyncDeps } from "./db/companies/sync-company.ts";
import { databaseOn } from "./db/database.ts";
import { ledgersOf } from "./db/ledgers.ts";
import { OPERATOR } from "./domain/connection/activity-areas.ts";
import { sha256OfBytes } from "./domain/shared/hash.ts";
import { invariant } from "./domain/shared/result.ts";
import type { SharedDeployment } from "./env.ts";
import { ledgerClient, type StubDeps } from "./ledger/client.ts";
import type { Misconfigured } from "./platform/config.ts";
import { withDeadline } from "./platform/limits.ts";
import { faultOf } from "./platform/log.ts";
import { type Mailer, mailerFor } from "./platform/mailer.ts";
import { noticeMail, noticeTime, preferredLanguage } from "./words/words.ts";
import { guarded, type JobLog } from "./work/budget.ts";

export const randomBytes = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
export const sleep = (delayMs: number) => new Promise<void>((done) => setTimeout(done, delayMs));

export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** Structured lines: every field is chosen one by one, never a whole object with personal data. */
export function log(line: object): void {
  console.log(JSON.stringify(line));
}

export const JOB_LOG: JobLog = { log: log, faultOf };

export function logMisconfigured(fault: Misconfigured, facts: object = {}): void {
  log({ level: "alarm", alarm: "misconfigured", ...fault, ...facts });
}

/** For what one variable serves: it fails alone, with a line for the operator. */
export function misconfigured(variable: string): never {
  logMisconfigured({ variable });
  throw new MisconfiguredError();
}

/** Its line is in the log already. */
export class MisconfiguredError extends Error {
  constructor() {
    super("misconfigured");
    this.name = "MisconfiguredError";
  }
}

/** Objects stay in the EU if the configuration requires it; the only code that names a jurisdiction. */
export function ledgerNamespace({ config, CONNECTION_LEDGER }: SharedDeployment): DurableObjectNamespace {
  return config.JURISDICTION === "eu" ? CONNECTION_LEDGER.jurisdiction("eu") : CONNECTION_LEDGER;
}

/** Access to the objects of connections. */
export function stubDeps(env: SharedDeployment): StubDeps {
  return { namespace: ledgerNamespace(env), now: () => Date.now(), sleep, chance: Math.random };
}

/** The database of the ledger that an id names. */
export function ledgerIn(env: SharedDeployment, ledger: string): D1Database {
  const binding = ledgersOf(env).get(ledger);
  invariant(binding, "the directory names ledgers of the configuration");
  return binding;
}

interface LedgerSize {
  readonly ledger: string;
  readonly sizeBytes: () => Promise<number>;
}

/** The size of each ledger. */
export function ledgerSizes(env: SharedDeployment): readonly LedgerSize[] {
  return [...ledgersOf(env)].map(([ledger, binding]) => ({
    ledger,
    sizeBytes: async () => (await binding.prepare("SELECT 1").bind().run()).meta.size_after,
  }));
}

/** Passes changes in the directory to the ledger of a company. */
export function companySyncDeps(env: SharedDeployment): SyncDeps {
  return {
    register: companyRegister(env.DIRECTORY),
    accountsIn: (ledger) => accountStore(ledgerIn(env, ledger)),
    noteIn: (ledger, accountId, line) =>
      accountReads(databaseOn(ledgerIn(env, ledger))).note(accountId, line),
    handOver: async ({ id: claimId, accountId }, ledger) =>
      handOver(
        { accountId, ledger, owners: await companyRegister(env.DIRECTORY).newOwnersOf(claimId) },
        {
          secretsOf: (number, id, owners) => accountStore(ledgerIn(env, number)).secretsOf(id, owners),
          act: async (connectionId, request) => {
            const owner = ledgerClient(stubDeps(env), connectionId);
            return (await owner.act(connectionId, OPERATOR, request)).outcome === "done";
          },
        },
      ),
    mail: (notice) => mailOfClaim(env, notice),
    report: (event, accountId) =>
      log({ level: event === "directory_behind" ? "warning" : "info", event, account_id: accountId }),
    attempt: (work) => guarded({ job: "hear_companies" }, JOB_LOG, work),
    now: () => Date.now(),
  };
}

export function mailerOf(env: Pick<SharedDeployment, "config" | "MAIL">): Mailer {
  const { MAIL_TRANSPORT: transport, MAIL_FROM: from } = env.config;
  if (from === undefined) return { send: async () => misconfigured("MAIL_FROM") };
  return mailerFor({
    ...{ transport, from },
    print: log,
    sha256: sha256OfBytes,
    ...(env.MAIL ? { binding: env.MAIL } : {}),
  });
}

/** The time for one mail, so that a mailbox that hangs does not hold up the others. */
const MAIL_DEADLINE_MS = 3_000;

/** A failing mailbox must not stop the mails to others. */
async function mailOfClaim(env: SharedDeployment, { notice, eventAt, email, language }: DueNotice) {
  let isSent = false;
  await guarded({ job: "tell_of_claim" }, JOB_LOG, async () => {
    if (email === undefined) return;
    const to = { to: email, product: env.config.SOFTWARE.name, language: preferredLanguage(language, "es") };
    const facts = { device: undefined, at: noticeTime(eventAt) };
    await withDeadline(mailerOf(env).send(noticeMail(notice, facts, to)), MAIL_DEADLINE_MS, after);
    isSent = true;
  });
  return isSent;
}
