import type { AppDeps } from "./api/deps.ts";
import { forgedPlaces } from "./api/forged-places.ts";
import { knownKeys, noting, shapelessBodies } from "./api/known-keys.ts";
import { type SnapshotStore, snapshotStore } from "./db/access/snapshot-store.ts";
import { accountStore, directoryStore } from "./db/accounts/account-store.ts";
import { brandFiles } from "./db/accounts/brand-files.ts";
import { proofStore } from "./db/books/proof-store.ts";
import { companyRegister } from "./db/companies/company-register.ts";
import { countedBinding } from "./db/database.ts";
import { dueStore } from "./db/due/due-store.ts";
import { entryFillStore } from "./db/entries/entry-fill-store.ts";
import { signedFacturaeStore } from "./db/invoices/signed-facturae.ts";
import { ledgerStore } from "./db/ledger-store.ts";
import {
  bindingOfLedger,
  type Health,
  healthOf,
  isFresh,
  keptReport,
  ledgerForConnection,
  ledgersOf,
  withoutObjects,
} from "./db/ledgers.ts";
import { forgetExpired, QUERIES_OF_EXPIRED } from "./db/people/identity-store.ts";
import { isProvenAddress } from "./db/people/proven-address.ts";
import { rateStore } from "./db/rates/rate-store.ts";
import { agedStore, retentionStore } from "./db/retention/retention-store.ts";
import { backfillStore } from "./db/shops/backfill-store.ts";
import { bodyStore } from "./db/shops/body-store.ts";
import { deliveryStore } from "./db/shops/delivery-store.ts";
import { webhookTaskStore } from "./db/shops/webhook-store.ts";
import { shopWorkStore } from "./db/shops/work-store.ts";
import { documentStore } from "./db/submission/evidence-store.ts";
import { rejectedStore, submissionStatusStore } from "./db/submission/submission-status.ts";
import { ledgerOf, newId } from "./domain/connection/ids.ts";
import { currentSecret } from "./domain/connection/server-secrets.ts";
import { placeOfAddress, shopAddress } from "./domain/connection/shop-address.ts";
import { CRON } from "./domain/limits.ts";
import type { MailResult } from "./domain/mailing/invoice-delivery.ts";
import { invariant } from "./domain/shared/result.ts";
import { mapOrder as magentoOrder } from "./domain/shop/magento/magento.ts";
import { mapOrder as prestashopOrder } from "./domain/shop/prestashop/prestashop.ts";
import { mapOrder as shopifyOrder } from "./domain/shop/shopify/shopify.ts";
import { mapOrder as wooOrder } from "./domain/shop/woocommerce/woocommerce.ts";
import { type ApiDeployment, type ApiEnv, apiDeployment } from "./env.ts";
import { ledgerClient, serviceStub } from "./ledger/client.ts";
import type { LedgerDeps } from "./ledger/core/core.ts";
import { type Ledger, openLedger } from "./ledger/core/ledger.ts";
import { bookReads, ProofReads, type ProofReadsDeps } from "./ledger/core/proof-reads.ts";
import type { BookReads } from "./ledger/rpc.ts";
import { facturaeFiles, type MakeFacturae } from "./platform/facturae-file.ts";
import { D1_DEADLINE_MS, withDeadline } from "./platform/limits.ts";
import { mailFaultOf } from "./platform/mailer.ts";
import { vaultOf } from "./platform/vault.ts";
import { turns } from "./shops/ask.ts";
import { shopApis } from "./shops/shop-apis.ts";
import {
  after,
  companySyncDeps,
  JOB_LOG,
  ledgerNamespace,
  ledgerSizes,
  log,
  logMisconfigured,
  mailerOf,
  misconfigured,
  randomBytes,
  sleep,
  stubDeps,
} from "./wiring-both.ts";
import { evidenceOn, type SubmissionDeployment, submissionDeps, submits } from "./wiring-submission.ts";
import { type Budget, guarded, newBudget } from "./work/budget.ts";
import type { FillEntriesDeps } from "./work/entries/fill-entries.ts";
import type { FinishAccountsDeps } from "./work/finish-accounts.ts";
import { ecbSource, type UpdateRatesDeps } from "./work/rates/update-rates.ts";
import type { ForgetDeps, ForgetProofsDeps } from "./work/retention/forget.ts";
import type { RetireJobDeps } from "./work/retention/retire-year.ts";
import { messageSender } from "./work/send-message.ts";
import type { SweepDeps, WatchLedgersDeps } from "./work/sweep.ts";
import type { SyncCompaniesDeps } from "./work/sync-companies.ts";

