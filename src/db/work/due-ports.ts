import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** The queries of the sweep to one ledger. */
export interface DueLedger {
  readonly ledger: string;
  /** Connections with orders to decide, or with a call that was due at `overdueSince`. */
  connectionsWithDueWork(asked: DueAsked): Promise<readonly string[]>;
}

export interface DueAsked {
  readonly overdueSince: Instant;
  /** The latest day that has begun in any zone of an issuer. */
  readonly today: CivilDate;
  readonly limit: number;
}
