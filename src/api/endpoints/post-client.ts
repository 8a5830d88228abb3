import type * as z from "zod";
import type { ReportedClient } from "../../domain/order/normalize-upserts.ts";
import { BODY_ERRORS, endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { reportShop, upsertAnswer } from "../report-shop.ts";
import { CLIENT_MEMBERS, toClientMembers } from "../wire/order-parts.ts";
import { idText, members } from "../wire/order-values.ts";

export const body = members({
  id_external: idText().describe("Identifier of the customer in your system."),
  ...CLIENT_MEMBERS,
});

export const postClient = endpoint({
  method: "POST",
  path: "/api/v1/client",
  name: "Client",
  body,
  example: {
    id_external: "88",
    first_name: "Lucía",
    last_name: "Pérez",
    email: "lucia@example.com",
    country: "ES",
    postcode: "08001",
  },
  doc: {
    operationId: "upsertClient",
    tag: "Shop",
    summary: "Tell of a customer",
    description:
      "Stored under its id_external, in the place of what was told before. Waits, as orders do, until the " +
      "owner has completed step 2 of the setup. Unknown members are left aside.",
    needsKey: true,
    parameters: ["x_request_id", "accept_language"],
    answers: {
      200: {
        description: "Stored.",
        data: upsertAnswer,
        name: "Receipt",
        example: { received: 1, created: 1, updated: 0 },
      },
    },
  },
  errors: [...BODY_ERRORS, ...SHOP_ERRORS, "sync_not_ready"],
  handle: (c, sent) => {
    const client = toReportedClient(sent);
    return reportShop(c, { resource: "client", client }, ({ created, updated }) => ({
      received: 1,
      created,
      updated,
    }));
  },
});

export function toReportedClient(sent: z.output<typeof body>): ReportedClient {
  return { ...toClientMembers(sent), idExternal: sent.id_external };
}
