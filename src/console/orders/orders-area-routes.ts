import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";
import { answerRoutes, manyAnswersRoutes } from "./answers-routes.ts";
import { orderListRoutes, orderRoutes } from "./orders-routes.ts";
import { alikeRoutes, reviewRoutes } from "./review-routes.ts";
import { waitingRoutes } from "./waiting-routes.ts";

/** Of the account. */
export const ordersArea = new Hono<ConsoleEnv>()
  .route("/", orderListRoutes)
  .route("/", reviewRoutes)
  .route("/", manyAnswersRoutes);

/** Of one of its connections. */
export const ordersOfConnection = new Hono<ConsoleEnv>()
  .route("/", orderRoutes)
  .route("/", answerRoutes)
  .route("/", alikeRoutes)
  .route("/", waitingRoutes);
