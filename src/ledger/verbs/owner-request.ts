import type { DeclarationRefusal } from "../../domain/billing/declaration-refusal.ts";
import type { ProfileChange, ProfileDraft } from "../../domain/billing/profiles.ts";
import type { SalesChange } from "../../domain/billing/sales-change.ts";
import type { CallbackUrlRefusal } from "../../domain/callback/url.ts";
import type {
  ConsentEvidence,
  ConsentRefusal,
  EligibilityDeclaration,
} from "../../domain/connection/consent.ts";
import type { RepresentationRefusal } from "../../domain/connection/representation.ts";
import type { SetupRefusal, StoreChoice } from "../../domain/connection/setup.ts";
import type { RecordRefusal } from "../../domain/invoice/record-refusal.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { ActiveAuthorisation } from "../../domain/invoice/simplified.ts";
import type { TagRule } from "../../domain/order/context.ts";
import type { AreaRate } from "../../domain/place/kept-rates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Finding } from "../../domain/verifactu/submission/meaning.ts";
import type { OriginRefusal } from "../../domain/viewer/access.ts";
import type { WebhookRefusal } from "../../domain/webhook/endpoint.ts";

/** What a form that replaces a whole was filled from; a change of anything else is refused. */
interface FromForm {
  readonly seen?: string;
}

/** Everything that an owner does to a connection, its orders aside. Plain values, as RPC carries them. */
export type OwnerRequest =
  /** `tail`: the last characters of the key, by which people tell it from another. */
  | { readonly verb: "open_key"; readonly id: string; readonly hash: string; readonly tail?: string }
  | { readonly verb: "revoke_key"; readonly hash: string; readonly tail?: string }
  | (FromForm & { readonly verb: "rename_connection"; readonly name: string })
  | ConsentRequest
  | { readonly verb: "withdraw_consent" }
  | (FromForm & { readonly verb: "move_cutoff"; readonly cutoffDate: CivilDate })
  | (FromForm & { readonly verb: "complete_setup"; readonly storeIds: StoreChoice })
  | (FromForm & {
      readonly verb: "declare_sales";
      readonly change: SalesChange;
      readonly profileId?: string;
    })
  | (FromForm & { readonly verb: "choose_order_stem"; readonly stem: string })
  | { readonly verb: "add_profile"; readonly profile: ProfileDraft; readonly sales?: SalesChange }
  | (FromForm & {
      readonly verb: "change_profile";
      readonly id: string;
      readonly change: ProfileChange;
      readonly sales?: SalesChange;
    })
  | { readonly verb: "remove_profile"; readonly id: string }
  | { readonly verb: "set_tag_rule"; readonly rule: TagRule }
  | { readonly verb: "remove_tag_rule"; readonly tag: string }
  | { readonly verb: "open_authorisation"; readonly authorisation: ActiveAuthorisation }
  | { readonly verb: "close_authorisation"; readonly number: string }
  | ({ readonly verb: "withdraw_oss_rate" } & AreaRate)
  | (FromForm & { readonly verb: "register_callback"; readonly url: string })
  | { readonly verb: "remove_callback" }
  /** Calls the shop to send its orders now. */
  | { readonly verb: "ask_for_orders" }
  | { readonly verb: "register_webhook"; readonly url: string; readonly events: readonly string[] }
  | (FromForm & {
      readonly verb: "choose_webhook_events";
      readonly id: string;
      readonly events: readonly string[];
    })
  /** Shows the new secret; the old one stays alive beside it until its owner ends that. */
  | { readonly verb: "rotate_webhook_secret"; readonly id: string }
  | { readonly verb: "end_webhook_overlap"; readonly id: string }
  | { readonly verb: "remove_webhook"; readonly id: string }
  | { readonly verb: "test_webhook"; readonly id: string }
  | { readonly verb: "resend_webhook_delivery"; readonly deliveryId: string }
  | { readonly verb: "switch_customer_access"; readonly enabled: boolean }
  | { readonly verb: "add_origin"; readonly origin: string }
  | { readonly verb: "remove_origin"; readonly origin: string }
  /** Of a store: no report lets it in again. */
  | { readonly verb: "refuse_origin"; readonly origin: string }
  | RepresentationRequest
  | { readonly verb: "withdraw_representation" }
  /** Has a stopped chain try again now: what stopped it was put right. */
  | { readonly verb: "resume_submission" }
  | DuplicateRequest
  | ErasureRequest;

/** At the request of whom the data are about. */
export type ErasureRequest =
  | { readonly verb: "erase_order"; readonly orderId: string }
  /** The customer, as the shop calls them, with all of their orders. */
  | { readonly verb: "erase_client"; readonly clientId: string }
  /** An order that is gone may come again. */
  | { readonly verb: "admit_order"; readonly orderId: string };

/** The authority has a record under the key of the invoice, and its owner has looked whose it is. */
export interface DuplicateRequest {
  readonly verb: "settle_duplicate";
  readonly invoiceId: string;
  readonly found: Finding;
  /** What was seen, and where. */
  readonly reason: string;
}

/** The issuer's signed grant: the document itself is kept outside, its hash proves which it was. */
export interface RepresentationRequest {
  readonly verb: "grant_representation";
  readonly documentSha256: string;
  readonly signedBy: string;
  readonly signedOn: CivilDate;
}

export interface ConsentRequest {
  readonly verb: "give_consent";
  readonly id: string;
  readonly textVersion: string;
  readonly cutoffDate: CivilDate;
  readonly declaration: EligibilityDeclaration;
  readonly evidence?: ConsentEvidence;
}

export type OwnerVerb = OwnerRequest["verb"];

/** Noes that stand with none of the parts that a verb is about. */
export const OWNER_REFUSALS = [
  ...(["consent_missing", "callback_missing", "setup_not_completed"] as const),
  ...(["changed_meanwhile", "two_keys_alive"] as const),
  ...(["erasure_not_allowed", "nothing_to_erase", "order_stays_erased"] as const),
] as const;

export type OwnerRefusal =
  | DeclarationRefusal
  | CallbackUrlRefusal
  | ConsentRefusal
  | SetupRefusal
  | OriginRefusal
  | RepresentationRefusal
  | WebhookRefusal
  | RecordRefusal
  | Refusal<(typeof OWNER_REFUSALS)[number]>;
