import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { BODY_BYTES } from "../../domain/limits.ts";
import { errorResponse } from "../errors.ts";
import { type Bilingual, preferredLanguage } from "../language.ts";
import { boundedBody } from "../middleware/bounded-body.ts";
import { guardData } from "../middleware/security-headers.ts";
import { tooLarge } from "../request-body.ts";
import type { ConsoleDeps, ConsoleEnv } from "./deps.ts";
import { accountGate, connectionGate, ownPagesOnly, TAKES_DOCUMENT } from "./gates.ts";
import { refuse } from "./refuse.ts";
import { consoleLog, consoleRequestId } from "./request.ts";
import { authRoutes } from "./routes/auth.ts";
import { companyOpening } from "./routes/companies.ts";
import { declarationRoutes } from "./routes/declaration.ts";
import { invoicesArea, invoicesOfConnection } from "./routes/invoices-area.ts";
import { meRoutes } from "./routes/me.ts";
import { connectionOpening } from "./routes/new-connection.ts";
import { ordersArea, ordersOfConnection } from "./routes/orders-area.ts";
import { invitationRoutes, peopleRoutes } from "./routes/people.ts";
import { claimRoutes, proofRoutes } from "./routes/proofs.ts";
import { settingsArea, settingsOfConnection } from "./routes/settings-area.ts";
import { wizardArea, wizardOfConnection } from "./routes/wizard-area.ts";

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
    const { language, requestId, deps } = c.var;
    if (error instanceof HTTPException) return error.res ?? malformed(c);
    c.set("errorCode", "internal_error");
    c.set("failureCause", deps.causeOf(error));
    return errorResponse({ language, requestId }, "internal_error");
  });
  return app;
}
