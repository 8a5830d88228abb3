import type { z } from "zod";
import { lastOfEach, type ReportedInventory } from "../../domain/order/normalize-upserts.ts";
import type { Problem } from "../../words/words.ts";
import { count, freeText, idText, members, whenSent } from "./order-values.ts";
import { present } from "./present.ts";
import { list } from "./values.ts";

export const LONGEST_STORE_ID = 32;
const MOST_STORES = 100;

const NO_COMMA: Problem = {
  kind: "invalidValue",
  facts: { expected: { en: "without commas", es: "sin comas" } },
};

/** `store_ids` joins the selected ids with commas: an id that holds one would select others. */
const storeId = idText(LONGEST_STORE_ID)
  .refine((id) => !id.includes(","), { params: { problem: NO_COMMA } })
  .meta({ pattern: "^[^,]*$" });

const store = members({
  id: storeId.describe("What an order sends as shop.id. Without commas."),
  name: whenSent(freeText(255)),
  url: whenSent(freeText(2048)),
  orders_count: whenSent(count),
});

/** Body of `POST /v1/inventory`. An installation has at least one store. */
export const inventoryBody = members({
  stores: list(store, MOST_STORES)
    .refine((stores) => stores.length > 0, { params: { problem: { kind: "empty" } satisfies Problem } })
    .meta({ minItems: 1 })
    .describe("Of an id given twice, the last one counts."),
  orders_total: whenSent(count).describe("Orders of the whole installation."),
});

export type InventoryBody = z.output<typeof inventoryBody>;

export function toReportedInventory({ stores, orders_total }: InventoryBody): ReportedInventory {
  const reported = stores.map(({ id, name, url, orders_count }) =>
    present({ id, name, url, ordersCount: orders_count }),
  );
  return present({ stores: lastOfEach(reported, ({ id }) => id), ordersTotal: orders_total });
}
