import * as z from "zod";
import { date, list } from "../../api/wire/values.ts";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { ORDER_REASONS, type ReasonCode } from "../../domain/order/reasons.ts";
import { cursor } from "../shapes/place.ts";
import { freeText, idOf, month } from "../shapes/values.ts";
import { orderAnswer } from "./order-answer-shapes.ts";

const MOST_TOGETHER = 30;
const MOST_AT_ONCE = 25;

export const orderId = idOf(1000);
const connectionId = idOf(64);

const CODES = ORDER_REASONS.map(({ code }) => code);
export const reasonCode = z.enum(CODES as [ReasonCode, ...ReasonCode[]]);

const orderKey = z.strictObject({
  orderedAt: z.int(),
  connectionId: z.string().max(64),
  idExternal: z.string().max(1_000),
});
const reviewKey = z.strictObject({
  dueDate: z.string().max(10),
  connectionId: z.string().max(64),
  idExternal: z.string().max(1_000),
});

export const ordersFilter = z.strictObject({
  connection: connectionId.optional(),
  state: z.enum(ORDER_STATES).optional(),
  store: idOf(255).optional(),
  month: month.optional(),
});

export const ordersQuery = ordersFilter.extend({ cursor: cursor(orderKey).optional() });

export const placesQuery = z.strictObject({ connection: connectionId.optional() });

export const orderSearchQuery = z.strictObject({ text: freeText(255) });

export const orderQuery = z.strictObject({ order_id: orderId });

export const reviewQuery = z.strictObject({
  connection: connectionId.optional(),
  reason: reasonCode.optional(),
  cursor: cursor(reviewKey).optional(),
});

export const reviewGroupsQuery = z.strictObject({ connection: connectionId.optional() });

/** One order's place in the review queue, with the queue's filter. */
export const reviewPlaceQuery = z.strictObject({
  connection: connectionId.optional(),
  reason: reasonCode.optional(),
  of_connection: connectionId,
  order_id: orderId,
  due: date,
});

export const alikeQuery = z.strictObject({
  order_id: orderId,
  code: reasonCode,
  about: freeText(1000).optional(),
  profile_id: idOf(64).optional(),
});

export const previewBody = z.strictObject({
  order_id: orderId,
  answers: list(orderAnswer, MOST_TOGETHER),
});

export const answersBody = z.strictObject({
  order_id: orderId,
  answers: list(orderAnswer, MOST_TOGETHER),
  /** Indexes of the answers that become declarations for all sales of the profile or connection. */
  for_all: z
    .strictObject({
      profile_id: idOf(64).optional(),
      answers: list(z.int().min(0), MOST_TOGETHER),
    })
    .optional(),
});

/** One answer for several orders. */
export const manyBody = z.strictObject({
  orders: list(z.strictObject({ connection: connectionId, order_id: orderId }), MOST_AT_ONCE, 1),
  answer: orderAnswer,
});

export const cutoffQuery = z.strictObject({ cutoff: date });
