import { IDENTITY, SECOND_FACTOR, SIGN_IN_DELAY } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { statementsOf } from "../login/statements.ts";

const DAY_MS = 86_400_000;
/** People look at invitations for some weeks. */
const INVITATIONS_KEPT_MS = 90 * DAY_MS;

/** Expired sign-in rows without further use. */
const EXPIRED: readonly Expired[] = [
  { table: "session", where: "expires_at < ?1", before: (now) => now },
  { table: "verification", where: "expires_at < ?1", before: (now) => now },
  { table: "identity_link", where: "expires_at < ?1 AND kind <> 'sign_up'", before: (now) => now },
  // Until then a person with an unproven address may ask for another link.
  {
    table: "identity_link",
    where: `kind = 'sign_up' AND created_at < ?1 AND expires_at < ?1 + ${IDENTITY.unprovenMs}`,
    before: (now) => now - IDENTITY.unprovenMs,
  },
  { table: "known_device", where: "expires_at < ?1", before: (now) => now },
  { table: "identity_event", where: "at < ?1", before: (now) => now - IDENTITY.eventsKeptMs },
  { table: "sign_in_failure", where: "since < ?1", before: (now) => now - SIGN_IN_DELAY.forgottenMs },
  {
    table: "second_factor",
    where: "confirmed_at IS NULL AND created_at < ?1",
    before: (now) => now - SECOND_FACTOR.setUpMs,
  },
  // Actions of a deleted login count for a day, and its companies until they are proven.
  {
    table: "login_mailbox",
    where: `ended_at < ?1 AND NOT EXISTS (SELECT 1 FROM account_directory AS opened
      WHERE opened.opened_by = login_mailbox.user_id AND opened.closed_at IS NULL
        AND opened.verification IN ('unverified', 'in_review'))`,
    before: (now) => now - DAY_MS,
  },
  { table: "invitation", where: "expires_at < ?1", before: (now) => now - INVITATIONS_KEPT_MS },
];

interface Expired {
  readonly table: string;
  readonly where: string;
  readonly before: (now: number) => number;
}

/** The queries of one page. */
export const QUERIES_OF_EXPIRED = EXPIRED.length;

/** Deletes at most `limit` rows of each kind; answers the largest number deleted. */
export async function forgetExpired(directory: D1Database, now: number, limit: number): Promise<number> {
  const run = statementsOf(directory);
  const gone = await directory.batch(
    EXPIRED.map(({ table, where, before }) =>
      run(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} LIMIT ?2)`,
        ...[before(now), limit],
      ),
    ),
  );
  return Math.max(...gone.map(({ meta }) => meta.changes));
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Sessions and passkeys, provided by a library. */
export interface Identity {
  /** Answers requests about passkeys under `/api/auth/`. */
  serve(request: Request): Promise<Response>;
  /** The session of a request's cookies. */
  signedIn(headers: Headers): Promise<SignedIn | undefined>;
  readonly cookies: SignInCookies;
}

/** Each is the value of a header `Set-Cookie`. */
interface SignInCookies {
  session(token: string): Promise<string>;
  sessionEnd(): string;
  device(userId: string, id: string): Promise<string>;
  /** The ids of devices that the cookies of a request hold, as far as we signed them. */
  devicesIn(headers: Headers): Promise<readonly string[]>;
}

export interface SessionOfPerson {
  readonly id: string;
  /** When the person signed in. */
  readonly begunAt: Instant;
}

interface SignedIn {
  readonly person: Person;
  readonly session: SessionOfPerson;
  /** Cookies for the response, if the session is extended. */
  readonly cookies: readonly string[];
}
