import * as z from "zod";
import { COMMON_ERRORS, endpoint } from "../endpoint.ts";
import { refuse } from "../refuse.ts";
import { jsonResponse } from "../wire/json.ts";

const answer = z.strictObject({
  status: z.literal("ok"),
  version: z.string(),
  parts: z.record(z.string(), z.boolean()),
  /** Oldest and newest migration among the ledgers. */
  schema: z.strictObject({ oldest: z.string(), newest: z.string() }),
  /** The time of the measurement: at most ten seconds ago. */
  checked_at: z.string().meta({ format: "date-time" }),
});

export const health = endpoint({
  method: "GET",
  path: "/health",
  doc: {
    operationId: "health",
    tag: "Service",
    summary: "Whether an invoice can be issued now",
    description:
      "200 only when an invoice can be issued; 503 names the parts that fail in `details`. The report is " +
      "ten seconds old at most: `checked_at` says when it was made.",
    needsKey: false,
    parameters: [],
    answers: { 200: { description: "An invoice can be issued.", data: answer, name: "Health" } },
  },
  errors: [...COMMON_ERRORS, "temporarily_unavailable"],
  handle: async (c) => {
    const { deps } = c.var;
    const report = await deps.health();
    const checked_at = new Date(report.checkedAt).toISOString();
    if (report.healthy) {
      const parts = Object.fromEntries(report.parts.map((part) => [part.name, part.healthy]));
      const data = {
        status: "ok",
        version: deps.software.version,
        parts,
        schema: report.schema,
        checked_at,
      };
      return jsonResponse(200, { success: true, data });
    }
    const failing = report.parts.filter((part) => !part.healthy);
    const details = failing.map(({ name }) => ({ path: name, code: "failing", message: `${name} fails.` }));
    return refuse(c, "temporarily_unavailable", { details });
  },
});
