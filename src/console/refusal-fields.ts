import type { OwnerRefusal } from "../ledger/verbs/owner-request.ts";

/** The field of the form that a rule's no belongs to, where the rule itself knows of no form. */
const FIELDS: Partial<Readonly<Record<OwnerRefusal["code"], string>>> = {
  no_store_chosen: "store_ids",
  store_unknown: "store_ids",
  stem_of_profiles: "stem",
  stem_numbered: "stem",
  stem_taken: "stem",
  cutoff_too_late: "cutoff_date",
  origin_invalid: "origin",
  too_many_origins: "origin",
  webhook_already_registered: "url",
  webhook_events_missing: "events",
  webhook_event_unknown: "events",
  authorisation_active: "number",
  representation_signer_invalid: "signed_by",
};

export function fieldOf({ code, path }: Pick<OwnerRefusal, "code" | "path">): string | undefined {
  return path ?? FIELDS[code] ?? (code.startsWith("callback_url_") ? "url" : undefined);
}
