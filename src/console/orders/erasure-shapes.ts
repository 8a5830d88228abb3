import * as z from "zod";
import { orderId } from "./orders-shapes.ts";

/** One order, or a customer with all their orders, by the shop's id. */
export const erasureBody = z.strictObject({ of: z.enum(["order", "client"]), id: orderId });

/** Erasure cannot be undone, so the request repeats the id. */
export const confirmedErasureBody = erasureBody.extend({ confirmation: z.string().max(1_000) });

export const admissionBody = z.strictObject({ id: orderId });
