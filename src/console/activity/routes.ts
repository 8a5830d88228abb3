import { Hono } from "hono";
import * as z from "zod";
import { ACTIVITY_AREAS, CONNECTOR, OPERATOR, verbsOf } from "../../domain/connection/activity-areas.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { type TimeZone, withIso } from "../../domain/shared/instant.ts";
import { VERBS } from "../../ledger/verbs/table.ts";
import type { ConsoleEnv } from "../deps.ts";
import { beginningOf, issuerDay } from "../issuer-day.ts";
import { listedDay, query } from "../shapes.ts";
import type { ActivityPlace, ActivityQuery } from "./queries.ts";

export const activityQuery = z.strictObject({
  person: z.string().max(100).optional(),
  area: z.enum(ACTIVITY_AREAS).optional(),
  from: listedDay.optional(),
  to: listedDay.optional(),
  cursor: z.string().max(200).optional(),
});

const PAGE = 25;

/** The account's audit log, newest first. */
export const activityRoutes = new Hono<ConsoleEnv>()
  .get("/activity", query(activityQuery), async (c) => {
    const { account, reads, deps } = c.var;
    const { zone } = await issuerDay(c);
    const page = await reads.activity.page(account.accountId, activityQueryFrom(c.req.valid("query"), zone));
    const names = await deps.members.namesOf([...new Set(page.lines.map(({ userId }) => userId))]);
    // Operators act by commands and are not members of the company.
    const nameOf = (userId: string) => (userId === OPERATOR ? "Cuadre" : (names.get(userId) ?? null));
    const byKey = (userId: string) => userId === CONNECTOR;
    const items = page.lines.map((line) => ({
      ...{ ...withIso(line, "at"), name: nameOf(line.userId), isByKey: byKey(line.userId) },
    }));
    const data = { items, next: cursorOf("older", page.older), previous: cursorOf("newer", page.newer) };
    return c.json({ success: true as const, data });
  })
  .get("/activity/people", async (c) => {
    const { account, reads, deps } = c.var;
    const ids = await reads.activity.people(account.accountId);
    const names = await deps.members.namesOf(ids);
    const people = ids.flatMap((id) => {
      const name = names.get(id);
      return name === undefined ? [] : [{ id, name }];
    });
    return c.json({ success: true as const, data: { people } });
  });

function activityQueryFrom(
  { person, area, from, to, cursor }: z.infer<typeof activityQuery>,
  zone: TimeZone,
): ActivityQuery {
  const place = placeFrom(cursor);
  return {
    limit: PAGE,
    ...(person === undefined ? {} : { userId: person }),
    ...(area === undefined ? {} : { verbs: verbsOf(area, VERBS) }),
    ...(from === undefined ? {} : { from: beginningOf(from, zone) }),
    ...(to === undefined ? {} : { before: beginningOf(nextDay(to), zone) }),
    ...(place ? { place } : {}),
  };
}

/** Plain text, because the day after the last valid `CivilDate` is not a valid one. */
function nextDay(day: CivilDate): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, "YYYY-MM-DD".length);
}

type Side = "older" | "newer";

function cursorOf(side: Side, place: ActivityPlace | undefined): string | null {
  return place ? `${side}.${place.at}.${place.row}` : null;
}

/** An invalid cursor yields the first page. */
function placeFrom(cursor: string | undefined): ActivityQuery["place"] {
  const [, side, at, row] = /^(older|newer)\.(\d{1,15})\.(\d{1,15})$/.exec(cursor ?? "") ?? [];
  if (!side || !at || !row) return undefined;
  return { side: side === "newer" ? "newer" : "older", than: { at: Number(at), row: Number(row) } };
}
