import { eq, lt, sql } from "drizzle-orm";
import type { SignInFailures } from "../usecases/console/identity-ports.ts";
import { databaseOn } from "./database.ts";
import { invitation, session, signInFailure, verification } from "./schema/identity.ts";

export function signInFailures(directory: D1Database): SignInFailures {
  const db = databaseOn(directory);
  return {
    async read(emailSha256) {
      const [row] = await db
        .select({ failures: signInFailure.failures, since: signInFailure.since })
        .from(signInFailure)
        .where(eq(signInFailure.emailSha256, emailSha256));
      return row;
    },
    async count(emailSha256, now, windowMs) {
      const isOver = sql`${signInFailure.since} <= ${now - windowMs}`;
      await db
        .insert(signInFailure)
        .values({ emailSha256, failures: 1, since: now })
        .onConflictDoUpdate({
          target: signInFailure.emailSha256,
          set: {
            failures: sql`CASE WHEN ${isOver} THEN 1 ELSE ${signInFailure.failures} + 1 END`,
            since: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${signInFailure.since} END`,
          },
        });
    },
    async forget(emailSha256) {
      await db.delete(signInFailure).where(eq(signInFailure.emailSha256, emailSha256));
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
