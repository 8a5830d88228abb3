import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import type * as z from "zod";
import { shapeProblems } from "../api/wire/problems.ts";
import { refuse } from "./refuse.ts";

/** Validates a route's JSON body and reports all problems of a form together. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return zValidator("json", schema, (checked, c) => {
    refuseProblems(checked, c);
  });
}

/** Validates a route's query. */
export function query<Schema extends z.ZodType>(schema: Schema) {
  return zValidator("query", schema, (checked, c) => {
    refuseProblems(checked, c);
  });
}

interface Checked {
  readonly success: boolean;
  readonly data: unknown;
  readonly error?: { readonly issues: readonly z.core.$ZodIssue[] };
}

function refuseProblems(checked: Checked, c: Context): void {
  if (!checked.success) refuse(c, "validation_failed", shapeProblems(checked, c.var.language));
}
