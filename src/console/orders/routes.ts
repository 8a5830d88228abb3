import { type Context, Hono } from "hono";
import * as z from "zod";
import { date, list } from "../../api/wire/values.ts";
import type { AnsweredQuestion } from "../../db/orders/remembered-answer.ts";
import type { OrderAnswer } from "../../domain/order/answers/table.ts";
import { peopleIn } from "../../domain/order/console-event.ts";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { ORDER_REASONS, type ReasonCode } from "../../domain/order/reasons.ts";
import { localTime } from "../../domain/shared/instant.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question } from "../gates.ts";
import { daysIn } from "../issuer-day.ts";
import { act } from "../owner-verb.ts";
import { cursor, cursorOf, pageAround } from "../pages.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { body, daysInOrder, freeText, idOf, listedDay, month, orderId, query } from "../shapes.ts";
import { draftSheets } from "../shown-look.ts";
import { answeredQuestion, countSimilar, declaredForAll, orderAnswer } from "./answers.ts";
import { type OrderListed, type OrdersFilter, PAGE } from "./listed-orders.ts";
import { MOST_COUNTED, type ReviewKey } from "./review.ts";
import { answeredOrder, shownListed, shownOrder, shownOutcome, shownPreview } from "./view.ts";
import { effectOfCutoff, progressOf, waitingOrders } from "./waiting.ts";

const MOST_TOGETHER = 30;
const MOST_AT_ONCE = 25;
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

const filterShape = {
  connection: connectionId.optional(),
  state: z.enum(ORDER_STATES).optional(),
  store: idOf(255).optional(),
  month: month.optional(),
  from: listedDay.optional(),
  to: listedDay.optional(),
};

export const ordersFilter = z.strictObject(filterShape).superRefine(daysInOrder);

export const ordersQuery = z
  .strictObject({ ...filterShape, cursor: cursor(orderKey).optional() })
  .superRefine(daysInOrder);

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

