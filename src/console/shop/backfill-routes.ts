import { Hono } from "hono";
import * as z from "zod";
import { list } from "../../api/wire/values.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { ORDER_STATES, type OrderState } from "../../domain/order/decision.ts";
import { type Instant, isoInstant } from "../../domain/shared/instant.ts";
import { BACKFILL_WOULD, type Confirmed, MOST_LISTED, NO_OUTLOOK } from "../../domain/shop/backfill.ts";
import type { ConsoleEnv } from "../deps.ts";
import { uncontested } from "../gates.ts";
import { act } from "../owner-verb.ts";
import { cursor, cursorOf } from "../pages.ts";
import { body, orderId, query, refuseValue, version } from "../shapes.ts";
import type { BackfillReading, Candidate } from "./backfill-queries.ts";

export const backfillBody = z.strictObject({ from: z.enum(["cutoff", "today", "more"]).default("cutoff") });
/** One of the three ways to name the orders. */
export const confirmBody = z
  .strictObject({
    version,
    all: z.literal(true).optional(),
    would: list(z.enum(ORDER_STATES), ORDER_STATES.length).optional(),
    orders: list(orderId, MOST_LISTED).optional(),
  })
  .transform(({ version: seen, ...given }, context) => {
    const [selected, other] = selections(given);
    if (selected && !other) return { seen, selected };
    return refuseValue(context, {
      en: "one of all, would and orders",
      es: "uno de all, would y orders",
    });
  });

interface Selections {
  readonly all?: true | undefined;
  readonly would?: readonly OrderState[] | undefined;
  readonly orders?: readonly string[] | undefined;
}

function selections({ all, would, orders }: Selections): readonly Confirmed[] {
  return [
    ...(all === undefined ? [] : [{ all }]),
    ...(would === undefined ? [] : [{ would }]),
    ...(orders === undefined ? [] : [{ orders }]),
  ];
}

export const candidatesQuery = z.strictObject({
  cursor: cursor(z.strictObject({ place: z.int() })).optional(),
  would: z.enum(BACKFILL_WOULD).optional(),
});

const PAGE = 50;
const DONE = { success: true as const, data: {} };

/** Earlier orders of the shop: looked for, shown with what they would become, and confirmed. */
export const backfillRoutes = new Hono<ConsoleEnv>()
  .post("/shop/backfill", uncontested, body(backfillBody), async (c) => {
    await act(c, { verb: "begin_shop_backfill", from: c.req.valid("json").from });
    return c.json(DONE, 202);
  })
  .get("/shop/backfill", query(candidatesQuery), async (c) => {
    const { account, connection, reads } = c.var;
    const { cursor: from, would } = c.req.valid("query");
    const reading = await reads.backfill.list(account.accountId, connection.id, {
      limit: PAGE,
      ...(from ? { after: from.key.place } : {}),
      ...(would === undefined ? {} : { would }),
    });
    const last = reading?.hasMore ? reading.rows.at(-1) : undefined;
    const next = last ? cursorOf({ way: "after", key: { place: last.place } }) : null;
    const items = (reading?.rows ?? []).map(candidateView);
    return c.json({ success: true as const, data: { backfill: backfillView(reading), items, next } });
  })
  .post("/shop/backfill/confirm", uncontested, body(confirmBody), async (c) => {
    await act(c, { verb: "confirm_shop_backfill", ...c.req.valid("json") });
    return c.json(DONE, 202);
  })
  .delete("/shop/backfill", async (c) => {
    await act(c, { verb: "end_shop_backfill" });
    return c.json(DONE);
  });

/** The search with its figures; null if there is none. */
export function backfillView(reading: BackfillReading | undefined) {
  if (!reading) return null;
  const { backfill, counts, failing, givenUp } = reading;
  const { state, since, begunAt, hasMore, failure, dueAt } = backfill;
  const sum = (of: (count: BackfillReading["counts"][number]) => number) =>
    counts.reduce((all, count) => all + of(count), 0);
  return {
    state,
    from: since,
    begunAt: isoInstant(begunAt),
    listed: sum(({ found }) => found),
    lookedAt: sum(({ would, found }) => (would === "" ? 0 : found)),
    confirmed: sum(({ confirmed }) => confirmed),
    decided: sum(({ decided }) => decided) - givenUp.count,
    failing,
    givenUp,
    hasMore,
    failure: failure ?? null,
    nextAt: isoOrNull(dueAt),
    counts: counts.flatMap(({ would, found, confirmed }) =>
      would === "" ? [] : [{ would, orders: found, confirmed }],
    ),
    version: FORM_VERSIONS.backfill(backfill),
  };
}

function candidateView({ orderId: id, outlook = NO_OUTLOOK, ...candidate }: Candidate) {
  const { reference, orderedAt, status, total, currency } = outlook;
  const { would, confirmed, decidedAt, failure } = candidate;
  return {
    orderId: id,
    reference: reference ?? null,
    orderedAt: isoOrNull(orderedAt),
    status: status ?? null,
    would,
    reasons: outlook.reasons,
    warnings: outlook.warnings,
    missing: outlook.missing,
    total: total ?? null,
    currency: currency ?? null,
    invoices: outlook.invoices,
    confirmed,
    decidedAt: isoOrNull(decidedAt ?? undefined),
    failure: failure ?? outlook.failure ?? null,
  };
}

function isoOrNull(at: Instant | undefined): string | null {
  return at === undefined ? null : isoInstant(at);
}
