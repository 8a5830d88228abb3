import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";

/** Of the account. */
export const invoicesArea = new Hono<ConsoleEnv>();

/** Of one of its connections. */
export const invoicesOfConnection = new Hono<ConsoleEnv>();
