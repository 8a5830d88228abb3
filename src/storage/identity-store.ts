import { IDENTITY, SIGN_IN_DELAY } from "../domain/limits.ts";
import { statementsOf } from "./login/statements.ts";

const DAY_MS = 86_400_000;
/** People look at invitations for some weeks. */
const INVITATIONS_KEPT_MS = 90 * DAY_MS;

/** Of people who sign in: what has ended by itself and is good for nothing any more. */
export async function forgetExpired(directory: D1Database, now: number): Promise<void> {
  const run = statementsOf(directory);
  await directory.batch([
    run("DELETE FROM session WHERE expires_at < ?1", now),
    run("DELETE FROM verification WHERE expires_at < ?1", now),
    // Whoever signed up and did not prove the address may ask for another link until then.
    run("DELETE FROM identity_link WHERE expires_at < ?1 AND kind <> 'sign_up'", now),
    run(
      "DELETE FROM identity_link WHERE expires_at < ?1 AND kind = 'sign_up' AND created_at < ?2",
      ...[now, now - IDENTITY.unprovenMs],
    ),
    run("DELETE FROM known_device WHERE expires_at < ?1", now),
    run("DELETE FROM identity_event WHERE at < ?1", now - IDENTITY.eventsKeptMs),
    run("DELETE FROM sign_in_failure WHERE since < ?1", now - SIGN_IN_DELAY.forgottenMs),
    run("DELETE FROM invitation WHERE expires_at < ?1", now - INVITATIONS_KEPT_MS),
  ]);
}
