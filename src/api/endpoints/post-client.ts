import { zValidator } from "@hono/zod-validator";
import { BODY_ERRORS, type Endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { exactJson } from "../exact-json.ts";
import { CLIENT_EXAMPLE } from "../openapi/examples.ts";
import { reportShop } from "../report-shop.ts";
import { clientBody, toReportedClient } from "../wire/client-body.ts";
import { refuseShape } from "../wire/problems.ts";
import { upsertAnswer } from "../wire/shop-answers.ts";

export const postClient: Endpoint = {
  method: "POST",
  path: "/api/v1/client",
  doc: {
    operationId: "upsertClient",
    tag: "Shop",
    summary: "Tell of a customer",
    description:
      "Stored under its id_external, in the place of what was told before. Waits, as orders do, until the " +
      "owner has completed step 2 of the setup. Unknown members are left aside.",
    needsKey: true,
    parameters: ["x_request_id", "accept_language"],
    body: { schema: clientBody, example: CLIENT_EXAMPLE },
    answers: {
      200: { description: "Stored.", data: upsertAnswer, example: { received: 1, created: 1, updated: 0 } },
    },
    errors: [...BODY_ERRORS, ...SHOP_ERRORS, "sync_not_ready"],
  },
  mount: (app, path) => {
    app.post(path, exactJson, zValidator("json", clientBody, refuseShape), (c) => {
      const client = toReportedClient(c.req.valid("json"));
      return reportShop(c, { resource: "client", client }, ({ created, updated }) => ({
        received: 1,
        created,
        updated,
      }));
    });
  },
};
