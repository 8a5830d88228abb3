import type { Refusal } from "../invoice/refusal.ts";

/** All refusals of an owner's declarations about sales, in the order of the checks. */
export const DECLARATION_REFUSALS = [
  // Profiles
  "orders_not_supported_by_connection",
  "profile_unknown",
  "profile_name_invalid",
  "profile_name_taken",
  "channel_invalid",
  "store_unknown",
  "profile_takes_everything",
  "profile_match_taken",
  // Stems
  "stem_of_profiles",
  "stem_numbered",
  "stem_invalid",
  "stem_reserved",
  "stem_too_long",
  "stem_taken",
  // Sales
  "treatment_code_invalid",
  "fee_rate_not_allowed",
  "destinations_contradict",
  "foreign_sales_not_allowed",
  "authorisation_missing",
  "rounding_rate_invalid",
  // Tags
  "tag_invalid",
  // All of it
  "too_much_declared",
  // Authorisations
  "authorisation_number_invalid",
  "authorisation_limit_invalid",
  "agreement_number_invalid",
  "agreement_number_required",
  "authorisation_active",
  "authorisation_not_active",
  // The cutoff
  "cutoff_too_late",
] as const;

export type DeclarationRefusalCode = (typeof DECLARATION_REFUSALS)[number];
export type DeclarationRefusal = Refusal<DeclarationRefusalCode>;
