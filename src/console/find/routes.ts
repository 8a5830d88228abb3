import { Hono } from "hono";
import * as z from "zod";
import { termsOf } from "../../domain/invoice/invoice-entry.ts";
import type { ConsoleEnv } from "../deps.ts";
import { shownListed as shownInvoice } from "../invoices/view.ts";
import { shownListed as shownOrder } from "../orders/view.ts";
import { freeText, query } from "../shapes.ts";

/** Of each kind. */
const SHOWN = 5;
/** One letter would find half of the books. */
const SHORTEST = 2;

export const findQuery = z.strictObject({ q: freeText(100) });

const NONE = { invoices: [], orders: [], customers: [] };

/** The palette's search: a few invoices, orders and customers at once. */
export const findRoutes = new Hono<ConsoleEnv>().get("/find", query(findQuery), async (c) => {
  const { account, reads, language } = c.var;
  const { q } = c.req.valid("query");
  if ([...q].length < SHORTEST) return c.json({ success: true as const, data: NONE });
  const [{ invoices, customers }, orders] = await Promise.all([
    reads.find.findInvoices(account.accountId, termsOf(q), SHOWN),
    reads.orders.find(account.accountId, q, SHOWN),
  ]);
  return c.json({
    success: true as const,
    data: {
      invoices: invoices.map((one) => {
        const { id, fullNumber, issueDate, totalEur, test } = shownInvoice(one);
        const customer = one.customer ?? one.orderCustomer;
        return { id, fullNumber, issueDate, totalEur, ...(customer === undefined ? {} : { customer }), test };
      }),
      orders: orders.map((one) => {
        const { connectionId, orderId, reference, customer, total, currency } = shownOrder(one, language);
        return { connectionId, orderId, reference, customer, total, currency };
      }),
      customers,
    },
  });
});
