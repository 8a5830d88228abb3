import type { Instant } from "../../domain/shared/instant.ts";

/** A line of the audit log. */
export interface ActivityLine {
  readonly id: string;
  readonly at: Instant;
  readonly userId: string;
  readonly verb: string;
  readonly facts: Readonly<Record<string, string>>;
  /** None for what was done to the account itself. */
  readonly connection?: { readonly id: string; readonly name: string };
}

/** The line that a page begins or ends with; of one moment there may be several. */
export interface ActivityPlace {
  readonly at: Instant;
  readonly row: number;
}

export interface ActivityAsked {
  readonly userId?: string;
  /** Only these; all without. */
  readonly verbs?: readonly string[];
  /** First moment, and the first one behind. */
  readonly from?: Instant;
  readonly before?: Instant;
  readonly place?: { readonly side: "older" | "newer"; readonly than: ActivityPlace };
  readonly limit: number;
}

export interface ActivityPage {
  /** Newest first. */
  readonly lines: readonly ActivityLine[];
  readonly newer?: ActivityPlace;
  readonly older?: ActivityPlace;
}

export interface ActivityReads {
  page(accountId: string, asked: ActivityAsked): Promise<ActivityPage>;
  /** Ids of everybody who ever did something, each found by one step. */
  people(accountId: string): Promise<readonly string[]>;
}
