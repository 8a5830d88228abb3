import { Hono } from "hono";
import { bytesOf } from "../../domain/shared/base64.ts";
import { isoInstant, withIso } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { refuse, refuseUnavailable } from "../refuse.ts";

/** The native document of an order, with every digit that the shop wrote. */
export const documentRoutes = new Hono<ConsoleEnv>().get("/shop/orders/:order/document", async (c) => {
  const { account, connection: of, reads, deps } = c.var;
  const orderId = c.req.param("order");
  const found = await reads.document.read(account.accountId, of.id, orderId);
  if (!found) return refuse(c, "not_found");
  const { documents, bodyKey, deliveries, fetch, modifiedAt, receivedAt, ...document } = found;
  const bytes =
    documents === null
      ? await deps.shopBodies.read(bodyKey ?? "").catch(() => undefined)
      : bytesOf(documents);
  // Written before its row, and erased after it.
  if (!bytes) return refuseUnavailable(c, { cause: "bodies", retryAfterSeconds: 2 });
  return c.json({
    success: true as const,
    data: {
      ...{ orderId, ...document },
      receivedAt: isoInstant(receivedAt),
      modifiedAt: modifiedAt === null ? null : isoInstant(modifiedAt),
      sizeBytes: bytes.length,
      text: new TextDecoder().decode(bytes),
      deliveries: deliveries.map((delivery) => withIso(delivery, "receivedAt")),
      fetch: fetch ? withIso(fetch, "dueAt") : null,
    },
  });
});
