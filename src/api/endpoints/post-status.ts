import * as z from "zod";
import { lastOfEach, type ReportedStatus } from "../../domain/order/normalize-upserts.ts";
import { BODY_ERRORS, endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { reportShop, upsertAnswer } from "../report-shop.ts";
import { freeText, idText, members, whenSent } from "../wire/order-values.ts";
import { list } from "../wire/values.ts";

const MOST_STATUSES = 200;

const status = members({
  id_external: idText().describe("What an order sends as id_order_status, or as status."),
  name: freeText(255),
  paid: whenSent(z.boolean()).describe("Default false. Only shown."),
  cancelled: whenSent(z.boolean()).describe("Default false. An order in this status is not invoiced."),
});

export const body = members({
  statuses: list(status, MOST_STATUSES).describe("Of an id given twice, the last one counts."),
});

export const postStatus = endpoint({
  method: "POST",
  path: "/api/v1/status",
  name: "Statuses",
  body,
  example: {
    statuses: [
      { id_external: "2", name: "Pago aceptado", paid: true },
      { id_external: "6", name: "Cancelado", cancelled: true },
    ],
  },
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
    answers: {
      200: {
        description: "Stored.",
        data: upsertAnswer,
        name: "Receipt",
        example: { received: 2, created: 2, updated: 0 },
      },
    },
  },
  errors: [...BODY_ERRORS, ...SHOP_ERRORS, "inventory_full"],
  handle: (c, sent) => {
    const report = { resource: "status", statuses: toReportedStatuses(sent) } as const;
    return reportShop(c, report, ({ created, updated }) => ({
      received: sent.statuses.length,
      created,
      updated,
    }));
  },
});

export function toReportedStatuses({ statuses }: z.output<typeof body>): ReportedStatus[] {
  const reported = statuses.map(({ id_external, name, paid, cancelled }) => ({
    idExternal: id_external,
    name,
    paid: paid ?? false,
    cancelled: cancelled ?? false,
  }));
  return lastOfEach(reported, ({ idExternal }) => idExternal);
}
