import type { EventStore } from "./ports.ts";
import { numberOf, statementsOf, textOf } from "./statements.ts";

const HOUR_MS = 3_600_000;

/** The sign-in events that a person reads. */
export function eventStore(directory: D1Database): EventStore {
  const run = statementsOf(directory);
  return {
    async keep({ email, event, at, device, id, isMerged }) {
      // For an unknown address the same statement writes nothing.
      await run(
        `INSERT INTO identity_event (id, user_id, event, at, device)
         SELECT CASE WHEN ?6 THEN user.id || ':' || ?2 || ':' || ?7 ELSE ?1 END, user.id, ?2, ?3, ?4
         FROM user WHERE user.email = ?5
         ON CONFLICT (id) DO UPDATE SET count = count + 1, at = ?3, device = ?4`,
        ...[id, event, at, device ?? null, email, isMerged ? 1 : 0, String(Math.floor(at / HOUR_MS))],
      ).run();
    },
    async eventsOf(userId, before, limit) {
      const { results } = await run(
        `SELECT event, at, count, device FROM identity_event WHERE user_id = ?1 AND at < ?2
         ORDER BY at DESC, id LIMIT ?3`,
        ...[userId, before, limit],
      ).all();
      return results.map((row) => ({
        ...{ event: textOf(row, "event"), device: textOf(row, "device") || null },
        ...{ at: numberOf(row, "at"), count: numberOf(row, "count") },
      }));
    },
  };
}
