import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { activityRoutes } from "./activity.ts";
import { companyRoutes } from "./company.ts";
import { connectionList, connectionRoutes } from "./connections.ts";
import { erasureRoutes } from "./erasure.ts";
import { evidenceRoutes } from "./evidence.ts";
import { keyRoutes } from "./keys.ts";
import { profileRoutes, sellingList } from "./profiles.ts";
import { webhookRoutes } from "./webhooks.ts";

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
