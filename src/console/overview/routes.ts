import { Hono } from "hono";
import * as z from "zod";
import { isoInstant, localTime } from "../../domain/shared/instant.ts";
import { adviceFor } from "../../domain/verifactu/submission/corrections.ts";
import { adviceText, type Language } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { zoneOf } from "../invoices/routes.ts";
import { shownListed, shownSums } from "../invoices/view.ts";
import { idOf, query } from "../shapes.ts";
import { type Declined, viewAttention, viewOverview } from "./view.ts";

export const overviewQuery = z.strictObject({ connection: idOf(64).optional() });

const LATEST = 6;

export const overviewRoutes = new Hono<ConsoleEnv>()
  .get("/overview", query(overviewQuery), async (c) => {
    const { account, reads, deps } = c.var;
    const { connection: connectionId } = c.req.valid("query");
    const today = localTime(deps.now(), await zoneOf(c)).date;
    const query = {
      ...{ month: today.slice(0, 7), latest: LATEST },
      ...(connectionId === undefined ? {} : { connectionId }),
    };
    const read = await reads.overview.readOverview(account.accountId, query);
    const shown = viewOverview(read, { ...query, today });
    return c.json({
      success: true as const,
      data: {
        today: { date: today, ...shownSums(shown.today) },
        month: { month: query.month, ...shownSums(shown.month) },
        rectifying: shownSums(shown.rectifying),
        days: shown.days,
        latest: shown.latest.map(shownListed),
      },
    });
  })
  .get("/overview/attention", async (c) => {
    const { account, reads, language } = c.var;
    const read = viewAttention(await reads.overview.readAttention(account.accountId));
    return c.json({
      success: true as const,
      data: {
        held: read.held,
        duplicates: shownDeclined(read.duplicates, language),
        rejected: shownDeclined(read.rejected, language),
        flawed: shownDeclined(read.flawed, language),
        ours: shownDeclined(read.ours, language),
        newStores: read.newStores,
        twoKeys: read.twoKeys.map(({ since, ...keys }) => ({ ...keys, since: isoInstant(since) })),
      },
    });
  });

/** The number of invoices, and the advice for the newest. */
function shownDeclined({ invoices, newest }: Declined, language: Language) {
  if (!newest) return { invoices };
  const { id, fullNumber, state, code, text, duplicate } = newest;
  const operation = {
    kind: "ALTA",
    amends: false,
    previousRejection: "N",
    withoutPreviousRecord: false,
  } as const;
  const hold = duplicate === undefined ? {} : ({ hold: "foreign_duplicate" } as const);
  const record = { operation, state, ...hold, ...(code === undefined ? {} : { code }) };
  const advice = adviceFor(record, duplicate);
  const facts = {
    number: fullNumber,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(text === undefined ? {} : { aeat_message: text.trim().replace(/\.$/, "") }),
  };
  return {
    invoices,
    newest: {
      ...{ id, fullNumber },
      ...(code === undefined ? {} : { code }),
      ...(advice === undefined ? {} : { advice: adviceText({ code: advice, facts }, language) }),
    },
  };
}
