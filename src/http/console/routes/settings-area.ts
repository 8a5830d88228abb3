import { Hono } from "hono";
import type { ConsoleEnv } from "../deps.ts";

/** Of the account. */
export const settingsArea = new Hono<ConsoleEnv>();

/** Of one of its connections. */
export const settingsOfConnection = new Hono<ConsoleEnv>();
