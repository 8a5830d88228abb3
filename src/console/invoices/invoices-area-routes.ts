import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { overviewRoutes } from "../overview/overview-routes.ts";
import { submissionOfConnection, submissionRoutes } from "../submission/submission-routes.ts";
import { invoiceDeedRoutes } from "./invoice-deeds-routes.ts";
import { invoiceRoutes } from "./invoice-routes.ts";
import { invoiceListRoutes } from "./invoices-routes.ts";

/** Of the account. */
export const invoicesArea = new Hono<ConsoleEnv>()
  .route("/", overviewRoutes)
  .route("/", invoiceListRoutes)
  .route("/", invoiceRoutes)
  .route("/", invoiceDeedRoutes)
  .route("/", submissionRoutes);

/** Of one of its connections. */
export const invoicesOfConnection = new Hono<ConsoleEnv>().route("/", submissionOfConnection);
