import { waitUntil } from "cloudflare:workers";
import { accountStore, directoryStore } from "../db/accounts/account-store.ts";
import { brandFiles } from "../db/accounts/brand-files.ts";
import { eventStore, loginStore, passkeyStore } from "../db/login/logins.ts";
import { emailStore, linkStore } from "../db/login/mailed-links.ts";
import { secondFactorStore } from "../db/login/second-factor.ts";
import { tryStore } from "../db/login/tries.ts";
import { memberStore } from "../db/people/member-store.ts";
import { bodyStore } from "../db/shops/body-store.ts";
import { documentStore } from "../db/submission/evidence-store.ts";
import { wantsRepresentation } from "../domain/connection/consent.ts";
import { currentSecret } from "../domain/connection/server-secrets.ts";
import type { OwnerDeployment } from "../env.ts";
import { ledgerClient } from "../ledger/client.ts";
import { factorSealOf } from "../platform/factor-seal.ts";
import { D1_DEADLINE_MS, withDeadline } from "../platform/limits.ts";
import { accentStyle, SHEET_STYLESHEET } from "../viewer/stylesheet.ts";
import { sheetHtml, viewerPdf } from "../viewer/viewer.tsx";
import {
  after,
  companySyncDeps,
  ledgerIn,
  ledgerSizes,
  log,
  mailerOf,
  randomBytes,
  stubDeps,
} from "../wiring-both.ts";
import { createConsoleApp } from "./app.ts";
import { certificateVerifier } from "./company/certificate/verifier.ts";
import type { ConsoleDeps } from "./deps.ts";
import { consoleReads } from "./reads.ts";
import type { LoginDeps } from "./sign-in/deps.ts";
import { identityOn } from "./sign-in/identity.ts";
import { passwords } from "./sign-in/passwords.ts";
import { keyedHash } from "./sign-in/tokens.ts";

/** One app per isolate. */
let app: ReturnType<typeof createConsoleApp> | undefined;

export function consoleOn(env: OwnerDeployment): ReturnType<typeof createConsoleApp> {
  app ??= createConsoleApp(consoleDeps(env));
  return app;
}

export function consoleDeps(env: OwnerDeployment): ConsoleDeps {
  const { config } = env;
  const now = () => Date.now();
  return {
    identity: identityOn({
      directory: env.DIRECTORY,
      secrets: config.SESSION_SECRET,
      consoleUrl: config.CONSOLE_URL,
      product: config.SOFTWARE.name,
      inBackground: waitUntil,
    }),
    login: loginDeps(env, { product: config.SOFTWARE.name, random: randomBytes, now }),
    // The request that is being answered, even if others run at the same time.
    inBackground: waitUntil,
    members: memberStore(env.DIRECTORY),
    directory: directoryStore(env.DIRECTORY),
    mailer: mailerOf(env),
    viewer: {
      sheet: (view, options) => ({
        html: sheetHtml(view, options),
        css: `${SHEET_STYLESHEET}${options.look?.accent ? accentStyle(options.look.accent.printed) : ""}`,
      }),
      pdf: viewerPdf,
    },
    brand: brandFiles(env.EVIDENCE, (call) => withDeadline(call, D1_DEADLINE_MS, after)),
    reads: (ledger) => consoleReads(ledgerIn(env, ledger)),
    accountsIn: (ledger) => accountStore(ledgerIn(env, ledger)),
    documents: documentStore(env.EVIDENCE),
    shopBodies: bodyStore(env.EVIDENCE, (call) => withDeadline(call, D1_DEADLINE_MS, after)),
    companies: companySyncDeps(env),
    verifySignature: config.CERTIFICATE_PROOFS
      ? certificateVerifier({ fetch: (url, init) => fetch(url, init), after })
      : undefined,
    ledgers: ledgerSizes(env),
    owner: (connectionId) => ledgerClient(stubDeps(env), connectionId),
    wantsRepresentation: wantsRepresentation(config.AEAT_TRANSPORT),
    environment: config.AEAT_ENVIRONMENT,
    apiUrl: config.API_URL,
    consoleUrl: config.CONSOLE_URL,
    supportEmail: config.SUPPORT_EMAIL,
    software: config.SOFTWARE,
    random: randomBytes,
    failedAuthentication: env.FAILED_AUTHENTICATION_LIMIT,
    apiKeySecrets: config.API_KEY_SECRETS,
    randomId: () => crypto.randomUUID(),
    ...{ now, log },
  };
}

function loginDeps(env: OwnerDeployment, others: Pick<LoginDeps, "product" | "random" | "now">): LoginDeps {
  const [, ...older] = env.config.SESSION_SECRET;
  return {
    links: linkStore(env.DIRECTORY),
    logins: loginStore(env.DIRECTORY),
    emails: emailStore(env.DIRECTORY),
    passkeys: passkeyStore(env.DIRECTORY),
    tries: tryStore(env.DIRECTORY),
    events: eventStore(env.DIRECTORY),
    factors: secondFactorStore(env.DIRECTORY),
    factorSeal: factorSealOf(env.config.SESSION_SECRET, randomBytes),
    passwords,
    keyedHash: keyedHash(currentSecret(env.config.SESSION_SECRET)),
    olderHashes: (kind, text) => older.map((secret) => keyedHash(secret)(kind, text)),
    ...others,
  };
}
