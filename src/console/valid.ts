import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import type * as z from "zod";
import { shapeProblems } from "../api/wire/problems.ts";
import { refuse } from "./refuse.ts";

/** The JSON body of a route, in its shape; all problems of a form are told at once. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return zValidator("json", schema, (checked, c) => {
    refuseProblems(checked, c);
  });
}

/** The query of a route, in its shape. */
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