/** Each platform adds its mapper here. */
const MAPPERS: LedgerDeps["shops"]["mappers"] = {
  woocommerce: wooOrder,
  shopify: shopifyOrder,
  prestashop: prestashopOrder,
  magento: magentoOrder,
};

const SNAPSHOT_DEADLINE_MS = 2_000;

/** The books of one connection over the D1 database that its id names. */
export function ledgerOn(
  env: ApiEnv,
  connectionId: string,
  ofObject: Pick<LedgerDeps, "wakeAt" | "mark" | "sentTests">,
): Ledger {
  const binding = ledgerForConnection(ledgersOf(env), connectionId);
  const ledger = ledgerOf(connectionId, "cn");
  invariant(binding && ledger !== undefined, "a connection's id names a ledger of the configuration");
  return openLedger(ledgerDeps(configured(env), binding, { connectionId, ledger, ...ofObject }));
}

/** For the object: a wrong configuration ends the call, and the caller answers with 503. */
function configured(env: ApiEnv): ApiDeployment {
  const deployment = apiDeployment(env);
  if (deployment.ok) return deployment.value;
  return misconfigured(deployment.error.variable);
}

interface ConnectionPlace extends Pick<LedgerDeps, "ledger" | "wakeAt" | "mark" | "sentTests"> {
  readonly connectionId: string;
}

/** A ledger beside the product, as of a measurement, has no directory: then no address is known. */
type LedgerDeployment = SubmissionDeployment & Partial<Pick<ApiDeployment, "DIRECTORY" | "MAIL">>;

export function ledgerDeps(
  deployment: LedgerDeployment,
  binding: D1Database,
  { connectionId, ledger, wakeAt, mark, sentTests }: ConnectionPlace,
): LedgerDeps {
  const { config } = deployment;
  const { SOFTWARE: software } = config;
  const userAgent = `${software.name}/${software.version}`;
  return {
    connectionId,
    store: ledgerStore(binding, connectionId),
    declined: rejectedStore(binding, connectionId),
    withDeadline: (call) => withDeadline(call, D1_DEADLINE_MS, after),
    now: () => Date.now(),
    random: randomBytes,
    software,
    ledger,
    wakeAt,
    mark,
    defaultRateLimit: config.DEFAULT_RATE_LIMIT,
    ...(sentTests ? { sentTests } : {}),
    jitter: () => sleep(5 + Math.random() * 45),
    after,
    alertOperator: (what, facts) =>
      log({ level: "alarm", alarm: what, connection_id: connectionId, ...facts }),
    log: (line) => log({ ...line, connection_id: connectionId }),
    chance: Math.random,
    callbackPolicy: callbackPolicyOf(config),
    shops: shopDepsOf(deployment, binding, connectionId),
    facturae: facturaeOn(deployment),
    send: messageSender({ fetch: (url, init) => fetch(url, init), after, userAgent }),
    invoiceMailer: invoiceMailerOn(deployment),
    submission: submissionDeps(deployment, binding, {
      ...{ connectionId, userAgent, after, log },
      newOwner: () => newId("at", ledger, randomBytes),
    }),
  };
}

function shopDepsOf(
  { config, EVIDENCE }: SubmissionDeployment,
  binding: D1Database,
  connectionId: string,
): LedgerDeps["shops"] {
  const { SHOP_SECRETS: secrets, SANDBOX_SHOPS_URL: sandbox, API_KEY_SECRETS: keySecrets } = config;
  const inEvidence = <T>(call: Promise<T>) => withDeadline(call, D1_DEADLINE_MS, after);
  return {
    vault: secrets.length > 0 ? vaultOf(connectionId, secrets, randomBytes) : NO_VAULT,
    sandbox,
    mappers: MAPPERS,
    deliveries: deliveryStore(binding, connectionId),
    work: shopWorkStore(binding, connectionId),
    backfills: backfillStore(binding, connectionId),
    webhookTasks: webhookTaskStore(binding, connectionId),
    addresses: {
      of: (platform, nonce) => shopAddress(platform, { connectionId, nonce }, currentSecret(keySecrets)),
      placeOf: (platform, address) => placeOfAddress(platform, address, keySecrets),
    },
    apis: shopApis({
      fetch: (url, init) => fetch(url, init),
      ...{ after, now: () => Date.now(), inTurn: turns({ now: () => Date.now(), sleep }) },
      userAgent: `${config.SOFTWARE.name}/${config.SOFTWARE.version}`,
    }),
    bodies: bodyStore(EVIDENCE, inEvidence),
  };
}

