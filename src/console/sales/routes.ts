import { type Context, Hono } from "hono";
import * as z from "zod";
import { sentText, text } from "../../api/wire/values.ts";
import { CONSOLE_ANSWER_BYTES } from "../../domain/limits.ts";
import { comparableCode } from "../../domain/shared/text.ts";
import { errorSentence } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { question } from "../gates.ts";
import { issuerDay } from "../issuer-day.ts";
import { act } from "../owner-verb.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { body, query, refuseValue } from "../shapes.ts";
import {
  draftMatch,
  newProfileBody,
  type OrderTestBody,
  orderTestBody,
  profileChange,
  profileChangeBody,
  profileDraft,
  salesBody,
  salesChange,
  stem,
} from "./forms.ts";
import type { OrderMatched, StemReading } from "./queries.ts";
import { checkTypedStem, type StemOwner } from "./series-view.ts";
import { sellingView, testOrder } from "./view.ts";

/** Ids are compared exactly, so they are never trimmed. */
const id = sentText(255).min(1).max(255);

export const stemBody = z.strictObject({ stem });

export const tagRuleBody = z.strictObject({ tag: text(255), action: z.enum(["hold", "ignore"]) });
export const tagQuery = z.strictObject({ tag: z.string().max(300) });

/** Index of the page's first row. */
export const fromQuery = z.strictObject({
  from: sentText(6)
    .transform((sent, context) =>
      /^\d{1,6}$/.test(sent) ? Number(sent) : refuseValue(context, { en: "a number", es: "un número" }),
    )
    .optional(),
});

/** A stem while the user types it, for an existing profile or a new one. */
export const profileStemBody = z.strictObject({ stem, profile: id.optional() });

/** How each connection of the account selects, treats and numbers its orders. */
export const sellingList = new Hono<ConsoleEnv>().get("/profiles", query(fromQuery), async (c) => {
  const [{ year }, selling] = await Promise.all([
    issuerDay(c),
    c.var.reads.selling.list(c.var.account.accountId),
  ]);
  const views = selling.map((one) => sellingView(one, year));
  const { rows: connections, next } = pageOfBytes(views, c.req.valid("query").from ?? 0);
  return c.json({ success: true as const, data: { connections, next } });
});

export const profileRoutes = new Hono<ConsoleEnv>()
  .get("/profiles", async (c) => {
    const [{ year }, reading] = await Promise.all([issuerDay(c), readSelling(c)]);
    return c.json({ success: true as const, data: sellingView(reading, year) });
  })
  .post("/profiles", body(newProfileBody), async (c) => {
    const form = c.req.valid("json");
    const profile = profileDraft(form);
    const shown = await act(c, { verb: "add_profile", profile, sales: salesChange(form) });
    return c.json({ success: true as const, data: { id: shown.profile_id ?? "" } }, 201);
  })
  .put("/profiles/:profile", body(profileChangeBody), async (c) => {
    const { version, ...form } = c.req.valid("json");
    const [change, sales] = [profileChange(form), salesChange(form)];
    await act(c, { verb: "change_profile", id: c.req.param("profile"), change, sales, seen: version });
    return c.json({ success: true as const, data: {} });
  })
  .delete("/profiles/:profile", async (c) => {
    await act(c, { verb: "remove_profile", id: c.req.param("profile") });
    return c.json({ success: true as const, data: {} });
  })
  .put("/sales", body(salesBody), async (c) => {
    const { version, ...form } = c.req.valid("json");
    await act(c, { verb: "declare_sales", change: salesChange(form), seen: version });
    return c.json({ success: true as const, data: {} });
  })
  .put("/tags", body(tagRuleBody), async (c) => {
    await act(c, { verb: "set_tag_rule", rule: c.req.valid("json") });
    return c.json({ success: true as const, data: {} });
  })
  .delete("/tags", query(tagQuery), async (c) => {
    await act(c, { verb: "remove_tag_rule", tag: c.req.valid("query").tag });
    return c.json({ success: true as const, data: {} });
  })
  .post("/stem/check", question, body(stemBody), async (c) => {
    return c.json({
      success: true as const,
      data: await checkedStem(c, c.req.valid("json").stem, "orders"),
    });
  })
  .post("/profiles/stem/check", question, body(profileStemBody), async (c) => {
    const { stem, profile } = c.req.valid("json");
    const owner = profile === undefined ? "new_profile" : { profile };
    return c.json({ success: true as const, data: await checkedStem(c, stem, owner) });
  })
  .post("/profiles/test", question, body(orderTestBody), async (c) => {
    const body = c.req.valid("json");
    const [reading, order] = await Promise.all([readSelling(c), orderOf(c, body)]);
    const { goesTo, isAssigned, isStoreLeftOut } = testOrder(order, reading, draftMatch(body));
    const { sourceChannel = null, storeId = null } = order;
    const data = { goesTo, isAssigned, isStoreLeftOut, order: { channel: sourceChannel, storeId } };
    return c.json({ success: true as const, data });
  });

async function readSelling(c: Context<ConsoleEnv>): Promise<StemReading> {
  const { account, connection, reads } = c.var;
  const reading = await reads.selling.read(account.accountId, connection.id);
  return reading ?? refuse(c, "not_found");
}

async function checkedStem(c: Context<ConsoleEnv>, stem: string, owner: StemOwner) {
  const [{ year }, reading] = await Promise.all([issuerDay(c), readSelling(c)]);
  const { series, refusal } = checkTypedStem(stem, owner, { reading, year });
  const problem = refusal ? errorSentence(refusal.code, refusal.facts, c.var.language) : null;
  return { series, problem };
}

/** A stored order if the request has its id, else an order with the described members. */
async function orderOf(
  c: Context<ConsoleEnv>,
  { order, channel, store_id: storeId }: OrderTestBody,
): Promise<OrderMatched> {
  if (order) {
    const { account, connection, reads } = c.var;
    const found = await reads.selling.readOrder(account.accountId, connection.id, order);
    return found ?? refuseByRule(c, { code: "order_unknown", facts: { order }, path: "order" });
  }
  return {
    ...(channel ? { sourceChannel: comparableCode(channel) } : {}),
    ...(storeId ? { storeId } : {}),
  };
}

/** Size of the response around the rows. */
const AROUND_BYTES = 1_000;

export interface PageOfBytes<Row> {
  readonly rows: readonly Row[];
  /** Index of the first row that did not fit; null after the last row. */
  readonly next: number | null;
}

/** Returns as many rows as fit into a response; a single row always fits. */
export function pageOfBytes<Row>(all: readonly Row[], from: number): PageOfBytes<Row> {
  const rows: Row[] = [];
  let bytes = AROUND_BYTES;
  for (const row of all.slice(from)) {
    bytes += new TextEncoder().encode(JSON.stringify(row)).length + 1;
    if (rows.length > 0 && bytes > CONSOLE_ANSWER_BYTES) return { rows, next: from + rows.length };
    rows.push(row);
  }
  return { rows, next: null };
}
