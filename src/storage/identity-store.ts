import { eq, sql } from "drizzle-orm";
import type { SignInFailures } from "../usecases/console/identity-ports.ts";
import { databaseOn } from "./database.ts";
import { signInFailure } from "./schema/identity.ts";

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
