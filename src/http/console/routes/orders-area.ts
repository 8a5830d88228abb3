import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";

/** Of the account. */
export const ordersArea = new Hono<ConsoleEnv>();

/** Of one of its connections. */
export const ordersOfConnection = new Hono<ConsoleEnv>();
