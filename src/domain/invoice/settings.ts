import type { MailSwitch } from "../mailing/mail-switch.ts";
import type { Instant, TimeZone } from "../shared/instant.ts";
import type { Issuer } from "./issuer.ts";
import type { UsualTerms } from "./payment-terms.ts";
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
  /** The owner's text at the foot of invoices. */
  readonly footer?: string;
  /** Used where a request leaves them open. */
  readonly terms?: UsualTerms;
  readonly timeZone: TimeZone;
  readonly territory: Territory;
  /** ClaveRegimen of S1 lines that name none. */
  readonly defaultRegime: string;
  /** IndicadorMultiplesOT, computed when accounts are opened and owners added. */
  readonly multipleIssuers: boolean;
  readonly authorisation?: ActiveAuthorisation;
  readonly connectionOrdinal: number;
  readonly connectionKind: string;
  /** True if the owner's consent to issue through this connection is in force. */
  readonly consented: boolean;
  /** True if the NIF is proven; without proof the issuer's invoices are tests. */
  readonly verified: boolean;
  /** For a contested issuer: the instant from which nothing is issued. */
  readonly issuingEndsAt?: Instant;
  readonly installation?: Installation;
  /** Invoices outside any profile are mailed when they are issued; absent while switched off. */
  readonly mailing?: MailSwitch;
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

/** True after the deadline of a contested issuer. */
export function isStopped({ issuingEndsAt }: IssuingSettings, now: Instant): boolean {
  return issuingEndsAt !== undefined && now >= issuingEndsAt;
}
