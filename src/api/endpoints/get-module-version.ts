import { zValidator } from "@hono/zod-validator";
import { isSyncReady } from "../../domain/connection/setup.ts";
import { LATEST_CONTRACT_VERSION } from "../../domain/order/normalize-contract.ts";
import { type Endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { MODULE_VERSION_ANSWER_EXAMPLE } from "../openapi/examples.ts";
import { type Recorded, reportShop } from "../report-shop.ts";
import { moduleVersionQuery, toReportedModule } from "../wire/module-version-query.ts";
import { refuseShape } from "../wire/problems.ts";
import { moduleVersionAnswer } from "../wire/shop-answers.ts";

export const getModuleVersion: Endpoint = {
  method: "GET",
  path: "/api/v1/module-version",
  doc: {
    operationId: "moduleVersion",
    tag: "Shop",
    summary: "How far the setup of the connection is",
    description:
      "Records what the module says of itself, and answers what it must know: whether orders are accepted, " +
      "and of which stores. What it leaves out stays as it was told before.",
    needsKey: true,
    parameters: ["platform", "module_version", "contract_version", "x_request_id", "accept_language"],
    takesAnyParameter: true,
    answers: {
      200: {
        description: "How it stands.",
        data: moduleVersionAnswer,
        example: MODULE_VERSION_ANSWER_EXAMPLE,
      },
    },
    errors: [...SHOP_ERRORS],
  },
  mount: (app, path) => {
    app.get(path, zValidator("query", moduleVersionQuery, refuseShape), (c) => {
      const module = toReportedModule(c.req.valid("query"));
      return reportShop(c, { resource: "module", module }, standingMembers);
    });
  },
};

function standingMembers({ standing }: Recorded): object {
  const { setup, consented, access } = standing;
  return {
    setup_state: setup.state,
    sync_ready: isSyncReady(setup),
    store_ids: setup.storeIds,
    contract_version: LATEST_CONTRACT_VERSION,
    invoicing_enabled: consented,
    customer_access_enabled: access.isOn,
  };
}
