import * as z from "zod";
import { lastOfEach, type ReportedInventory } from "../../domain/order/normalize-upserts.ts";
import type { Problem } from "../../words/words.ts";
import { BODY_ERRORS, endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { reportShop, setupState, storedRows, upserted } from "../report-shop.ts";
import { present } from "../wire/json.ts";
import { count, freeText, idText, LONGEST_STORE_ID, members, whenSent } from "../wire/order-values.ts";
import { list } from "../wire/values.ts";

const MOST_STORES = 100;

const NO_COMMA: Problem = {
  kind: "invalidValue",
  facts: { expected: { en: "without commas", es: "sin comas" } },
};

/** `store_ids` joins the selected ids with commas: an id with a comma would select others. */
const storeId = idText(LONGEST_STORE_ID)
  .refine((id) => !id.includes(","), { params: { problem: NO_COMMA } })
  .meta({ pattern: "^[^,]*$" });

const store = members({
  id: storeId.describe("What an order sends as shop.id. Without commas."),
  name: whenSent(freeText(255)),
  url: whenSent(freeText(2048)),
  orders_count: whenSent(count),
});

export const body = members({
  stores: list(store, MOST_STORES)
    .refine((stores) => stores.length > 0, { params: { problem: { kind: "empty" } satisfies Problem } })
    .meta({ minItems: 1 })
    .describe("Of an id given twice, the last one counts."),
  orders_total: whenSent(count).describe("Orders of the whole installation."),
});

export const answer = z.strictObject({
  stores: storedRows.describe("Stores sent."),
  ...upserted,
  setup_state: setupState,
});

export const postInventory = endpoint({
  method: "POST",
  path: "/v1/inventory",
  name: "Inventory",
  body,
  example: {
    stores: [
      { id: "1", name: "Tienda", url: "https://tienda.example", orders_count: 1240 },
      { id: "2", name: "Outlet", url: "https://outlet.example", orders_count: 87 },
    ],
    orders_total: 1327,
  },
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
    answers: {
      200: {
        description: "Stored.",
        data: answer,
        name: "InventoryReceipt",
        example: {
          stores: 2,
          created: 2,
          updated: 0,
          setup_state: "pending_configuration",
        },
      },
    },
  },
  errors: [...BODY_ERRORS, ...SHOP_ERRORS, "inventory_full"],
  handle: (c, sent) => {
    const inventory = toReportedInventory(sent);
    return reportShop(c, { resource: "inventory", inventory }, ({ created, updated, standing }) => ({
      stores: sent.stores.length,
      created,
      updated,
      setup_state: standing.setup.state,
    }));
  },
});

export function toReportedInventory({ stores, orders_total }: z.output<typeof body>): ReportedInventory {
  const reported = stores.map(({ id, name, url, orders_count }) =>
    present({ id, name, url, ordersCount: orders_count }),
  );
  return present({ stores: lastOfEach(reported, ({ id }) => id), ordersTotal: orders_total });
}
