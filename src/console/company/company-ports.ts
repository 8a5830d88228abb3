import type { AuditEntry } from "../../db/shop-state.ts";
import type { Company } from "../../domain/connection/company.ts";
import type { ActiveAuthorisation } from "../../domain/invoice/simplified.ts";
import type { KeptRate } from "../../domain/place/kept-rates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export interface RepresentationShown {
  readonly documentSha256: string;
  readonly signedBy: string;
  readonly signedOn: CivilDate;
  /** The user who stored it. */
  readonly storedBy: string;
  readonly storedAt: Instant;
  readonly withdrawnAt?: Instant;
}

export interface AuthorisationShown extends ActiveAuthorisation {
  readonly openedAt: Instant;
  readonly closedAt?: Instant;
}

export interface OssRateShown extends KeptRate {
  readonly keptAt: Instant;
}

export interface CompanyReading extends Company {
  /** The newest, withdrawn or not. */
  readonly representation?: RepresentationShown;
  /** Newest first; the active one is the first where there is one. */
  readonly authorisations: readonly AuthorisationShown[];
  /** Rates of the one-stop shop that the owner keeps, by place. */
  readonly ossRates: readonly OssRateShown[];
  /** Of its connections, the one opened first: what an owner does to the account is done at its object. */
  readonly firstConnection?: string;
}

/** What of a company may change: who it is, its NIF and its tax, stays. */
export type CompanyChange = Pick<
  Company,
  "legalName" | "address1" | "postcode" | "city" | "defaultRegime" | "registry"
>;

export interface CompanyStep {
  readonly from: CompanyChange;
  readonly to: CompanyChange;
}

export interface CompanyStore {
  /** Undefined for an account that does not exist. */
  read(accountId: string): Promise<CompanyReading | undefined>;
  /**
   * With its line, all or nothing, and nothing where it stands no longer as it was read. It raises the
   * version of the settings: every connection decides anew.
   */
  change(accountId: string, change: CompanyStep, line: AuditEntry): Promise<"changed" | "behind">;
}
