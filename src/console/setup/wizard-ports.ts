import type { SeriesHead } from "../../db/ledger-state.ts";
import type { SetupState } from "../../domain/connection/setup.ts";
import type { Territory } from "../../domain/invoice/settings.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant, TimeZone } from "../../domain/shared/instant.ts";

/** Everything that the three steps of setting up a connection show. */
export interface WizardRead {
  readonly issuer: {
    readonly legalName: string;
    readonly nif: string;
    readonly address1: string;
    readonly postcode: string;
    readonly city: string;
    readonly territory: Territory;
    readonly timeZone: TimeZone;
    readonly defaultRegime: string;
    readonly registry?: string;
  };
  readonly kind: string;
  readonly name: string;
  /** As the module reported it. */
  readonly platform?: string;
  readonly setup: { readonly state: SetupState; readonly storeIds: string | null };
  readonly inventory?: { readonly receivedAt: Instant; readonly ordersTotal?: number };
  /** In the order of the inventory. */
  readonly stores: readonly StoreRead[];
  readonly hasCallback: boolean;
  readonly ordinal: number;
  readonly installationOrdinal: number;
  /** Opened while the company was unverified, in production: what it numbers are tests. */
  readonly trial: boolean;
  /** The owner's, in the place of the one that the service gave. */
  readonly orderStem?: string;
  readonly profileStems: readonly string[];
  readonly series: readonly SeriesHead[];
  readonly consent?: {
    readonly grantedAt: Instant;
    readonly grantedBy: string;
    readonly textVersion: string;
    readonly cutoffDate: CivilDate;
    readonly withdrawnAt?: Instant;
  };
  readonly representation?: { readonly signedBy: string; readonly signedOn: CivilDate };
}

export interface StoreRead {
  readonly id: string;
  readonly name?: string;
  readonly url?: string;
  readonly ordersCount?: number;
}

export interface WizardReads {
  readWizard(accountId: string, connectionId: string): Promise<WizardRead | undefined>;
}
