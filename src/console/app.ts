import { type Context, Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { errorResponse } from "../api/wire/json.ts";
import { boundedBody, tooLarge } from "../api/wire/request-body.ts";
import { BODY_BYTES } from "../domain/limits.ts";
import { faultOf } from "../platform/log.ts";
import { guardData } from "../platform/security-headers.ts";
import { type Bilingual, preferredLanguage } from "../words/words.ts";
import { activityRoutes } from "./activity/routes.ts";
import { lookRoutes } from "./company/look-routes.ts";
import { claimRoutes, proofRoutes } from "./company/proofs.ts";
import { companyOpening, companyRoutes } from "./company/routes.ts";
import {
  connectionList,
  connectionOpening,
  connectionRoutes,
  declarationRoutes,
  keyRoutes,
  webhookRoutes,
} from "./connections/routes.ts";
import type { ConsoleDeps, ConsoleEnv } from "./deps.ts";
import { draftRoutes } from "./drafts/routes.ts";
import { findRoutes } from "./find/routes.ts";
import { accountGate, connectionGate, ownPagesOnly, TAKES_DOCUMENT, TAKES_LOGO } from "./gates.ts";
import { lineRoutes } from "./invoices/rectified-lines.ts";
import { invoiceChangeRoutes, invoiceListRoutes, invoiceRoutes } from "./invoices/routes.ts";
import { mailingRoutes, mailRoutes } from "./mailing/routes.ts";
import { erasureRoutes } from "./orders/erasure.ts";
import { questionRoutes } from "./orders/questions.ts";
import {
  answerRoutes,
  manyAnswersRoutes,
  orderListRoutes,
  orderRoutes,
  reviewRoutes,
  similarRoutes,
  waitingRoutes,
} from "./orders/routes.ts";
import { overviewRoutes } from "./overview/routes.ts";
import { invitationRoutes, meRoutes, peopleRoutes } from "./people/routes.ts";
import { refuse } from "./refuse.ts";
import { rememberedRoutes } from "./sales/remembered.ts";
import { profileRoutes, sellingList } from "./sales/routes.ts";
import { evidenceRoutes } from "./setup/evidence.ts";
import { consentRoutes, representationRoutes, setupRoutes } from "./setup/routes.ts";
import { backfillRoutes } from "./shop/backfill-routes.ts";
import { backfillTotalsRoutes } from "./shop/backfill-totals.ts";
import { documentRoutes } from "./shop/document.ts";
import { shopRoutes } from "./shop/routes.ts";
import { seenRoutes } from "./shop/seen.ts";
import { authRoutes } from "./sign-in/routes.ts";
import { submissionOfConnection, submissionRoutes } from "./submission/routes.ts";

/** Routes of the account. */
const settingsArea = new Hono<ConsoleEnv>()
  .route("/", connectionList)
  .route("/", sellingList)
  .route("/", rememberedRoutes)
  .route("/", companyRoutes)
  .route("/", lookRoutes)
  .route("/", activityRoutes);

const settingsOfConnection = new Hono<ConsoleEnv>()
  .route("/", connectionRoutes)
  .route("/", evidenceRoutes)
  .route("/", keyRoutes)
  .route("/", profileRoutes)
  .route("/", webhookRoutes)
  .route("/", shopRoutes)
  .route("/", backfillRoutes)
  .route("/", backfillTotalsRoutes)
  .route("/", documentRoutes)
  .route("/", seenRoutes)
  .route("/", mailingRoutes)
  .route("/", erasureRoutes);

/** Routes of the account. */
const invoicesArea = new Hono<ConsoleEnv>()
  .route("/", overviewRoutes)
  .route("/", findRoutes)
  .route("/", invoiceListRoutes)
  .route("/", invoiceRoutes)
  .route("/", invoiceChangeRoutes)
  .route("/", lineRoutes)
  .route("/", mailRoutes)
  .route("/", draftRoutes)
  .route("/", submissionRoutes);

const invoicesOfConnection = new Hono<ConsoleEnv>().route("/", submissionOfConnection);

/** Routes of the account. */
const ordersArea = new Hono<ConsoleEnv>()
  .route("/", orderListRoutes)
  .route("/", reviewRoutes)
  .route("/", questionRoutes)
  .route("/", manyAnswersRoutes);

const ordersOfConnection = new Hono<ConsoleEnv>()
  .route("/", orderRoutes)
  .route("/", answerRoutes)
  .route("/", similarRoutes)
  .route("/", waitingRoutes);

const setupOfConnection = new Hono<ConsoleEnv>()
  .route("/", setupRoutes)
  .route("/", consentRoutes)
  .route("/", representationRoutes);

const NO_BODY: Bilingual = { en: "it is empty", es: "está vacío" };

/** Hono itself refuses a body that is not JSON. */
function malformed(c: Context<ConsoleEnv>): Response {
  const { language, requestId, jsonFault = NO_BODY } = c.var;
  c.set("errorCode", "malformed_json");
  return errorResponse({ language, requestId }, "malformed_json", { facts: { detail: jsonFault } });
}

function largestBody(path: string): number {
  if (TAKES_DOCUMENT.test(path)) return BODY_BYTES.proofDocument;
  if (TAKES_LOGO.test(path)) return BODY_BYTES.logo;
  if (path === "/api/auth/passkey/verify-registration") return BODY_BYTES.newPasskey;
  return path.startsWith("/api/auth/") ? BODY_BYTES.signIn : BODY_BYTES.console;
}

/** Routes of one connection, after the account's and the connection's checks. */
const ofConnection = new Hono<ConsoleEnv>()
  .use(connectionGate)
  .route("/", invoicesOfConnection)
  .route("/", ordersOfConnection)
  .route("/", settingsOfConnection)
  .route("/", setupOfConnection);

/** Routes of one account, after the membership check. */
const ofAccount = new Hono<ConsoleEnv>()
  .use(accountGate)
  .route("/", peopleRoutes)
  .route("/", proofRoutes)
  .route("/", connectionOpening)
  .route("/", invoicesArea)
  .route("/", ordersArea)
  .route("/", settingsArea)
  .route("/connections/:connection", ofConnection);

/** The owner's API; the browser's calls are typed by it. */
const routes = new Hono<ConsoleEnv>()
  .basePath("/api")
  .route("/auth", authRoutes)
  .route("/me", meRoutes)
  .route("/invitations", invitationRoutes)
  .route("/claims", claimRoutes)
  .route("/declaration", declarationRoutes)
  .route("/accounts", companyOpening)
  .route("/accounts/:account", ofAccount);

export type ConsoleApp = typeof routes;

/** The console's Worker app: only the Pages Function reaches it. */
export function createConsoleApp(deps: ConsoleDeps): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.use(async (c, next) => {
    c.set("deps", deps);
    c.set("language", preferredLanguage(c.req.header("Accept-Language"), "es"));
    await next();
    // Pages adds its headers to static files only; this response is data, and no cache may keep it.
    guardData(c.res.headers);
  });
  app.use(consoleRequestId, consoleLog);
  app.use(
    boundedBody(
      (c) => largestBody(c.req.path),
      (c, mostBytes) => refuse(c, "payload_too_large", tooLarge(mostBytes, c.var.language)),
    ),
  );
  app.use(ownPagesOnly);
  app.route("/", routes);
  app.notFound((c) => refuse(c, "not_found"));
  app.onError((error, c) => {
    const { language, requestId } = c.var;
    if (error instanceof HTTPException) return error.res ?? malformed(c);
    c.set("errorCode", "internal_error");
    const { cause, frames } = faultOf(error);
    c.set("failureCause", cause);
    c.set("frames", frames);
    return errorResponse({ language, requestId }, "internal_error");
  });
  return app;
}

/** Always a new id: a browser sends none. */
const consoleRequestId: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const id = c.var.deps.randomId();
  c.set("requestId", id);
  await next();
  c.res.headers.set("X-Request-Id", id);
};

/** Exactly one line per request, with the route's pattern: the address could contain personal data. */
const consoleLog: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const { deps, requestId } = c.var;
  const started = deps.now();
  await next();
  const { errorCode, failureCause, frames, connection } = c.var;
  deps.log({
    request_id: requestId,
    ...(connection ? { connection_id: connection.id } : {}),
    route: routePath(c, -1),
    method: c.req.method,
    status: c.res.status,
    ...(errorCode ? { error_code: errorCode } : {}),
    ...(c.error && !errorCode ? { error_name: c.error.name } : {}),
    ...(failureCause ? { cause: failureCause } : {}),
    ...(frames ? { frames } : {}),
    duration_ms: deps.now() - started,
  });
};
