import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";

/** Of the account. */
export const wizardArea = new Hono<ConsoleEnv>();

/** Of one of its connections. */
export const wizardOfConnection = new Hono<ConsoleEnv>();
