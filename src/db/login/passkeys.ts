import { IDENTITY } from "../../domain/limits.ts";
import { forgetOldest } from "./logins.ts";
import type { PasskeyStore } from "./ports.ts";
import { numberOf, rowOf, statementsOf } from "./statements.ts";

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
    async recogniseDevice(userId, { devices, newDevice, now }) {
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
        forgetOldest(run, "known_device", userId, IDENTITY.mostDevices),
      ]);
      return numberOf(rowOf(found), "known") === 1;
    },
  };
}
