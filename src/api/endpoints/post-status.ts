import { zValidator } from "@hono/zod-validator";
import { BODY_ERRORS, type Endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { exactJson } from "../exact-json.ts";
import { STATUS_EXAMPLE } from "../openapi/examples.ts";
import { reportShop } from "../report-shop.ts";
import { refuseShape } from "../wire/problems.ts";
import { upsertAnswer } from "../wire/shop-answers.ts";
import { statusBody, toReportedStatuses } from "../wire/status-body.ts";

export const postStatus: Endpoint = {
  method: "POST",
  path: "/api/v1/status",
  doc: {
    operationId: "upsertStatuses",
    tag: "Shop",
    summary: "Tell of the statuses that orders can have",
    description:
      "Each stored under its id_external; statuses that are not sent stay as they are. Open during the " +
      "setup. A connection keeps 2,000: what is known can always be changed, and new ones that do not fit " +
      "are told as inventory_full. Unknown members are left aside.",
    needsKey: true,
    parameters: ["x_request_id", "accept_language"],
    body: { schema: statusBody, example: STATUS_EXAMPLE },
    answers: {
      200: { description: "Stored.", data: upsertAnswer, example: { received: 2, created: 2, updated: 0 } },
    },
    errors: [...BODY_ERRORS, ...SHOP_ERRORS, "inventory_full"],
  },
  mount: (app, path) => {
    app.post(path, exactJson, zValidator("json", statusBody, refuseShape), (c) => {
      const body = c.req.valid("json");
      const statuses = toReportedStatuses(body);
      return reportShop(c, { resource: "status", statuses }, ({ created, updated }) => ({
        received: body.statuses.length,
        created,
        updated,
      }));
    });
  },
};
