import { IDENTITY } from "../../domain/limits.ts";
import { insertSession } from "./links.ts";
import { languageIn, PERSON, personIn } from "./people.ts";
import type { LoginStore } from "./ports.ts";
import { changed, numberOf, rowOf, type Statement, statementsOf, textOf } from "./statements.ts";

/** Passwords, sessions and known devices, in the directory. */
export function loginStore(directory: D1Database): LoginStore {
  const run = statementsOf(directory);
  return {
    ...sessions(run),
    async signingIn(email, devices, now) {
      const row = rowOf(
        await run(
          `SELECT ${PERSON}, (SELECT password FROM credential WHERE user_id = user.id LIMIT 1) AS password,
             (SELECT id_sha256 FROM known_device WHERE user_id = user.id AND expires_at > ?3
               AND id_sha256 IN (SELECT value FROM json_each(?2)) LIMIT 1) AS device
           FROM user WHERE user.email = ?1`,
          ...[email, JSON.stringify(devices), now],
        ).all(),
      );
      if (!row) return undefined;
      const [passwordHash, device] = [textOf(row, "password"), textOf(row, "device")];
      return { ...personIn(row), passwordHash: passwordHash || undefined, device: device || undefined };
    },
    async beginSession(session, { passwordHash, language, newDevice }) {
      const { userId, id, now } = session;
      const stands = "EXISTS (SELECT 1 FROM credential WHERE user_id = ?1 AND password = ?8)";
      const isIn = "EXISTS (SELECT 1 FROM session WHERE id = ?2 AND user_id = ?1)";
      const [begun] = await directory.batch([
        insertSession(run, session, { text: stands, values: [passwordHash] }),
        // In a new browser it may be another person's choice.
        run(
          `UPDATE user SET language = ?3 WHERE id = ?1 AND ?4 IS NULL AND ${isIn}`,
          ...[userId, id, language, newDevice?.idSha256 ?? null],
        ),
        run(
          `INSERT INTO known_device (user_id, id_sha256, created_at, expires_at)
           SELECT ?1, ?3, ?4, ?5 WHERE ?3 IS NOT NULL AND ${isIn}`,
          ...[userId, id, newDevice?.idSha256 ?? null, now, newDevice?.expiresAt ?? null],
        ),
        forgetOldest(run, "known_device", userId, IDENTITY.mostDevices),
        forgetOldest(run, "session", userId, IDENTITY.mostSessions),
      ]);
      return changed(begun);
    },
    async passwordOf(userId) {
      const row = rowOf(await run("SELECT password FROM credential WHERE user_id = ?1", userId).all());
      return row && (textOf(row, "password") || undefined);
    },
    async languageOf(userId) {
      const row = rowOf(await run("SELECT language FROM user WHERE id = ?1", userId).all());
      return row && languageIn(row);
    },
    async changePassword({ userId, sessionId, was, becomes, now }) {
      const isChanged = "EXISTS (SELECT 1 FROM credential WHERE user_id = ?1 AND password = ?2)";
      const [change] = await directory.batch([
        run(
          "UPDATE credential SET password = ?2, updated_at = ?4 WHERE user_id = ?1 AND password = ?3",
          ...[userId, becomes, was, now],
        ),
        run(
          `DELETE FROM session WHERE user_id = ?1 AND id <> ?3 AND ${isChanged}`,
          userId,
          becomes,
          sessionId,
        ),
        run(
          `DELETE FROM identity_link WHERE user_id = ?1 AND kind <> 'old_email' AND ${isChanged}`,
          ...[userId, becomes],
        ),
      ]);
      return changed(change);
    },
  };
}

/** By row, the oldest first: of a table that has a person's rows without end. */
export function forgetOldest(
  run: Statement,
  table: "known_device" | "session",
  userId: string,
  most: number,
) {
  return run(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE user_id = ?1
     ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?2)`,
    ...[userId, most],
  );
}

type Sessions = "sessionsOf" | "endSession" | "endSessions" | "sessionLives";

function sessions(run: Statement): Pick<LoginStore, Sessions> {
  return {
    async sessionsOf(userId, now) {
      const { results } = await run(
        `SELECT id, user_agent, created_at, updated_at FROM session WHERE user_id = ?1 AND expires_at > ?2
         ORDER BY updated_at DESC, id LIMIT ?3`,
        ...[userId, now, IDENTITY.mostSessions],
      ).all();
      return results.map((row) => ({
        ...{ id: textOf(row, "id"), device: textOf(row, "user_agent") || null },
        ...{ firstSeenAt: numberOf(row, "created_at"), lastSeenAt: numberOf(row, "updated_at") },
      }));
    },
    async endSession(userId, sessionId) {
      return changed(
        await run("DELETE FROM session WHERE user_id = ?1 AND id = ?2", userId, sessionId).run(),
      );
    },
    async endSessions(userId, but) {
      await run("DELETE FROM session WHERE user_id = ?1 AND id <> ?2", userId, but ?? "").run();
    },
    async sessionLives(userId, sessionId) {
      const found = await run(
        "SELECT 1 FROM session WHERE user_id = ?1 AND id = ?2",
        userId,
        sessionId,
      ).all();
      return found.results.length > 0;
    },
  };
}
