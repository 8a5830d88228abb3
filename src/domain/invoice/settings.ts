import type { Instant, TimeZone } from "../shared/instant.ts";
import type { Issuer } from "./document.ts";
import type { Tax } from "./request.ts";
import type { ActiveAuthorisation } from "./simplified.ts";

export const TERRITORIES = ["peninsula", "canarias", "ceuta_melilla"] as const;
export type Territory = (typeof TERRITORIES)[number];

/** The tax of the territory where the issuer is established. */
export const TAX_OF_TERRITORY: Readonly<Record<Territory, Tax>> = {
  peninsula: "01",
  canarias: "03",
  ceuta_melilla: "02",
};

/** Everything of account and connection that an issuance is decided under, at one settings version. */
export interface IssuingSettings {
  readonly version: number;
  readonly accountId: string;
  readonly issuer: Issuer;
  readonly timeZone: TimeZone;
  readonly territory: Territory;
  /** ClaveRegimen of S1 lines that name none. */
  readonly defaultRegime: string;
  /** IndicadorMultiplesOT, computed when accounts are opened and owners added. */
  readonly multipleIssuers: boolean;
  readonly authorisation?: ActiveAuthorisation;
  readonly connectionOrdinal: number;
  readonly connectionKind: string;
  /** Whether the owner's consent to issue through this connection stands. */
  readonly consented: boolean;
  /** Whether the NIF is proven: what an issuer issues without that is a test. */
  readonly verified: boolean;
  /** Of a contested issuer: from then on nothing is issued. */
  readonly issuingEndsAt?: Instant;
  readonly installation?: Installation;
}

export interface Installation {
  readonly id: string;
  readonly ordinal: number;
  /** NumeroInstalacion */
  readonly number: string;
  readonly environment: "test" | "production";
  /** For tests alone: series of its own kind, no QR, no record to the authority. */
  readonly trial: boolean;
}

/** Whether the issuer is contested for longer than it may go on. */
export function isStopped({ issuingEndsAt }: IssuingSettings, now: Instant): boolean {
  return issuingEndsAt !== undefined && now >= issuingEndsAt;
}
