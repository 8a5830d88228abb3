import { IDENTITY } from "../../domain/limits.ts";
import type { EventStore, LoginStore, PasskeyStore } from "./login-stores.ts";
import { insertSession, keepMailbox } from "./mailed-links.ts";
import { FACTOR_ALLOWS, useFactor } from "./second-factor.ts";
import {
  changed,
  languageIn,
  numberOf,
  PERSON,
  personIn,
  rowOf,
  type Statement,
  statementsOf,
  textOf,
} from "./statements.ts";

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
    async beginSession(session, { passwordHash, language, newDevice, mailbox, use }) {
      const { userId, id, now } = session;
      const isAllowed = `EXISTS (SELECT 1 FROM credential WHERE user_id = ?1 AND password = ?8)
        AND ${FACTOR_ALLOWS}`;
      const using = useFactor(run, { userId, usedBy: id }, use);
      const isIn = "EXISTS (SELECT 1 FROM session WHERE id = ?2 AND user_id = ?1)";
      const results = await directory.batch([
        ...using,
        insertSession(run, session, { text: isAllowed, values: [passwordHash] }),
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
        ...keepMailbox(mailbox, (text, ...values) => run(`${text} AND ${isIn}`, userId, id, now, ...values)),
        forgetOldest(run, "known_device", userId, IDENTITY.mostDevices),
        forgetOldest(run, "session", userId, IDENTITY.mostSessions),
      ]);
      return changed(results[using.length]);
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
function forgetOldest(run: Statement, table: "known_device" | "session", userId: string, most: number) {
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

const PASSKEY = "EXISTS (SELECT 1 FROM passkey WHERE user_id = ?1 AND credential_id = ?3)";
const SESSION = "EXISTS (SELECT 1 FROM session WHERE user_id = ?1 AND id = ?2)";

/** The library works in several steps: these statements close the gap in which a recovery may happen. */
export function passkeyStore(directory: D1Database): PasskeyStore {
  const run = statementsOf(directory);
  const bothStand = (...values: readonly [string, string, string]) =>
    run(`SELECT ${PASSKEY} AND ${SESSION} AS stand`, ...values);
  return {
    async countOf(userId) {
      return numberOf(
        rowOf(await run("SELECT count(*) AS count FROM passkey WHERE user_id = ?1", userId).all()),
        "count",
      );
    },
    async confirmSession(...values) {
      const [stand] = await directory.batch([
        bothStand(...values),
        run(`DELETE FROM session WHERE user_id = ?1 AND id = ?2 AND NOT ${PASSKEY}`, ...values),
        forgetOldest(run, "session", values[0], IDENTITY.mostSessions),
      ]);
      return numberOf(rowOf(stand), "stand") === 1;
    },
    async confirmPasskey(...values) {
      const [stand] = await directory.batch([
        bothStand(...values),
        run(`DELETE FROM passkey WHERE user_id = ?1 AND credential_id = ?3 AND NOT ${SESSION}`, ...values),
      ]);
      return numberOf(rowOf(stand), "stand") === 1;
    },
    async recogniseDevice(userId, { devices, newDevice, now, mailbox }) {
      const isKnown = `EXISTS (SELECT 1 FROM known_device WHERE user_id = ?1 AND expires_at > ?2
        AND id_sha256 IN (SELECT value FROM json_each(?3)))`;
      const known = JSON.stringify(devices);
      const [found] = await directory.batch([
        run(`SELECT ${isKnown} AS known`, userId, now, known),
        run(
          `INSERT INTO known_device (user_id, created_at, id_sha256, expires_at) SELECT ?1, ?2, ?4, ?5
           WHERE NOT ${isKnown}`,
          ...[userId, now, known, newDevice.idSha256, newDevice.expiresAt],
        ),
        ...keepMailbox(mailbox, (text, ...values) =>
          run(`${text} AND EXISTS (SELECT 1 FROM user WHERE id = ?1)`, userId, now, known, ...values),
        ),
        forgetOldest(run, "known_device", userId, IDENTITY.mostDevices),
      ]);
      return numberOf(rowOf(found), "known") === 1;
    },
  };
}

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
