import type { OwnerVerb } from "../../ledger/verbs/owner-request.ts";
import type { CompanyEvent } from "../identity/security-event.ts";

export const ACTIVITY_AREAS = [
  ...(["connections", "invoicing", "profiles", "orders", "invoices"] as const),
  ...(["keys", "access", "webhooks", "company", "people", "security"] as const),
] as const;
export type ActivityArea = (typeof ACTIVITY_AREAS)[number];

/** Audited actions that are not owner verbs. */
type OtherVerb =
  | ("answer_order" | "decide_again" | "correct_record" | "rectify_invoice")
  | ("export_records" | "export_invoices" | "open_connection" | "change_company" | "open_installation")
  | ("begin_retention" | "end_retention" | "report_origin")
  | ("invite_person" | "withdraw_invitation" | "accept_invitation" | "change_role" | "remove_person")
  | ("offer_ownership" | "take_ownership" | "decline_ownership" | "change_verification");

/** The actor of the service's own commands: `npm run restore`. */
export const OPERATOR = "operator";

/** The actor of calls with a key of the connection. */
export const CONNECTOR = "connector";

/** The console area of each audit verb. Every verb has one, so that no filter loses a line. */
const AREA_OF: Readonly<Record<OwnerVerb | OtherVerb | CompanyEvent, ActivityArea>> = {
  ...{ open_connection: "connections", rename_connection: "connections" },
  ...{ complete_setup: "connections", ask_for_orders: "connections" },
  ...{ register_callback: "connections", remove_callback: "connections" },
  ...{ give_consent: "invoicing", withdraw_consent: "invoicing", move_cutoff: "invoicing" },
  ...{ declare_sales: "profiles", choose_order_stem: "profiles", add_profile: "profiles" },
  ...{ change_profile: "profiles", remove_profile: "profiles" },
  ...{ set_tag_rule: "profiles", remove_tag_rule: "profiles" },
  ...{ answer_order: "orders", decide_again: "orders" },
  ...{ erase_order: "orders", erase_client: "orders", admit_order: "orders" },
  ...{ correct_record: "invoices", export_records: "invoices", export_invoices: "invoices" },
  ...{ settle_duplicate: "invoices", rectify_invoice: "invoices", open_installation: "invoices" },
  ...{ begin_retention: "invoices", end_retention: "invoices" },
  ...{ resume_submission: "invoices", open_key: "keys", revoke_key: "keys" },
  ...{ switch_customer_access: "access", add_origin: "access", remove_origin: "access" },
  ...{ report_origin: "access", refuse_origin: "access" },
  ...{ register_webhook: "webhooks", choose_webhook_events: "webhooks", remove_webhook: "webhooks" },
  ...{ rotate_webhook_secret: "webhooks", end_webhook_overlap: "webhooks", test_webhook: "webhooks" },
  resend_webhook_delivery: "webhooks",
  ...{ change_company: "company", open_authorisation: "company", close_authorisation: "company" },
  withdraw_oss_rate: "company",
  ...{ grant_representation: "company", withdraw_representation: "company" },
  ...{ invite_person: "people", withdraw_invitation: "people", accept_invitation: "people" },
  ...{ change_role: "people", remove_person: "people" },
  ...{ offer_ownership: "people", take_ownership: "people", decline_ownership: "people" },
  change_verification: "company",
  ...{ signed_in_new_device: "security", many_failed_sign_ins: "security" },
  ...{ password_recovered: "security", password_changed: "security" },
  ...{ passkey_added: "security", passkey_removed: "security" },
  ...{ email_changed: "security", email_restored: "security", login_deleted: "security" },
};

export function verbsOf(area: ActivityArea): readonly string[] {
  return Object.entries(AREA_OF).flatMap(([verb, its]) => (its === area ? [verb] : []));
}
