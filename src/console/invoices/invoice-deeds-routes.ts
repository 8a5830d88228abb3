import { Hono } from "hono";
import { rectificationOf } from "../../domain/invoice/owner-rectification.ts";
import { prepareInvoice } from "../../domain/invoice/prepare.ts";
import type { ConsoleEnv } from "../deps.ts";
import { actAt } from "../owner-verb.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { body } from "../valid.ts";
import { findingBody, rectificationBody } from "./invoices-shapes.ts";
import { directInvoiceOf, issuedRectification, rectificationAsked } from "./rectification.ts";

/** What an owner does about one invoice, its records aside. */
export const invoiceDeedRoutes = new Hono<ConsoleEnv>()
  .post("/invoices/:invoice/rectifications", body(rectificationBody), async (c) => {
    const { account, reads, deps, user } = c.var;
    const invoiceId = c.req.param("invoice");
    const read = await reads.invoice.readInvoice(account.accountId, invoiceId);
    const direct = read && directInvoiceOf(read.stored);
    if (!read || !direct) return refuse(c, "not_found");
    const { deed, ...sent } = c.req.valid("json");
    const asked = rectificationAsked({ deed, ...sent });
    const request = rectificationOf(asked, direct);
    if (!request.ok) return refuseByRule(c, request.error);
    const { id: connectionId } = read.connection;
    const outcome = await deps.owner(connectionId).rectifyInvoice(connectionId, {
      ...{ userId: user.id, requestId: deed, invoiceId, cause: asked.cause },
      invoice: prepareInvoice(request.value),
    });
    const data = issuedRectification(c, outcome, { request: request.value, asked });
    return c.json({ success: true as const, data });
  })
  .post("/invoices/:invoice/finding", body(findingBody), async (c) => {
    const { account, reads } = c.var;
    const invoiceId = c.req.param("invoice");
    const connectionId = await reads.invoice.findConnection(account.accountId, invoiceId);
    if (connectionId === undefined) return refuse(c, "not_found");
    await actAt(c, connectionId, { verb: "settle_duplicate", invoiceId, ...c.req.valid("json") });
    return c.json({ success: true as const, data: {} });
  });
