import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { invoiceRoutes } from "./invoice.ts";
import { invoiceDeedRoutes } from "./invoice-deeds.ts";
import { invoiceListRoutes } from "./invoices.ts";
import { overviewRoutes } from "./overview.ts";
import { submissionOfConnection, submissionRoutes } from "./submission.ts";

/** Of the account. */
export const invoicesArea = new Hono<ConsoleEnv>()
  .route("/", overviewRoutes)
  .route("/", invoiceListRoutes)
  .route("/", invoiceRoutes)
  .route("/", invoiceDeedRoutes)
  .route("/", submissionRoutes);

/** Of one of its connections. */
export const invoicesOfConnection = new Hono<ConsoleEnv>().route("/", submissionOfConnection);
