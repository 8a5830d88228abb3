import { waitUntil } from "cloudflare:workers";
import { currentSecret, serverSecrets } from "./domain/connection/server-secrets.ts";
import type { Env } from "./env.ts";
import { createConsoleApp } from "./http/console/app.ts";
import type { ConsoleDeps } from "./http/console/deps.ts";
import { SHEET_STYLESHEET } from "./http/viewer/stylesheet.ts";
import { sheetHtml, viewerPdf } from "./http/viewer/viewer.tsx";
import { identityOn } from "./identity/identity.ts";
import { keyedHash } from "./identity/keyed-hash.ts";
import { passwords } from "./identity/passwords.ts";
import { ownerClient } from "./ledger/client.ts";
import { withoutValues } from "./ledger/without-values.ts";
import { accountStore } from "./storage/account-store.ts";
import { consoleReads } from "./storage/console/reads.ts";
import { directoryStore } from "./storage/directory-store.ts";
import { documentStore } from "./storage/document-store.ts";
import { emailStore } from "./storage/login/emails.ts";
import { eventStore } from "./storage/login/events.ts";
import { linkStore } from "./storage/login/links.ts";
import { loginStore } from "./storage/login/logins.ts";
import { passkeyStore } from "./storage/login/passkeys.ts";
import { tryStore } from "./storage/login/tries.ts";
import { memberStore } from "./storage/member-store.ts";
import type { VerifySignature } from "./usecases/console/prove-company.ts";
import type { LoginDeps } from "./usecases/identity/deps.ts";
import { after, appDeps, ledgerIn, ledgerSizes, log, stubDeps } from "./wiring.ts";
import { hearDeps, mailerOf } from "./wiring-companies.ts";
import { submits } from "./wiring-submission.ts";

/** One app per isolate. */
let app: ReturnType<typeof createConsoleApp> | undefined;

export function consoleOn(env: Env): ReturnType<typeof createConsoleApp> {
  app ??= createConsoleApp(consoleDeps(env));
  return app;
}

export function consoleDeps(env: Env): ConsoleDeps {
  const { software, random, failedAuthentication, apiKeySecrets, now, randomId } = appDeps(env, waitUntil);
  return {
    identity: identityOn({
      directory: env.DIRECTORY,
      secrets: serverSecrets(env.SESSION_SECRET),
      consoleUrl: env.CONSOLE_URL,
      product: software.name,
      inBackground: waitUntil,
    }),
    login: loginDeps(env, { product: software.name, random, now }),
    // Of the request that is being answered, whichever others there are beside it.
    inBackground: waitUntil,
    members: memberStore(env.DIRECTORY),
    directory: directoryStore(env.DIRECTORY),
    mailer: mailerOf(env),
    viewer: {
      sheet: (view, options) => ({ html: sheetHtml(view, options), css: SHEET_STYLESHEET }),
      pdf: viewerPdf,
    },
    reads: (ledger) => consoleReads(ledgerIn(env, ledger)),
    accountsIn: (ledger) => accountStore(ledgerIn(env, ledger)),
    documents: documentStore(env.EVIDENCE),
    companies: hearDeps(env),
    verifySignature: env.CERTIFICATE_PROOFS === "on" ? certificateProofs() : undefined,
    ledgers: ledgerSizes(env),
    owner: (connectionId) => ownerClient(stubDeps(env), connectionId),
    wantsRepresentation: submits(env, log).wantsRepresentation,
    environment: env.AEAT_ENVIRONMENT === "production" ? "production" : "test",
    apiUrl: env.API_URL,
    consoleUrl: env.CONSOLE_URL,
    causeOf: withoutValues,
    ...{ software, random, failedAuthentication, apiKeySecrets, now, randomId, log },
  };
}

/** The library that reads certificates is loaded with the first signature. */
function certificateProofs(): VerifySignature {
  return async (...signed) => {
    const { certificateVerifier } = await import("./certificate/verifier.ts");
    return certificateVerifier({ fetch: (url, init) => fetch(url, init), after })(...signed);
  };
}

function loginDeps(env: Env, others: Pick<LoginDeps, "product" | "random" | "now">): LoginDeps {
  return {
    links: linkStore(env.DIRECTORY),
    logins: loginStore(env.DIRECTORY),
    emails: emailStore(env.DIRECTORY),
    passkeys: passkeyStore(env.DIRECTORY),
    tries: tryStore(env.DIRECTORY),
    events: eventStore(env.DIRECTORY),
    passwords,
    keyedHash: keyedHash(currentSecret(serverSecrets(env.SESSION_SECRET))),
    ...others,
  };
}
