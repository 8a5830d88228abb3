import { waitUntil } from "cloudflare:workers";
import { serverSecrets } from "./domain/connection/server-secrets.ts";
import type { Env } from "./env.ts";
import { createConsoleApp } from "./http/console/app.ts";
import type { ConsoleDeps } from "./http/console/deps.ts";
import { preferredLanguage } from "./http/language.ts";
import { SHEET_STYLESHEET } from "./http/viewer/stylesheet.ts";
import { sheetHtml, viewerPdf } from "./http/viewer/viewer.tsx";
import { identityOn } from "./identity/identity.ts";
import { ownerClient } from "./ledger/client.ts";
import { withoutValues } from "./ledger/without-values.ts";
import { mailerFor } from "./mail/mailer.ts";
import { accountStore } from "./storage/account-store.ts";
import { consoleReads } from "./storage/console/reads.ts";
import { directoryStore } from "./storage/directory-store.ts";
import { documentStore } from "./storage/document-store.ts";
import { attempts, resetLinks } from "./storage/identity-store.ts";
import { memberStore } from "./storage/member-store.ts";
import type { VerifySignature } from "./usecases/console/prove-company.ts";
import { after, appDeps, ledgerIn, ledgerSizes, log, stubDeps } from "./wiring.ts";
import { hearDeps } from "./wiring-companies.ts";
import { submits } from "./wiring-submission.ts";

/** One app per isolate. */
let app: ReturnType<typeof createConsoleApp> | undefined;

export function consoleOn(env: Env): ReturnType<typeof createConsoleApp> {
  app ??= createConsoleApp(consoleDeps(env));
  return app;
}

export function consoleDeps(env: Env): ConsoleDeps {
  const { software, random, failedAuthentication, apiKeySecrets, now, randomId } = appDeps(env, waitUntil);
  const mailer = mailerFor({
    transport: env.MAIL_TRANSPORT,
    from: env.MAIL_FROM,
    print: log,
    ...(env.MAIL ? { binding: env.MAIL } : {}),
  });
  return {
    identity: identityOn({
      directory: env.DIRECTORY,
      mailer,
      attempts: attempts(env.DIRECTORY),
      resetLinks: resetLinks(env.DIRECTORY),
      secrets: serverSecrets(env.SESSION_SECRET),
      consoleUrl: env.CONSOLE_URL,
      product: software.name,
      now,
      // Of the request that is being answered, whichever others there are beside it.
      inBackground: waitUntil,
      languageOf: (headers) => preferredLanguage(headers.get("Accept-Language") ?? undefined, "es"),
    }),
    members: memberStore(env.DIRECTORY),
    directory: directoryStore(env.DIRECTORY),
    mailer,
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
