import { Hono } from "hono";
import { clausesOf, DECLARATION_TITLE } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { signedIn } from "../gates.ts";

/** What the producer states of the system that is running; no company is needed to read it. */
export const declarationRoutes = new Hono<ConsoleEnv>().use(signedIn).get("/", (c) => {
  const { software } = c.var.deps;
  const { name, version, declarationDate: date } = software;
  const data = { title: DECLARATION_TITLE, name, version, date, clauses: clausesOf(software) };
  return c.json({ success: true as const, data });
});
