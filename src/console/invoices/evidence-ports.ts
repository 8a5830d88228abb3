import type { ConsentEvidence } from "../../domain/connection/consent.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { RepresentationShown } from "../company/company-ports.ts";

/** A consent as it was given, with what proves it. */
export interface ConsentGiven {
  readonly id: string;
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly textVersion: string;
  /** The day that was agreed to, whichever counts now. */
  readonly cutoffDate: CivilDate;
  readonly withdrawnAt?: Instant;
  /** Unknown of those that were given past the wizard. */
  readonly evidence?: ConsentEvidence;
}

export interface GrantSigned extends RepresentationShown {
  readonly id: string;
}

export interface EvidenceReads {
  /** Newest first, withdrawn ones too: what was agreed to for a connection, and signed for its account. */
  read(accountId: string, connectionId: string): Promise<EvidenceReading>;
}

export interface EvidenceReading {
  readonly consents: readonly ConsentGiven[];
  readonly grants: readonly GrantSigned[];
}
