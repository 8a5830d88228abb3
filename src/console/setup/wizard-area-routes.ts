import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { consentRoutes } from "./consent-routes.ts";
import { representationRoutes } from "./representation-routes.ts";
import { setupRoutes } from "./setup-routes.ts";

/** Of the account. */
export const wizardArea = new Hono<ConsoleEnv>();

/** Of one of its connections. */
export const wizardOfConnection = new Hono<ConsoleEnv>()
  .route("/", setupRoutes)
  .route("/", consentRoutes)
  .route("/", representationRoutes);