/** Reads of the directory and calls of the mail service end in time, so that no mail holds up the others. */
const MAIL_DEADLINE_MS = 20_000;

function invoiceMailerOn(deployment: LedgerDeployment): LedgerDeps["invoiceMailer"] {
  const { config, DIRECTORY, EVIDENCE } = deployment;
  const { name, version } = config.SOFTWARE;
  const brand = brandFiles(EVIDENCE, (call) => withDeadline(call, D1_DEADLINE_MS, after));
  const inTime = <T>(call: Promise<T>) => withDeadline(call, MAIL_DEADLINE_MS, after);
  const facturae = facturaeOn(deployment);
  return {
    async send({ id, to, language, formats }, { view, order, look }, replyTo) {
      const options = {
        ...{ to, language, formats, messageId: id },
        ...(order ? { order } : {}),
        ...(replyTo === undefined ? {} : { replyTo }),
      };
      const printed = await brand.printed(look);
      // Loaded with the first mail: Node, which writes the demo data with a ledger, reads no TSX.
      const { customerMail } = await import("./viewer/viewer.tsx");
      const mail = await customerMail(view, options, { creator: `${name} ${version}`, facturae, ...printed });
      return resultOf(() => inTime(mailerOf(deployment).send(mail)));
    },
    isOwnAddress: async (accountId, address) =>
      DIRECTORY !== undefined && inTime(isProvenAddress(DIRECTORY, accountId, address)),
  };
}

/** Only what the service says about the address, or about the size, ends a mail at once. */
async function resultOf(send: () => Promise<void>): Promise<MailResult> {
  try {
    await send();
    return { result: "taken" };
  } catch (error) {
    const { fault, code } = mailFaultOf(error);
    if (fault === "address_refused" || fault === "too_large") return { result: "refused", error: fault };
    if (fault === "misconfigured") log({ level: "alarm", alarm: "mail_service_refuses", code });
    return { result: "not_taken" };
  }
}

/** Without a secret to seal with, the verbs and deliveries of shops fail alone. */
const NO_VAULT: LedgerDeps["shops"]["vault"] = {
  seal: async () => misconfigured("SHOP_SECRETS"),
  open: async () => misconfigured("SHOP_SECRETS"),
};

/** Undefined while the own hosts are unknown: then no customer's address is called. */
function callbackPolicyOf(config: ApiDeployment["config"]): LedgerDeps["callbackPolicy"] {
  const { OWN_HOSTS: hosts, CONSOLE_URL, CALLBACKS_TO_LOOPBACK: allowLoopback } = config;
  if (hosts) return { ownHosts: [new URL(CONSOLE_URL).hostname, ...hosts], allowLoopback };
  logMisconfigured({ variable: "OWN_HOSTS" });
  return undefined;
}

/** `inBackground` comes from the runtime; operators' commands, which load this file in Node, have none. */
export function appDeps(env: ApiDeployment, inBackground: AppDeps["inBackground"]): AppDeps {
  const { config } = env;
  const keys = knownKeys();
  return {
    connection: keptClients((connectionId) =>
      noting(ledgerClient(stubDeps(env), connectionId), keys, Date.now),
    ),
    keys,
    shapeless: shapelessBodies(),
    forged: forgedPlaces(),
    apiKeySecrets: config.API_KEY_SECRETS,
    now: () => Date.now(),
    randomId: () => crypto.randomUUID(),
    log,
    failedAuthentication: env.FAILED_AUTHENTICATION_LIMIT,
    views: { byLink: env.LOOKS_BY_LINK_LIMIT, byNetwork: env.LOOKS_BY_NETWORK_LIMIT },
    health: healthFrom(env),
    inBackground,
    software: config.SOFTWARE,
    consoleUrl: config.CONSOLE_URL,
    viewerTokenSecrets: config.VIEWER_TOKEN_SECRETS,
    random: randomBytes,
    snapshots: inTime(snapshotStore(env.VIEWER_TOKENS, randomBytes)),
    facturae: facturaeOn(env),
    brand: brandFiles(env.EVIDENCE, (call) => withDeadline(call, D1_DEADLINE_MS, after)),
  };
}

/** R2 may be slow or down: then a file is signed anew. */
const FACTURAE_DEADLINE_MS = 2_000;

