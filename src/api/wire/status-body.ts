import { z } from "zod";
import { lastOfEach, type ReportedStatus } from "../../domain/order/normalize-upserts.ts";
import { freeText, idText, members, whenSent } from "./order-values.ts";
import { list } from "./values.ts";

const MOST_STATUSES = 200;

const status = members({
  id_external: idText().describe("What an order sends as id_order_status, or as status."),
  name: freeText(255),
  paid: whenSent(z.boolean()).describe("Default false. Only shown."),
  cancelled: whenSent(z.boolean()).describe("Default false. An order in this status is not invoiced."),
});

/** Body of `POST /api/v1/status`. */
export const statusBody = members({
  statuses: list(status, MOST_STATUSES).describe("Of an id given twice, the last one counts."),
});

export type StatusBody = z.output<typeof statusBody>;

export function toReportedStatuses({ statuses }: StatusBody): ReportedStatus[] {
  const reported = statuses.map(({ id_external, name, paid, cancelled }) => ({
    idExternal: id_external,
    name,
    paid: paid ?? false,
    cancelled: cancelled ?? false,
  }));
  return lastOfEach(reported, ({ idExternal }) => idExternal);
}
