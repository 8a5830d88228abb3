import { type Context, Hono } from "hono";
import type * as z from "zod";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import type { ConsoleEnv } from "../deps.ts";
import { monthIn } from "../month.ts";
import { pageAround } from "../pages.ts";
import { refuse } from "../refuse.ts";
import { cursorOf } from "../shapes/place.ts";
import { query } from "../valid.ts";
import type { OrderListed, OrdersFilter } from "./order-list-ports.ts";
import { PAGE } from "./order-list-ports.ts";
import { orderQuery, orderSearchQuery, ordersFilter, ordersQuery, placesQuery } from "./orders-shapes.ts";
import { shownListed, shownOrder } from "./shown-order.ts";

/** Every order of the account, newest first. */
export const orderListRoutes = new Hono<ConsoleEnv>()
  .get("/orders", query(ordersQuery), async (c) => {
    const { account, reads, language } = c.var;
    const { cursor: from, ...of } = c.req.valid("query");
    const filter = await filterOf(c, of);
    const asked = { limit: PAGE, ...(from ? { from } : {}) };
    const page = pageAround(await reads.orders.list(account.accountId, filter, asked), from, keyOf);
    return c.json({
      success: true as const,
      data: {
        items: page.items.map((listed) => shownListed(listed, language)),
        previous: page.previous ? cursorOf(page.previous) : null,
        next: page.next ? cursorOf(page.next) : null,
      },
    });
  })
  .get("/orders/count", query(ordersFilter), async (c) => {
    const { account, reads } = c.var;
    const states = await reads.orders.count(account.accountId, await filterOf(c, c.req.valid("query")));
    return c.json({ success: true as const, data: { states } });
  })
  .get("/orders/search", query(orderSearchQuery), async (c) => {
    const { account, reads, language } = c.var;
    const { text } = c.req.valid("query");
    const found = await reads.orders.find(account.accountId, text, PAGE + 1);
    return c.json({
      success: true as const,
      data: {
        items: found.slice(0, PAGE).map((listed) => shownListed(listed, language)),
        hasMore: found.length > PAGE,
      },
    });
  })
  .get("/orders/places", query(placesQuery), async (c) => {
    const { account, reads } = c.var;
    const { connection: connectionId } = c.req.valid("query");
    const places = await reads.orders.places(account.accountId, connectionId);
    return c.json({ success: true as const, data: places });
  });

async function filterOf(
  c: Context<ConsoleEnv>,
  { connection: connectionId, store: storeId, state, month }: z.infer<typeof ordersFilter>,
): Promise<OrdersFilter> {
  return {
    states: state ? [state] : ORDER_STATES,
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(storeId === undefined ? {} : { storeId }),
    ...(month === undefined ? {} : { between: monthIn(month, await zoneOf(c)) }),
  };
}

function keyOf({ orderedAt, connectionId, idExternal }: OrderListed) {
  return { orderedAt, connectionId, idExternal };
}

async function zoneOf(c: Context<ConsoleEnv>) {
  const { account, reads } = c.var;
  const [shown] = await reads.accounts.readAccounts([account.accountId]);
  return shown?.timeZone ?? "Europe/Madrid";
}

/** One order of a connection. */
export const orderRoutes = new Hono<ConsoleEnv>()
  .get("/order", query(orderQuery), async (c) => {
    const { account, reads, connection, deps, language } = c.var;
    const { order_id: id } = c.req.valid("query");
    const read = await reads.order.read(account.accountId, connection.id, id);
    if (!read) return refuse(c, "not_found");
    const names = await deps.members.namesOf([...new Set(read.deeds.map(({ userId }) => userId))]);
    return c.json({ success: true as const, data: shownOrder(read, names, language) });
  })
  .get("/order/sent", query(orderQuery), async (c) => {
    const { account, reads, connection } = c.var;
    const { order_id: id } = c.req.valid("query");
    const sent = await reads.order.sent(account.accountId, connection.id, id);
    if (sent === undefined) return refuse(c, "not_found");
    return c.json({ success: true as const, data: { sent } });
  });