function signedFacturaeOn({ EVIDENCE }: Pick<ApiDeployment, "EVIDENCE">) {
  return signedFacturaeStore(EVIDENCE, (call) => withDeadline(call, FACTURAE_DEADLINE_MS, after));
}

export function facturaeOn(env: Pick<ApiDeployment, "EVIDENCE" | "config">): MakeFacturae {
  return facturaeFiles({
    signer: env.config.FACTURAE_SIGNER,
    software: env.config.SOFTWARE,
    kept: signedFacturaeOn(env),
    now: () => Date.now(),
    alert: (fault) => log({ level: "alarm", alarm: "facturae_signature", fault }),
  });
}

const MOST_CLIENTS = 500;

/** A client has a function for each call; making all of them for every request took 3 % of its time. */
function keptClients<Client>(make: (connectionId: string) => Client): (connectionId: string) => Client {
  const clients = new Map<string, Client>();
  return (connectionId) => {
    const client = clients.get(connectionId) ?? make(connectionId);
    clients.delete(connectionId);
    clients.set(connectionId, client);
    const [oldest] = clients.keys();
    if (clients.size > MOST_CLIENTS && oldest !== undefined) clients.delete(oldest);
    return client;
  };
}

/** The object's report about all parts; this isolate keeps the last one between two reads. */
function healthFrom(env: ApiDeployment): HealthCheck {
  let last: Health | undefined;
  return async () => {
    if (isFresh(last, Date.now())) return last;
    last = await serviceStub(ledgerNamespace(env), "health")
      .health()
      .catch(() => withoutObjects(Date.now()));
    return last;
  };
}

export type HealthCheck = () => Promise<Health>;

/** The health check of the object that measures. */
export function healthCheckOn(env: ApiEnv): HealthCheck {
  return keptReport(() => healthOf(ledgersOf(env), env.DIRECTORY, Date.now), Date.now);
}

/** Calls to the cache have a deadline, because requests must not wait long for it. */
function inTime({ read, keep, readFile, keepFile }: SnapshotStore): SnapshotStore {
  const soon = <T>(call: Promise<T>) => withDeadline(call, SNAPSHOT_DEADLINE_MS, after);
  return {
    read: (token) => soon(read(token)),
    keep: (token, documents) => soon(keep(token, documents)),
    readFile: (token, name) => soon(readFile(token, name)),
    keepFile: (token, name, file) => soon(keepFile(token, name, file)),
  };
}

interface CountedRun {
  readonly env: ApiDeployment;
  readonly budget: Budget;
}

/** The same bindings for one job, with a limit on its database queries. */
export function countedRun(env: ApiDeployment): CountedRun {
  let d1Queries = 0;
  const count = () => {
    d1Queries += 1;
  };
  const databases = [["DIRECTORY", env.DIRECTORY] as const].concat(
    [...ledgersOf(env)].map(([ledger, binding]) => [bindingOfLedger(ledger), binding] as never),
  );
  const counted = databases.map(([name, binding]) => [name, countedBinding(binding, count)]);
  return {
    env: { ...env, ...Object.fromEntries(counted) },
    budget: newBudget(
      () => Date.now(),
      () => d1Queries,
    ),
  };
}

export function jobDeps(deployment: ApiDeployment): FinishAccountsDeps {
  const { env, budget } = countedRun(deployment);
  const stores = new Map([...ledgersOf(env)].map(([ledger, binding]) => [ledger, accountStore(binding)]));
  return {
    directory: directoryStore(env.DIRECTORY),
    accountsIn: (ledger) => {
      const store = stores.get(ledger);
      invariant(store, "the directory names ledgers of the configuration");
      return store;
    },
    ledgers: [...stores].map(([ledger, store]) => ({ ledger, ...store })),
    now: () => Date.now(),
    budget,
    ...JOB_LOG,
  };
}

export function watchDeps(deployment: ApiDeployment): WatchLedgersDeps & { readonly budget: Budget } {
  const { env, budget } = countedRun(deployment);
  return { ledgers: ledgerSizes(env), budget, ...JOB_LOG };
}

export function sweepDeps(deployment: ApiDeployment): SweepDeps {
  const { env, budget } = countedRun(deployment);
  const namespace = ledgerNamespace(env);
  return {
    ledgers: [...ledgersOf(env)].map(([ledger, binding]) => ({
      ledger,
      ...dueStore(binding, {
        ...submits(env, log),
        mayCallOut: deployment.config.OWN_HOSTS !== undefined,
      }),
    })),
    wake: (connectionId) => serviceStub(namespace, connectionId).wakeUp(connectionId),
    now: () => Date.now(),
    budget,
    ...JOB_LOG,
  };
}

