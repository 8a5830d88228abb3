import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { boundedBody } from "../api/wire/bounded-body.ts";
import { errorResponse } from "../api/wire/json-response.ts";
import { tooLarge } from "../api/wire/request-body.ts";
import { BODY_BYTES } from "../domain/limits.ts";
import { faultOf } from "../platform/fault.ts";
import { guardData } from "../platform/security-headers.ts";
import { type Bilingual, preferredLanguage } from "../words/words.ts";
import { companyOpening } from "./company/companies-routes.ts";
import { claimRoutes, proofRoutes } from "./company/proofs-routes.ts";
import { declarationRoutes } from "./connections/declaration-routes.ts";
import { connectionOpening } from "./connections/new-connection-routes.ts";
import { settingsArea, settingsOfConnection } from "./connections/settings-area-routes.ts";
import type { ConsoleDeps, ConsoleEnv } from "./deps.ts";
import { accountGate, connectionGate, ownPagesOnly, TAKES_DOCUMENT } from "./gates.ts";
import { invoicesArea, invoicesOfConnection } from "./invoices/invoices-area-routes.ts";
import { ordersArea, ordersOfConnection } from "./orders/orders-area-routes.ts";
import { meRoutes } from "./people/me-routes.ts";
import { invitationRoutes, peopleRoutes } from "./people/people-routes.ts";
import { refuse } from "./refuse.ts";
import { consoleLog, consoleRequestId } from "./request.ts";
import { wizardArea, wizardOfConnection } from "./setup/wizard-area-routes.ts";
import { authRoutes } from "./sign-in/auth-routes.ts";

const NO_BODY: Bilingual = { en: "it is empty", es: "está vacío" };

/** What Hono itself refuses: a body that is no JSON. */
function malformed(c: Context<ConsoleEnv>): Response {
  const { language, requestId, jsonFault = NO_BODY } = c.var;
  c.set("errorCode", "malformed_json");
  return errorResponse({ language, requestId }, "malformed_json", { facts: { detail: jsonFault } });
}

function largestBody(path: string): number {
  if (TAKES_DOCUMENT.test(path)) return BODY_BYTES.proofDocument;
  if (path === "/api/auth/passkey/verify-registration") return BODY_BYTES.newPasskey;
  return path.startsWith("/api/auth/") ? BODY_BYTES.signIn : BODY_BYTES.console;
}

/** Of one connection of the account: behind both gates. */
const ofConnection = new Hono<ConsoleEnv>()
  .use(connectionGate)
  .route("/", invoicesOfConnection)
  .route("/", ordersOfConnection)
  .route("/", settingsOfConnection)
  .route("/", wizardOfConnection);

/** Of one account: behind its gate. */
const ofAccount = new Hono<ConsoleEnv>()
  .use(accountGate)
  .route("/", peopleRoutes)
  .route("/", proofRoutes)
  .route("/", connectionOpening)
  .route("/", invoicesArea)
  .route("/", ordersArea)
  .route("/", settingsArea)
  .route("/", wizardArea)
  .route("/connections/:connection", ofConnection);

/** The owner's API, as the browser's calls know it. */
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

/** The console's edge: only the Pages Function reaches it. */
export function createConsoleApp(deps: ConsoleDeps): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.use(async (c, next) => {
    c.set("deps", deps);
    c.set("language", preferredLanguage(c.req.header("Accept-Language"), "es"));
    await next();
    // What Pages adds to its files it does not add here; this is no page, and nobody keeps it.
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
