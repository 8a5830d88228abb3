import type { AttemptPage, AttemptsQuery, StandingRead } from "../../db/submission/submission-standing.ts";
import type { Instant, TimeZone } from "../../domain/shared/instant.ts";

/** How one connection's records stand. */
export interface ConnectionStanding {
  readonly connection: { readonly id: string; readonly name: string };
  readonly standing: StandingRead;
}

/** What every page must tell of an account's submission while it lasts. */
export interface NoticeRead {
  readonly timeZone: TimeZone;
  readonly isRepresented: boolean;
  /** Records that wait, of chains that an incident has stopped. */
  readonly stopped: { readonly unsent: number; readonly since?: Instant };
  /** All that wait; counted only where that may have to be told. */
  readonly unsent: number;
}

/** Submission of one account's records. Every method is one D1 round trip, or two. */
export interface SubmissionReads {
  readStandings(accountId: string): Promise<readonly ConnectionStanding[]>;
  /** Undefined where there is no such account. */
  readNotice(accountId: string, wantsRepresentation: boolean): Promise<NoticeRead | undefined>;
  readAttempts(connectionId: string, asked: AttemptsQuery): Promise<AttemptPage>;
}