export function forgetDeps(deployment: ApiDeployment): ForgetDeps {
  const { env, budget } = countedRun(deployment);
  return {
    ledgers: [...ledgersOf(env)].map(([ledger, binding]) => ({ ledger, ...agedStore(binding) })),
    bodies: bodyStore(env.EVIDENCE, (call) => withDeadline(call, D1_DEADLINE_MS, after)),
    directory: {
      forgetExpired: (now, limit) => forgetExpired(env.DIRECTORY, now, limit),
      queries: QUERIES_OF_EXPIRED,
    },
    now: () => Date.now(),
    budget,
    ...JOB_LOG,
  };
}

export function retireDeps(deployment: ApiDeployment): RetireJobDeps {
  const { env, budget } = countedRun(deployment);
  return {
    ledgers: [...ledgersOf(env)].map(([ledger, binding]) => ({ ledger, store: retentionStore(binding) })),
    evidence: evidenceOn(env, after),
    facturae: signedFacturaeStore(env.EVIDENCE, (call) => withDeadline(call, D1_DEADLINE_MS, after)),
    now: () => Date.now(),
    budget,
    ...JOB_LOG,
  };
}

export function fillDeps(deployment: ApiDeployment): FillEntriesDeps {
  const { env, budget } = countedRun(deployment);
  const ledgers = [...ledgersOf(env)].map(([ledger, d1]) => ({ ledger, store: entryFillStore(d1) }));
  return { ledgers, now: () => Date.now(), budget, ...JOB_LOG };
}

export function syncJobDeps(deployment: ApiDeployment): SyncCompaniesDeps {
  const { env, budget } = countedRun(deployment);
  return { ...companySyncDeps(env), budget, ...JOB_LOG };
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

/** Reads of the whole books of one connection by an owner. */
export function bookReadsOn(env: ApiEnv, connectionId: string): BookReads {
  return bookReads(() => proofOn(env, connectionId));
}

function proofOn(env: ApiEnv, connectionId: string): ProofReads {
  const binding = ledgerForConnection(ledgersOf(env), connectionId);
  const ledger = ledgerOf(connectionId, "cn");
  invariant(binding && ledger !== undefined, "a connection's id names a ledger of the configuration");
  return new ProofReads(proofDeps(configured(env), binding, { connectionId, ledger }));
}

export function proofDeps(
  deployment: SubmissionDeployment,
  binding: D1Database,
  { connectionId, ledger }: Omit<ConnectionPlace, "wakeAt" | "mark">,
): ProofReadsDeps {
  return {
    connectionId,
    ledger,
    store: { ...proofStore(binding, connectionId), ...submissionStatusStore(binding, connectionId) },
    withDeadline: (call) => withDeadline(call, D1_DEADLINE_MS, after),
    now: () => Date.now(),
    random: randomBytes,
    jitter: () => sleep(5 + Math.random() * 45),
    alertOperator: (what, facts) =>
      log({ level: "alarm", alarm: what, connection_id: connectionId, ...facts }),
    wantsRepresentation: submits(deployment, log).wantsRepresentation,
  };
}

export function ratesDeps(deployment: ApiDeployment): UpdateRatesDeps & { readonly budget: Budget } {
  const { env, budget } = countedRun(deployment);
  return {
    ledgers: [...ledgersOf(env)].map(([ledger, binding]) => ({ ledger, ...rateStore(binding) })),
    source: rateSourceOf(env.config.ECB_BASE_URL),
    now: () => Date.now(),
    budget,
    ...JOB_LOG,
  };
}

function rateSourceOf(baseUrl: string | undefined): UpdateRatesDeps["source"] {
  if (baseUrl === undefined) return { fetch: async () => misconfigured("ECB_BASE_URL") };
  return ecbSource({ fetch: (url, init) => fetch(url, init), baseUrl, after });
}

/** One job of cron; if it fails, the next one still runs. */
export async function runJob<Deps extends { readonly budget: Budget }>(
  name: string,
  deps: Deps,
  job: (deps: Deps) => Promise<number>,
): Promise<void> {
  await guarded({ job: name }, JOB_LOG, async () => {
    const left = await withDeadline(job(deps), CRON.deadlineMs, after);
    log({ level: "info", event: "job_done", job: name, ...deps.budget.spent(), left });
  });
}
