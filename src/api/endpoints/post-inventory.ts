import { zValidator } from "@hono/zod-validator";
import { BODY_ERRORS, type Endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { exactJson } from "../exact-json.ts";
import { INVENTORY_ANSWER_EXAMPLE, INVENTORY_EXAMPLE } from "../openapi/examples.ts";
import { reportShop } from "../report-shop.ts";
import { inventoryBody, toReportedInventory } from "../wire/inventory-body.ts";
import { refuseShape } from "../wire/problems.ts";
import { inventoryAnswer } from "../wire/shop-answers.ts";

export const postInventory: Endpoint = {
  method: "POST",
  path: "/v1/inventory",
  doc: {
    operationId: "reportInventory",
    tag: "Shop",
    summary: "Tell of the stores of the installation",
    description:
      "Each stored under its id; stores that are not sent stay as they are, so that an inventory of more " +
      "than 100 comes in parts. The first one lets the owner begin step 2 of the setup, the choice of " +
      "stores; later ones never take that back. A connection keeps 500: what is known can always be " +
      "changed, and new ones that do not fit are told as inventory_full. Unknown members are left aside.",
    needsKey: true,
    parameters: ["x_request_id", "accept_language"],
    body: { schema: inventoryBody, example: INVENTORY_EXAMPLE },
    answers: {
      200: { description: "Stored.", data: inventoryAnswer, example: INVENTORY_ANSWER_EXAMPLE },
    },
    errors: [...BODY_ERRORS, ...SHOP_ERRORS, "inventory_full"],
  },
  mount: (app, path) => {
    app.post(path, exactJson, zValidator("json", inventoryBody, refuseShape), (c) => {
      const body = c.req.valid("json");
      const inventory = toReportedInventory(body);
      return reportShop(c, { resource: "inventory", inventory }, ({ created, updated, standing }) => ({
        stores: body.stores.length,
        created,
        updated,
        setup_state: standing.setup.state,
      }));
    });
  },
};
