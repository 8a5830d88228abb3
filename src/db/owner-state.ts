import type { Profile, SalesSettings } from "../domain/billing/sales-settings.ts";
import type { TakenStem } from "../domain/billing/stems.ts";
import type { PullCallback } from "../domain/callback/pull-callback.ts";
import type { SigningSecrets } from "../domain/callback/signature.ts";
import type { ConsentEvidence, EligibilityDeclaration } from "../domain/connection/consent.ts";
import type { Representation } from "../domain/connection/representation.ts";
import type { ActiveAuthorisation } from "../domain/invoice/simplified.ts";
import type { TagRule } from "../domain/order/context.ts";
import type { AreaRate, KeptRate } from "../domain/place/kept-rates.ts";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Finding } from "../domain/verifactu/submission/meaning.ts";
import type { ReportedOrigin } from "../domain/viewer/reported-origins.ts";
import type { WebhookDelivery } from "../domain/webhook/delivery.ts";
import type { WebhookEndpoint } from "../domain/webhook/endpoint.ts";
import type { WebhookEvent, WebhookSource } from "../domain/webhook/event.ts";
import type { ErasureAsked, ErasureReading } from "./erasure-state.ts";
import type { CommitResult, Fence } from "./ledger-state.ts";
import type { AuditEntry, ShopReading } from "./shop-state.ts";

/** What stands of all that an owner may change, read in one batch. */
export interface OwnerReading extends ShopReading {
  readonly connectionName: string;
  /** Some were reported after the last choice among them: the same choice again is one about these. */
  readonly hasNewStores: boolean;
  readonly sales: SalesSettings;
  /** In the place of the one that the service gave. */
  readonly orderStem?: string;
  /** Their stems as declared. */
  readonly profiles: readonly Profile[];
  readonly tagRules: readonly TagRule[];
  /** Of the account. */
  readonly keptRates: readonly KeptRate[];
  /** Stems of the whole account. */
  readonly taken: readonly TakenStem[];
  /** Codes of series of the whole account, without their year, under which there is a number. */
  readonly numberedCodes: readonly string[];
  readonly callback: PullCallback | undefined;
  readonly consent?: { readonly cutoffDate: CivilDate; readonly isWithdrawn: boolean };
  /** Registered ones, canonical. */
  readonly origins: readonly string[];
  /** Those that stores were reported with, refused or not. */
  readonly storeOrigins: readonly ReportedOrigin[];
  /** SHA-256 of the signed grant that stands. */
  readonly representation?: string;
  /** Of some chain of the connection. */
  readonly isSubmissionStopped: boolean;
  /** In the order in which they were registered, those that have ended too. */
  readonly webhooks: readonly WebhookEndpoint[];
  /** The delivery that was asked for. */
  readonly delivery?: { readonly id: string; readonly endpointId: string; readonly dueAt?: Instant };
}

/** One delivery of a webhook: by its id, or the test that waits for its first attempt. */
export type DeliveryAsked = { readonly id: string } | { readonly waitingTestOf: string };

export interface NewConsent {
  readonly id: string;
  readonly grantedAt: Instant;
  readonly textVersion: string;
  readonly cutoffDate: CivilDate;
  readonly declaration: EligibilityDeclaration;
  readonly evidence?: ConsentEvidence;
}

/** One change that an owner makes, as it is written. */
export type Deed =
  | { readonly deed: "open_key"; readonly id: string; readonly hash: string; readonly tail?: string }
  | { readonly deed: "revoke_key"; readonly hash: string }
  | { readonly deed: "rename_connection"; readonly name: string }
  | { readonly deed: "grant_consent"; readonly consent: NewConsent }
  | { readonly deed: "withdraw_consent" }
  | { readonly deed: "move_cutoff"; readonly cutoffDate: CivilDate }
  | { readonly deed: "select_stores"; readonly storeIds: string; readonly callback?: PullCallback }
  | { readonly deed: "set_sales"; readonly sales: SalesSettings }
  /** Undefined: the one that the service gave. */
  | { readonly deed: "set_order_stem"; readonly stem: string | undefined; readonly before?: string }
  | { readonly deed: "add_profile"; readonly profile: Profile }
  | { readonly deed: "change_profile"; readonly profile: Profile; readonly stemBefore: string }
  /** `stem` where it has no number yet and so is free again. */
  | { readonly deed: "remove_profile"; readonly id: string; readonly freedStem?: string }
  | { readonly deed: "set_tag_rule"; readonly rule: TagRule }
  | { readonly deed: "remove_tag_rule"; readonly tag: string }
  | { readonly deed: "open_authorisation"; readonly id: string; readonly authorisation: ActiveAuthorisation }
  | { readonly deed: "close_authorisation" }
  | ({ readonly deed: "withdraw_oss_rate" } & AreaRate)
  /** Undefined removes it. */
  | { readonly deed: "keep_callback"; readonly callback: PullCallback | undefined }
  /** Off raises the epoch. */
  | { readonly deed: "switch_access"; readonly isOn: boolean }
  | { readonly deed: "add_origin"; readonly origin: string }
  | { readonly deed: "remove_origin"; readonly origin: string }
  | {
      readonly deed: "refuse_origin";
      readonly origin: string;
      readonly storeId: string;
      readonly seenAt: Instant;
    }
  | {
      readonly deed: "grant_representation";
      readonly representation: { readonly id: string } & Representation;
    }
  | { readonly deed: "withdraw_representation" }
  | { readonly deed: "resume_submission" }
  | { readonly deed: "settle_duplicate"; readonly invoiceId: string; readonly found: Finding }
  /** Orders without an invoice, and with them the customer where one is named. */
  | { readonly deed: "erase"; readonly orders: readonly string[]; readonly clientId?: string }
  | { readonly deed: "admit_order"; readonly orderId: string }
  | WebhookDeed;

export type WebhookDeed =
  /** It hears of what happens from now on. */
  | { readonly deed: "open_webhook"; readonly endpoint: WebhookEndpoint }
  | {
      readonly deed: "choose_webhook_events";
      readonly id: string;
      readonly events: readonly WebhookEvent[];
      /** Listened to from now on. */
      readonly added: readonly WebhookSource[];
    }
  | { readonly deed: "keep_webhook_secrets"; readonly id: string; readonly secrets: SigningSecrets }
  | { readonly deed: "end_webhook"; readonly id: string }
  | { readonly deed: "send_webhook"; readonly endpointId: string; readonly delivery: WebhookDelivery }
  | { readonly deed: "resend_webhook"; readonly deliveryId: string };

export interface OwnerBatch {
  readonly deed: Deed;
  readonly at: Instant;
  /** The owner who acts. */
  readonly userId: string;
  /** None for what the service does itself, such as the attempt of a call. */
  readonly audit?: AuditEntry;
}

/** What owners change of one connection. Every method is exactly one D1 round trip. */
export interface OwnerStore {
  /** Undefined for a connection that nobody opened. With one delivery of a webhook where it is asked for. */
  readOwner(delivery?: DeliveryAsked): Promise<OwnerReading | undefined>;
  /** What may be erased for whom. */
  readErasable(asked: ErasureAsked): Promise<ErasureReading>;
  recordDeed(batch: OwnerBatch, fence: Fence): Promise<CommitResult>;
}
