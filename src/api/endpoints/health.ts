import { COMMON_ERRORS, type Endpoint } from "../endpoint.ts";
import { refuse } from "../refuse.ts";
import { healthAnswer } from "../wire/answers.ts";
import { jsonResponse } from "../wire/json-response.ts";

export const health: Endpoint = {
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
    answers: { 200: { description: "An invoice can be issued.", data: healthAnswer } },
    errors: [...COMMON_ERRORS, "temporarily_unavailable"],
  },
  mount: (app, path) => {
    app.get(path, async (c) => {
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
    });
  },
};
