import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Setting, valuesIn } from "../../domain/order/remembered.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { rememberedAnswer } from "../schema/review.ts";
import type { AnsweredQuestion, ProfileId, UsedSetting } from "./remembered-answer.ts";

interface Owner {
  readonly accountId: string;
  readonly connectionId: string;
}

interface RememberedBy {
  readonly profileId: ProfileId;
  readonly userId: string;
  readonly at: Instant;
}

/** A newer answer takes the place of the one before it. */
export function rememberSettings(
  db: Database,
  { accountId, connectionId }: Owner,
  { change, question, reason, uses }: AnsweredQuestion,
  { profileId = "", userId, at }: RememberedBy,
): FencedStatement[] {
  return [...valuesIn(change)].map(([setting, value]) => {
    const said = {
      ...{ accountId, userId, question, uses, rememberedAt: at },
      reason: reason ? JSON.stringify(reason) : null,
      value: JSON.stringify(value),
    };
    const { connectionId: ofConnection, profileId: ofProfile, setting: named } = rememberedAnswer;
    return db
      .insert(rememberedAnswer)
      .values({ connectionId, profileId, setting, ...said })
      .onConflictDoUpdate({ target: [ofConnection, ofProfile, named], set: said });
  });
}

/** Settings with another value, or none, are no longer what was answered. */
export function forgetSettings(
  db: Database,
  { connectionId }: Owner,
  profileId: ProfileId,
  settings: readonly Setting[],
): FencedStatement[] {
  if (settings.length === 0) return [];
  const isThese = inArray(
    rememberedAnswer.setting,
    sql`(SELECT value FROM json_each(${JSON.stringify(settings)}))`,
  );
  return [db.delete(rememberedAnswer).where(and(ofSales(connectionId, profileId), isThese))];
}

export function forgetProfile(db: Database, { connectionId }: Owner, profileId: string): FencedStatement {
  return db.delete(rememberedAnswer).where(ofSales(connectionId, profileId));
}

function ofSales(connectionId: string, profileId: ProfileId): SQL | undefined {
  return and(
    eq(rememberedAnswer.connectionId, connectionId),
    eq(rememberedAnswer.profileId, profileId ?? ""),
  );
}

/** One statement for a batch, in which the invoices of the orders are. */
export function countUses(
  db: Database,
  connectionId: string,
  used: readonly UsedSetting[],
): FencedStatement[] {
  if (used.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { profileId = "", setting } of used) {
    const key = JSON.stringify([profileId, setting]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const json = JSON.stringify([...counts].map(([key, n]) => [...(JSON.parse(key) as string[]), n]));
  const { profileId, setting, uses } = rememberedAnswer;
  const isUsed = sql`(${profileId}, ${setting}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${json}))`;
  const added = sql`(SELECT value ->> 2 FROM json_each(${json})
    WHERE value ->> 0 = ${profileId} AND value ->> 1 = ${setting})`;
  return [
    db
      .update(rememberedAnswer)
      .set({ uses: sql`${uses} + ${added}` })
      .where(and(eq(rememberedAnswer.connectionId, connectionId), isUsed)),
  ];
}
