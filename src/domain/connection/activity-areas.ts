import type { CompanyEvent } from "../identity/security-event.ts";

export const ACTIVITY_AREAS = [
  ...(["connections", "invoicing", "profiles", "orders", "invoices"] as const),
  ...(["keys", "access", "webhooks", "company", "people", "security"] as const),
] as const;
export type ActivityArea = (typeof ACTIVITY_AREAS)[number];

/** Audited actions that are not owner verbs. */
type OtherVerb =
  | ("answer_order" | "decide_again" | "correct_record" | "rectify_invoice")
  | ("annul_invoice" | "mail_invoice" | "issue_by_hand")
  | (
      | "export_records"
      | "export_invoices"
      | "open_connection"
      | "change_company"
      | "change_contact"
      | "change_look"
      | "open_installation"
    )
  | ("begin_retention" | "end_retention" | "report_origin")
  | ("invite_person" | "withdraw_invitation" | "accept_invitation" | "change_role" | "remove_person")
  | ("offer_ownership" | "take_ownership" | "decline_ownership" | "change_verification");

/** The actor of the service's own commands: `npm run restore`. */
export const OPERATOR = "operator";

/** The actor of calls with a key of the connection. */
export const CONNECTOR = "connector";

/** The console area of each of these actions. Every one has an area, so that no filter loses a line. */
const AREA_OF: Readonly<Record<OtherVerb | CompanyEvent, ActivityArea>> = {
  open_connection: "connections",
  ...{ answer_order: "orders", decide_again: "orders" },
  ...{ correct_record: "invoices", export_records: "invoices", export_invoices: "invoices" },
  ...{ rectify_invoice: "invoices", annul_invoice: "invoices", mail_invoice: "invoices" },
  issue_by_hand: "invoices",
  open_installation: "invoices",
  ...{ begin_retention: "invoices", end_retention: "invoices" },
  report_origin: "access",
  ...{ change_company: "company", change_contact: "company", change_look: "company" },
  ...{ invite_person: "people", withdraw_invitation: "people", accept_invitation: "people" },
  ...{ change_role: "people", remove_person: "people" },
  ...{ offer_ownership: "people", take_ownership: "people", decline_ownership: "people" },
  change_verification: "company",
  ...{ signed_in_new_device: "security", many_failed_sign_ins: "security" },
  ...{ password_recovered: "security", password_changed: "security" },
  ...{ passkey_added: "security", passkey_removed: "security" },
  ...{ many_wrong_codes: "security", recovery_code_used: "security" },
  ...{ second_factor_on: "security", second_factor_off: "security" },
  ...{ email_changed: "security", email_restored: "security", login_deleted: "security" },
};

type Areas = Readonly<Record<string, { readonly area: ActivityArea }>>;

/** Verbs of an area, those of owners among them. */
export function verbsOf(area: ActivityArea, ownerVerbs: Areas): readonly string[] {
  const owners = Object.entries(ownerVerbs).flatMap(([verb, row]) => (row.area === area ? [verb] : []));
  const others = Object.entries(AREA_OF).flatMap(([verb, its]) => (its === area ? [verb] : []));
  return [...owners, ...others];
}
