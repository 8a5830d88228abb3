import * as z from "zod";
import { isSyncReady } from "../../domain/connection/setup.ts";
import type { ReportedModule } from "../../domain/order/normalize-upserts.ts";
import { LATEST_CONTRACT_VERSION } from "../../domain/order/sent-order.ts";
import { endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { type Recorded, reportShop, setupState } from "../report-shop.ts";
import { present } from "../wire/json.ts";
import { freeText, whenSent } from "../wire/order-values.ts";
import { LONGEST_MODULE_TEXT } from "../wire/parameters.ts";

/** If a parameter is repeated, the first value counts; unknown ones are ignored. */
const reported = z.preprocess(
  (sent) => (Array.isArray(sent) ? sent[0] : sent),
  whenSent(freeText(LONGEST_MODULE_TEXT)),
);

export const query = z.object({
  platform: reported,
  module_version: reported,
  contract_version: reported,
});

export const answer = z.strictObject({
  setup_state: setupState,
  sync_ready: z.boolean().describe("Whether orders are accepted now."),
  store_ids: z
    .string()
    .nullable()
    .describe("The stores selected here, by commas; empty: all; null: the selection is not managed here."),
  contract_version: z.string().describe("The newest version of this contract that is understood whole."),
  invoicing_enabled: z.boolean().describe("Whether the owner's consent to issue stands."),
  customer_access_enabled: z.boolean().describe("Whether customers may see their invoices here."),
});

export const getModuleVersion = endpoint({
  method: "GET",
  path: "/api/v1/module-version",
  query,
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
        data: answer,
        name: "ModuleVersion",
        example: {
          setup_state: "configured",
          sync_ready: true,
          store_ids: "1,2",
          contract_version: LATEST_CONTRACT_VERSION,
          invoicing_enabled: true,
          customer_access_enabled: true,
        },
      },
    },
  },
  errors: [...SHOP_ERRORS],
  handle: (c, sent) => {
    const module = toReportedModule(sent);
    return reportShop(c, { resource: "module", module }, statusMembers);
  },
});

function statusMembers({ standing }: Recorded): object {
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

export function toReportedModule(sent: z.output<typeof query>): ReportedModule {
  return present({
    platform: sent.platform,
    moduleVersion: sent.module_version,
    contractVersion: sent.contract_version,
  });
}