export const similarQuery = z.strictObject({
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

export const orderListRoutes = new Hono<ConsoleEnv>()
  .get("/orders", query(ordersQuery), async (c) => {
    const { account, reads, language } = c.var;
    const { cursor: from, ...of } = c.req.valid("query");
    const filter = await filterOf(c, of);
    const query = { limit: PAGE, ...(from ? { from } : {}) };
    const page = pageAround(await reads.orders.list(account.accountId, filter, query), from, keyOf);
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
  { connection: connectionId, store: storeId, state, ...days }: z.infer<typeof ordersFilter>,
): Promise<OrdersFilter> {
  const isDated = Object.values(days).some((day) => day !== undefined);
  const between = isDated ? daysIn(days, await zoneOf(c)) : undefined;
  return {
    states: state ? [state] : ORDER_STATES,
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(storeId === undefined ? {} : { storeId }),
    ...(between === undefined ? {} : { between }),
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

export const orderRoutes = new Hono<ConsoleEnv>()
  .get("/order", query(orderQuery), async (c) => {
    const { account, reads, connection, deps, language } = c.var;
    const { order_id: id } = c.req.valid("query");
    const read = await reads.order.read(account.accountId, connection.id, id);
    if (!read) return refuse(c, "not_found");
    const people = [
      ...read.changes.map(({ userId }) => userId),
      ...Object.values(peopleIn(read.order.answers)),
    ];
    const names = await deps.members.namesOf([...new Set(people)]);
    return c.json({ success: true as const, data: shownOrder(read, names, language) });
  })
  .get("/order/sent", query(orderQuery), async (c) => {
    const { account, reads, connection } = c.var;
    const { order_id: id } = c.req.valid("query");
    const sent = await reads.order.sent(account.accountId, connection.id, id);
    if (sent === undefined) return refuse(c, "not_found");
    return c.json({ success: true as const, data: { sent } });
  });

/** Preview and storage of the owner's answers to one order. */
export const answerRoutes = new Hono<ConsoleEnv>()
  .post("/order/preview", question, body(previewBody), async (c) => {
    const { owner, connection, requestId, language, deps } = c.var;
    const { order_id: idExternal, answers } = c.req.valid("json");
    const outcome = await owner.previewOrder(connection.id, { idExternal, answers, requestId });
    switch (outcome.outcome) {
      case "previewed": {
        const { preview } = outcome;
        const [names, sheetOf] = await Promise.all([
          deps.members.namesOf([...new Set(Object.values(preview.madeBy))]),
          draftSheets(c),
        ]);
        return c.json({ success: true as const, data: shownPreview(preview, { language, names, sheetOf }) });
      }
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  })
  .post("/order/answers", body(answersBody), async (c) => {
    const { owner, connection, requestId, user } = c.var;
    const { order_id: idExternal, answers, for_all: forAll } = c.req.valid("json");
    const asking = { userId: user.id, idExternal, requestId };
    const chosen = forAll?.answers.flatMap((index) => answers[index] ?? []) ?? [];
    const answered = await answeredQuestions(c, idExternal, chosen);
    // The declaration for all sales runs last: it redecides the other orders, and this order must be decided
    // before.
    const outcome =
      answers.length === 0
        ? await owner.decideAgain(connection.id, asking)
        : await owner.answerTogether(connection.id, { ...asking, answers });
    const order = answeredOrder(c, outcome);
    const change = declaredForAll(chosen);
    if (!change) return c.json({ success: true as const, data: order });
    const { profile_id: profileId } = forAll ?? {};
    const of = profileId === undefined ? {} : { profileId };
    await act(c, { verb: "declare_sales", change, answered, ...of });
    return c.json({ success: true as const, data: order });
  });

/** The questions that the order asks before it is answered, of the answers that are remembered. */
async function answeredQuestions(
  c: Context<ConsoleEnv>,
  idExternal: string,
  chosen: readonly OrderAnswer[],
): Promise<readonly AnsweredQuestion[]> {
  if (chosen.length === 0) return [];
  const { account, connection, reads } = c.var;
  const read = await reads.order.read(account.accountId, connection.id, idExternal);
  return read ? chosen.flatMap((answer) => answeredQuestion(answer, read.order) ?? []) : [];
}

/** One answer to several orders of any connections; the reply has an outcome for each order. */
export const manyAnswersRoutes = new Hono<ConsoleEnv>().post("/review/answers", body(manyBody), async (c) => {
  const { deps, requestId, user, language } = c.var;
  const { orders, answer } = c.req.valid("json");
  await refuseStrangers(c, [...new Set(orders.map(({ connection }) => connection))]);
  const outcomes = await Promise.all(
    orders.map(async ({ connection, order_id: idExternal }) => {
      const answering = { userId: user.id, idExternal, answer, requestId };
      const outcome = await deps.owner(connection).answerOrder(connection, answering);
      return { connectionId: connection, orderId: idExternal, ...shownOutcome(outcome, language) };
    }),
  );
  return c.json({ success: true as const, data: { outcomes } });
});

/** Another account's connection and a missing connection get the same reply. */
async function refuseStrangers(c: Context<ConsoleEnv>, connections: readonly string[]): Promise<void> {
  const { account, reads } = c.var;
  const known = await Promise.all(
    connections.map((id) => reads.accounts.readConnection(account.accountId, id)),
  );
  if (known.some((connection) => connection === undefined)) return refuse(c, "not_found");
}

/** Orders that wait for the owner, oldest due date first. */
export const reviewRoutes = new Hono<ConsoleEnv>()
  .get("/review", query(reviewQuery), async (c) => {
    const { account, reads, language } = c.var;
    const { cursor: from, ...query } = c.req.valid("query");
    const today = await todayOf(c);
    const read = await reads.review.queue(account.accountId, reviewFilterOf(query), {
      limit: PAGE,
      ...(from ? { from } : {}),
    });
    const page = pageAround(read, from, reviewKeyOf);
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
      ...query
    } = c.req.valid("query");
    const key = { dueDate, connectionId, idExternal };
    const filter = reviewFilterOf(query);
    const nearest = (way: "after" | "before") =>
      reads.review.queue(account.accountId, filter, { limit: 1, from: { way, key } });
    const [before, previous, next] = await Promise.all([
      reads.review.placeOf(account.accountId, filter, key),
      nearest("before"),
      nearest("after"),
    ]);
    const data = { place: before + 1, previous: neighbour(previous.rows), next: neighbour(next.rows) };
    return c.json({ success: true as const, data });
  });

export const similarRoutes = new Hono<ConsoleEnv>().get("/order/alike", query(similarQuery), async (c) => {
  const { account, reads, connection } = c.var;
  const { order_id: except, code, about, profile_id: profileId } = c.req.valid("query");
  const orders = await countSimilar(
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

function reviewFilterOf({ connection: connectionId, reason }: Asked) {
  return {
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function reviewKeyOf({ dueDate, connectionId, idExternal }: OrderListed): ReviewKey {
  return { dueDate, connectionId, idExternal };
}

function neighbour([listed]: readonly OrderListed[]) {
  return listed ? { connectionId: listed.connectionId, orderId: listed.idExternal } : null;
}

/** Today in the issuer's time zone. */
async function todayOf(c: Context<ConsoleEnv>) {
  const { account, reads, deps } = c.var;
  const [shown] = await reads.accounts.readAccounts([account.accountId]);
  return localTime(deps.now(), shown?.timeZone ?? "Europe/Madrid").date;
}

/** Orders that wait for the owner's consent, and the progress of their release. */
export const waitingRoutes = new Hono<ConsoleEnv>()
  .get("/waiting", query(cutoffQuery), async (c) => {
    const { account, reads, connection } = c.var;
    const { cutoff } = c.req.valid("query");
    const waiting = await waitingOrders(account.accountId, connection.id, cutoff, reads.waiting);
    return c.json({ success: true as const, data: waiting });
  })
  .get("/waiting/cutoff", query(cutoffQuery), async (c) => {
    const { account, reads, connection } = c.var;
    const { cutoff } = c.req.valid("query");
    const effect = await effectOfCutoff(account.accountId, connection.id, cutoff, reads.waiting);
    if (!effect) return refuseByRule(c, { code: "consent_missing", facts: {} });
    return c.json({ success: true as const, data: effect });
  })
  .get("/waiting/progress", async (c) => {
    const { account, reads, connection, deps } = c.var;
    const release = await reads.waiting.release(account.accountId, connection.id);
    if (!release) return refuseByRule(c, { code: "consent_missing", facts: {} });
    return c.json({ success: true as const, data: progressOf(release, deps.now()) });
  });
