import { type Context, Hono } from "hono";
import { localTime } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { pageAround } from "../pages.ts";
import { cursorOf } from "../shapes/place.ts";
import { query } from "../valid.ts";
import { countAlike } from "./alike-orders.ts";
import { type OrderListed, PAGE } from "./order-list-ports.ts";
import { alikeQuery, reviewGroupsQuery, reviewPlaceQuery, reviewQuery } from "./orders-shapes.ts";
import { MOST_COUNTED, type ReviewKey } from "./review-ports.ts";
import { shownListed } from "./shown-order.ts";

/** What waits for its owner, in the order in which it was due. */
export const reviewRoutes = new Hono<ConsoleEnv>()
  .get("/review", query(reviewQuery), async (c) => {
    const { account, reads, language } = c.var;
    const { cursor: from, ...asked } = c.req.valid("query");
    const today = await todayOf(c);
    const read = await reads.review.queue(account.accountId, filterOf(asked), {
      limit: PAGE,
      ...(from ? { from } : {}),
    });
    const page = pageAround(read, from, keyOf);
    return c.json({
      success: true as const,
      data: {
        items: page.items.map((listed) => ({
          ...shownListed(listed, language),
          isOverdue: listed.dueDate < today,
        })),
        previous: page.previous ? cursorOf(page.previous) : null,
        next: page.next ? cursorOf(page.next) : null,
      },
    });
  })
  .get("/review/count", async (c) => {
    const { account, reads } = c.var;
    const { waiting, overdue } = await reads.review.count(account.accountId, await todayOf(c));
    const data = { waiting, overdue, hasMore: waiting >= MOST_COUNTED };
    return c.json({ success: true as const, data });
  })
  .get("/review/groups", query(reviewGroupsQuery), async (c) => {
    const { account, reads } = c.var;
    const groups = await reads.review.groups(account.accountId, c.req.valid("query").connection);
    return c.json({ success: true as const, data: { groups } });
  })
  .get("/review/place", query(reviewPlaceQuery), async (c) => {
    const { account, reads } = c.var;
    const {
      of_connection: connectionId,
      order_id: idExternal,
      due: dueDate,
      ...asked
    } = c.req.valid("query");
    const key = { dueDate, connectionId, idExternal };
    const filter = filterOf(asked);
    const beside = (way: "after" | "before") =>
      reads.review.queue(account.accountId, filter, { limit: 1, from: { way, key } });
    const [before, previous, next] = await Promise.all([
      reads.review.placeOf(account.accountId, filter, key),
      beside("before"),
      beside("after"),
    ]);
    const data = { place: before + 1, previous: neighbour(previous.rows), next: neighbour(next.rows) };
    return c.json({ success: true as const, data });
  });

export const alikeRoutes = new Hono<ConsoleEnv>().get("/order/alike", query(alikeQuery), async (c) => {
  const { account, reads, connection } = c.var;
  const { order_id: except, code, about, profile_id: profileId } = c.req.valid("query");
  const orders = await countAlike(
    account.accountId,
    {
      connectionId: connection.id,
      code,
      except,
      ...(about ? { about } : {}),
      ...(profileId === undefined ? {} : { profileId }),
    },
    reads.review,
  );
  return c.json({ success: true as const, data: { orders } });
});

interface Asked {
  readonly connection?: string | undefined;
  readonly reason?: ReviewFilterReason | undefined;
}
type ReviewFilterReason = NonNullable<OrderListed["reason"]>["code"];

function filterOf({ connection: connectionId, reason }: Asked) {
  return {
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function keyOf({ dueDate, connectionId, idExternal }: OrderListed): ReviewKey {
  return { dueDate, connectionId, idExternal };
}

function neighbour([listed]: readonly OrderListed[]) {
  return listed ? { connectionId: listed.connectionId, orderId: listed.idExternal } : null;
}

/** The day in the issuer's zone. */
async function todayOf(c: Context<ConsoleEnv>) {
  const { account, reads, deps } = c.var;
  const [shown] = await reads.accounts.readAccounts([account.accountId]);
  return localTime(deps.now(), shown?.timeZone ?? "Europe/Madrid").date;
}
