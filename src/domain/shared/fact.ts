import type { CivilDate } from "./civil-date.ts";
import { currencyDecimals } from "./currency.ts";
import { type Decimal, toFixed } from "./decimal.ts";

/**
 * A fact of a refusal, as a value that survives JSON and RPC. A text is an identifier, a code or the caller's
 * own and is never reworded. The edge writes words, amounts and days in each language.
 */
export type Fact =
  | string
  /** A conjunction. A bare array would be simpler, but the types of RPC cannot express it. */
  | { readonly all: readonly Fact[] }
  | { readonly either: readonly Fact[] }
  /** Findings side by side. */
  | { readonly each: readonly Fact[] }
  | { readonly amount: string; readonly currency?: string }
  | { readonly percent: Decimal }
  | { readonly date: CivilDate }
  /** RFC 3339 with an offset. */
  | { readonly moment: string }
  /** ISO 3166-1 alpha-2, or the shop's own text. */
  | { readonly country: string }
  | Phrase;

export type Facts = Readonly<Record<string, Fact>>;

/** Every phrase by its code, with the facts that it needs; its words are in `words/phrases.ts`. */
export const PHRASE_FACTS = {
  // Documents
  every_combination: [],
  attestation_combinations: [],
  no_rate_in_euros: [],
  rate_not_above_zero: [],
  rate_date_in_future: [],
  send_no_rate: [],
  give_rate: ["currency"],
  bytes: ["count"],

  // Identifiers and recipients
  nif_control_character: [],
  no_vat_number_or_nif: [],
  country_missing: [],
  country_without_eu_vat: ["country"],
  country_not_listed: ["country"],
  prefix_contradicts_country: ["prefix", "country"],
  vat_form: ["prefix"],
  id_type_unknown: ["id_type"],
  id_type_07_needs_spain: [],
  id_type_07_needs_person: [],
  spain_needs_nif: [],
  id_form: [],
  prefix_not_in_force: ["prefix", "date"],
  e5_needs_vat_number: [],
  regime_10_needs_nif: [],
  regime_14_needs_public_body: [],

  // The operation date
  over_20_years_ago: [],
  after_next_year: [],
  future_needs_regime: [],
  regime_14_needs_future: [],
  correct_operation_date: [],
  send_operation_date: [],
  send_later_operation_date: [],
  correct_cited_date: [],

  // Lines
  other_taxes: [],
  one_stop_shop: [],
  one_stop_shop_sales: [],
  use_regime: ["regimes"],
  use_no_regime: [],
  use_regime_with: ["values"],
  e7_e8_are_igic: [],
  identify_with_f1: [],
  send_rate_0: [],
  send_net_prices: [],
  remove_margin: [],
  correct_without_margin: [],
  use_rate: ["rates"],
  use_one_stop_shop_rate: [],
  use_two_decimals: [],
  use_surcharge: ["surcharges"],
  remove_surcharge: [],

  // Attestations
  lines_missing: ["lines"],
  lines_unknown: ["lines"],
  lines_repeated: ["lines"],
  line_without_id: ["line"],
  attest_or_send_full: [],
  take_back_and_send_full: [],
  authorisation: ["number", "limit"],
  no_authorisation: [],

  // Invoices that act on others
  issued_here_otherwise: ["found"],
  member_is: ["member", "value"],
  correct_or_cite: ["external_id"],
  issued_for_order: ["order"],
  correct_in_order: [],
  issued_through: ["connection"],
  correct_there: [],
  not_in_books: [],
  correct_number: [],
  send_its_recipient: [],
  send_its_recipient_or_substitute: [],
  period_beside_invoices: [],
  keep_one: [],
  period_reversed: [],
  period_not_over: [],
  period_dates_operation: ["date"],
  correct_period: [],
  remove_operation_date: [],
  cited_twice: [],
  cite_once: [],
  issued_in_future: [],
  correct_issue_date: [],
  corrected: [],
  substituted: [],
  replaced: [],
  by_difference: ["invoice_type"],
  send_full: [],
  send_qualified: [],
  send_simplified: [],
  send_without_recipient: [],
  send_r1_to_r4: [],
  send_r5_or_f3: [],
  cite_the_corrected: ["reference"],
  cites_full: [],
  cites_qualified: [],
  cites_simplified: [],
  cites_without_recipient: [],
  cites_replaceable: [],
  cites_no_part: [],
  invoice_corrected_by: ["number"],
  amounts: ["base", "tax"],
  amounts_with_surcharge: ["base", "tax", "surcharge"],
  amounts_of_margin: ["price", "margin"],
  of_margin: ["amount"],
  outside_margin: ["amount"],
  amounts_at: ["rate", "amounts"],
  correct_rest_or_cancel: ["successor"],
  act_on_successor: ["successor"],
  undone: [],
  correct_its_tickets: [],
  cites_no_f3: [],
  act_on: ["successor"],
  undo_f3: ["successor"],
  replace_again: [],
  send_by_difference: [],
  rectify_apart: [],
  followed: [],
  undo_both: ["successor"],
  follow_or_undo: ["successor"],

  // Orders
  not_stated: [],
  amount_not_stated: [],
  an_owner: [],
  at_rate: ["rate"],
  all_at_rate: ["rate"],
  in_all: [],
  payment: [],
  discount: [],
  fee: [],
  multi_purpose: [],
  single_purpose: [],
  peninsula: [],
  canarias: [],
  ceuta_melilla: [],
  ceuta: [],
  melilla: [],
  eu_consumer: [],
  eu_business: [],
  outside_eu: [],
  other_spanish: [],
  oss: [],
  intra_community: [],
  not_located: [],
  export: [],
  domestic: [],
  no_rate_known: [],
  // Places with their own VAT, inside and outside the Union's territory
  northern_ireland: [],
  azores: [],
  madeira: [],
  corsica: [],
  aegean_islands: [],
  jungholz_mittelberg: [],
  heligoland: [],
  busingen: [],
  livigno: [],
  campione: [],
  mount_athos: [],
  // Members of a client
  vat_number: [],
  first_name: [],
  last_name: [],
  company: [],
  address1: [],
  postcode: [],
  city: [],
  country: [],

  // Facts that a shop lacks
  tax_rate: [],
  tax_lines: [],
  tax_totals: [],
  discounts: [],
  transactions: [],
  refund_above_paid: [],
  id: [],
  order_date: [],
  total: [],
  currency: [],
  amount: [],
  lines: [],
  pages: [],
  taxes_included: [],
  unmapped_total: [],
  time_zone: [],
  order: [],

  // Members that an amendment changes
  issuer_name: [],
  description_text: [],
  recipient_name: [],
  rates_not_in_force: [],
  rectify_by_substitution: [],
  reverse_through_order: [],

  // Issuers that may not use VERI*FACTU
  foral_territory: ["province"],
  books_in_sii: [],

  // Quotas
  quota_companies: ["most"],
  quota_companies_day: ["most"],
  quota_connections: ["most"],
  quota_drafts: ["most"],
  quota_connections_for_tests: ["most"],
  quota_invitations_hour: ["most"],
  quota_invitations_day: ["most"],
  quota_open_invitations: ["most"],
  quota_people: ["most"],
  quota_receiver_day: ["most"],
  quota_proof_texts: ["most"],
  quota_proofs: ["most"],

  // Signatures that do not prove the NIF
  signature_unreadable: [],
  signature_of_other_text: [],
  signature_broken: [],
  signature_weak: [],
  signature_untrusted: [],
  signature_out_of_time: [],
  signature_unqualified: [],
  signature_revoked: [],
  signature_revocation_unknown: [],
  signature_without_nif: [],
  signature_of_another: ["nif"],

  // Orders that were erased
  order_asked: [],
  order_aged: [],
  order_retention: [],
} as const satisfies Record<string, readonly string[]>;

export type PhraseCode = keyof typeof PHRASE_FACTS;

export type Phrase = {
  readonly [Code in PhraseCode]: { readonly phrase: Code } & {
    readonly [Name in (typeof PHRASE_FACTS)[Code][number]]: Fact;
  };
}[PhraseCode];

export function money(amount: Decimal, currency: string): Fact {
  return { amount: toFixed(amount, currencyDecimals(currency) ?? 2), currency };
}

export function percents(rates: readonly Decimal[]): readonly Fact[] {
  return rates.map((percent) => ({ percent }));
}
