import { Hono } from "hono";
import { activityRoutes } from "../activity/activity-routes.ts";
import { companyRoutes } from "../company/company-routes.ts";
import type { ConsoleEnv } from "../deps.ts";
import { evidenceRoutes } from "../invoices/evidence-routes.ts";
import { erasureRoutes } from "../orders/erasure-routes.ts";
import { profileRoutes, sellingList } from "../sales/profiles-routes.ts";
import { connectionList, connectionRoutes } from "./connections-routes.ts";
import { keyRoutes } from "./keys-routes.ts";
import { webhookRoutes } from "./webhooks-routes.ts";

/** Of the account. */
export const settingsArea = new Hono<ConsoleEnv>()
  .route("/", connectionList)
  .route("/", sellingList)
  .route("/", companyRoutes)
  .route("/", activityRoutes);

/** Of one of its connections. */
export const settingsOfConnection = new Hono<ConsoleEnv>()
  .route("/", connectionRoutes)
  .route("/", evidenceRoutes)
  .route("/", keyRoutes)
  .route("/", profileRoutes)
  .route("/", webhookRoutes)
  .route("/", erasureRoutes);
