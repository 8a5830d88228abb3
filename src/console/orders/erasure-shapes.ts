import * as z from "zod";
import { orderId } from "./orders-shapes.ts";

/** An order, or a customer with all of theirs, by the id that the shop has. */
export const erasureBody = z.strictObject({ of: z.enum(["order", "client"]), id: orderId });

/** What cannot be undone is asked for by its id, once more. */
export const confirmedErasureBody = erasureBody.extend({ confirmation: z.string().max(1_000) });

export const admissionBody = z.strictObject({ id: orderId });
