import { Hono } from "hono";
import * as z from "zod";
import { questionParts } from "../../domain/order/question.ts";
import { isoInstant } from "../../domain/shared/instant.ts";
import type { Language } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { namesIn } from "../orders/questions.ts";
import { shownReason } from "../orders/view.ts";
import { actAt } from "../owner-verb.ts";
import { cursor, cursorOf } from "../pages.ts";
import { refuse, refuseByRule } from "../refuse.ts";
import { idOf, query, version } from "../shapes.ts";
import type { RememberedListed } from "./remembered-queries.ts";

const setting = z.string().min(1).max(3_100);
const place = { connectionId: z.string().max(64), profileId: z.string().max(64), setting };
const rememberedKey = z.strictObject({ rememberedAt: z.int(), ...place });

export const rememberedQuery = z.strictObject({ cursor: cursor(rememberedKey).optional() });

/** An answer by the sales that it is part of, and by the version that the list has of it. */
export const forgottenQuery = z.strictObject({
  connection: idOf(64),
  profile: idOf(64).optional(),
  setting,
  version,
});

const PAGE = 25;

/** Answers that owners had remembered, and their end. */
export const rememberedRoutes = new Hono<ConsoleEnv>()
  .get("/remembered", query(rememberedQuery), async (c) => {
    const { account, reads, deps, language } = c.var;
    const after = c.req.valid("query").cursor?.key;
    const rows = await reads.remembered.list(account.accountId, PAGE + 1, after);
    const items = rows.slice(0, PAGE);
    const last = rows.length > PAGE ? items.at(-1) : undefined;
    const names = await deps.members.namesOf([...new Set(items.map(({ userId }) => userId))]);
    return c.json({
      success: true as const,
      data: {
        items: items.map((row) => shownRemembered(row, names, language)),
        next: last ? cursorOf({ way: "after", key: keyOf(last) }) : null,
      },
    });
  })
  .delete("/remembered", query(forgottenQuery), async (c) => {
    const { account, reads } = c.var;
    const { connection, profile, setting: named, version: seen } = c.req.valid("query");
    const own = await reads.accounts.readConnection(account.accountId, connection);
    if (!own) return refuse(c, "not_found");
    const of = { connectionId: connection, profileId: profile ?? "", setting: named };
    const found = await reads.remembered.find(account.accountId, of);
    // Forgotten already.
    if (!found) return c.json({ success: true as const, data: {} });
    if (versionOf(found) !== seen) return refuseByRule(c, { code: "changed_meanwhile", facts: {} });
    await actAt(c, connection, {
      ...{ verb: "forget_answer", setting: named, value: found.value },
      ...(profile === undefined ? {} : { profileId: profile }),
    });
    return c.json({ success: true as const, data: {} });
  });

function keyOf({ rememberedAt, connectionId, profileId, setting: named }: RememberedListed) {
  return { rememberedAt, connectionId, profileId, setting: named };
}

function versionOf({ rememberedAt }: Pick<RememberedListed, "rememberedAt">): string {
  return String(rememberedAt);
}

function shownRemembered(row: RememberedListed, names: ReadonlyMap<string, string>, language: Language) {
  const { connectionId, connection, profileId, profile, reason, uses, userId } = row;
  const parts = questionParts(row.question);
  return {
    ...{ connectionId, connection, uses },
    profile: profileId === "" ? null : { id: profileId, name: profile ?? "" },
    setting: row.setting,
    value: valueIn(row.value),
    code: parts?.code ?? null,
    about: parts?.about ?? [],
    /** Empty for answers of earlier versions: their question is known by its code. */
    title: reason ? shownReason(reason, language).title : "",
    names: reason ? namesIn(reason) : {},
    rememberedBy: names.get(userId) ?? null,
    rememberedAt: isoInstant(row.rememberedAt),
    version: versionOf(row),
  };
}

/** A treatment as its kind and rate; any other setting is one word. */
function valueIn(value: unknown): { readonly as: string; readonly rate: string | null } {
  if (typeof value === "string") return { as: value, rate: null };
  const { as = "", rate = null } = value as { readonly as?: string; readonly rate?: string | null };
  return { as, rate };
}
