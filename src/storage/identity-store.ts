import { eq, lt, sql } from "drizzle-orm";
import type { Attempts } from "../usecases/console/identity-ports.ts";
import { databaseOn } from "./database.ts";
import { invitation, session, signInFailure, verification } from "./schema/identity.ts";

/** No window is longer. */
const LONGEST_WINDOW_MS = 3_600_000;
/** As many as come, and more: the table does not grow for ever. */
const SWEPT = 3;

/** The rows that have been there for longest lie first. */
const OVER = sql`${signInFailure}.rowid IN
  (SELECT oldest.rowid FROM ${signInFailure} AS oldest ORDER BY oldest.rowid LIMIT ${SWEPT})`;

export function attempts(directory: D1Database): Attempts {
  const db = databaseOn(directory);
  return {
    async count(key, now, windowMs) {
      const isOver = sql`${signInFailure.since} <= ${now - windowMs}`;
      const [, [counted]] = await db.batch([
        db.delete(signInFailure).where(sql`${OVER} AND ${signInFailure.since} <= ${now - LONGEST_WINDOW_MS}`),
        db
          .insert(signInFailure)
          .values({ emailSha256: key, failures: 1, since: now })
          .onConflictDoUpdate({
            target: signInFailure.emailSha256,
            set: {
              failures: sql`CASE WHEN ${isOver} THEN 1 ELSE ${signInFailure.failures} + 1 END`,
              since: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${signInFailure.since} END`,
            },
          })
          .returning({ count: signInFailure.failures, since: signInFailure.since }),
      ]);
      return counted ?? { count: 1, since: now };
    },
    async forget(key) {
      await db.delete(signInFailure).where(eq(signInFailure.emailSha256, key));
    },
  };
}

/** Links by which a person could still choose a password: none may outlive the next one. */
export function resetLinks(directory: D1Database): { endOf(userId: string): Promise<void> } {
  const db = databaseOn(directory);
  return {
    async endOf(userId) {
      await db.delete(verification).where(eq(verification.value, userId));
    },
  };
}

const DAY_MS = 86_400_000;
/** Failures count for minutes, and people look at invitations for some weeks. */
const FAILURES_KEPT_MS = DAY_MS;
const INVITATIONS_KEPT_MS = 90 * DAY_MS;

/** Of people who sign in: what has ended by itself and is good for nothing any more. */
export async function forgetExpired(directory: D1Database, now: number): Promise<void> {
  const db = databaseOn(directory);
  await db.batch([
    db.delete(session).where(lt(session.expiresAt, new Date(now))),
    db.delete(verification).where(lt(verification.expiresAt, new Date(now))),
    db.delete(signInFailure).where(lt(signInFailure.since, now - FAILURES_KEPT_MS)),
    db.delete(invitation).where(lt(invitation.expiresAt, now - INVITATIONS_KEPT_MS)),
  ]);
}
