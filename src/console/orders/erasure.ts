import { type Context, Hono } from "hono";
import * as z from "zod";
import type { ErasureQuery, ErasureReading, OrderToErase } from "../../db/ledger-state.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { keptOf } from "../../domain/retention/keeping.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question } from "../gates.ts";
import { act } from "../owner-verb.ts";
import { refuseByRule } from "../refuse.ts";
import { body, orderId } from "../shapes.ts";

/** One order, or a customer with all their orders, by the shop's id. */
export const erasureBody = z.strictObject({ of: z.enum(["order", "client"]), id: orderId });

/** Erasure cannot be undone, so the request repeats the id. */
export const confirmedErasureBody = erasureBody.extend({ confirmation: z.string().max(1_000) });

export const admissionBody = z.strictObject({ id: orderId });

/** Erasure of personal data at the request of a customer. */
export const erasureRoutes = new Hono<ConsoleEnv>()
  .post("/erasure/preview", question, body(erasureBody), async (c) => {
    const reading = await readFor(c, c.req.valid("json"));
    return c.json({ success: true as const, data: shownReading(reading) });
  })
  .post("/erasure", body(confirmedErasureBody), async (c) => {
    const { of, id, confirmation } = c.req.valid("json");
    if (confirmation !== id) refuseByRule(c, { code: "id_mismatch", facts: { id }, path: "confirmation" });
    await readFor(c, { of, id });
    await act(
      c,
      of === "order" ? { verb: "erase_order", orderId: id } : { verb: "erase_client", clientId: id },
    );
    const left = await c.var.reads.erasure.read(c.var.connection.id, erasureQueryOf({ of, id }));
    return c.json({ success: true as const, data: shownReading(left) });
  })
  .post("/erasure/admission", body(admissionBody), async (c) => {
    await act(c, { verb: "admit_order", orderId: c.req.valid("json").id });
    return c.json({ success: true as const, data: {} });
  });

type Asked = z.infer<typeof erasureBody>;

function erasureQueryOf({ of, id }: Asked): ErasureQuery {
  return of === "order" ? { orderId: id } : { clientId: id };
}

/**
 * Refuses an id without any stored data, so that the console never confirms an erasure that erases nothing.
 */
async function readFor(c: Context<ConsoleEnv>, body: Asked): Promise<ErasureReading> {
  const reading = await c.var.reads.erasure.read(c.var.connection.id, erasureQueryOf(body));
  const { isClientKnown, orders, erased } = reading;
  if (!isClientKnown && orders.length === 0 && !erased) {
    refuseByRule(c, refuse("nothing_to_erase", {}, "id").error);
  }
  return reading;
}

function shownReading({ isClientKnown, orders, hasMore, erased }: ErasureReading) {
  return {
    client: isClientKnown,
    orders: orders.filter(({ invoices }) => invoices.length === 0).map(shownOrder),
    kept: orders
      .filter(({ invoices }) => invoices.length > 0)
      .map((order) => ({
        ...shownOrder(order),
        numbers: order.invoices.map(({ number }) => number),
        until: keptOf(order) ?? "",
      })),
    hasMore,
    gone: erased ? { because: erased.because, at: isoInstant(erased.at) } : null,
  };
}

function shownOrder({ idExternal: id, reference = id }: OrderToErase) {
  return { id, reference };
}
