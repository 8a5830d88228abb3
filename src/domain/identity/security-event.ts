/** Events about how a person signs in. The service writes one log line for each. */
export const SECURITY_EVENTS = [
  ...(["asked_to_join", "asked_for_password", "signed_up", "signed_in", "signed_in_new_device"] as const),
  ...(["sign_in_failed", "sign_in_delayed", "many_failed_sign_ins", "signed_out", "sessions_ended"] as const),
  ...(["link_refused", "password_refused", "password_recovered", "password_changed"] as const),
  ...(["passkey_added", "passkey_removed", "passkey_refused"] as const),
  ...(["email_change_asked", "email_changed", "email_restored", "login_deleted", "sign_in_again"] as const),
  ...(["code_asked", "code_refused", "many_wrong_codes", "recovery_code_used"] as const),
  ...(["second_factor_on", "second_factor_off"] as const),
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

/** The events that a person sees in their own activity. */
export const OWN_EVENTS: ReadonlySet<SecurityEvent> = new Set([
  ...(["signed_up", "signed_in", "signed_in_new_device", "sign_in_failed", "many_failed_sign_ins"] as const),
  ...(["sessions_ended", "password_recovered", "password_changed"] as const),
  ...(["passkey_added", "passkey_removed", "email_changed", "email_restored"] as const),
  ...(["code_refused", "many_wrong_codes", "recovery_code_used"] as const),
  ...(["second_factor_on", "second_factor_off"] as const),
]);

/** The events that the person's companies see too, because a stolen sign-in opens these companies. */
export const COMPANY_EVENTS = [
  ...(["signed_in_new_device", "many_failed_sign_ins", "password_recovered", "password_changed"] as const),
  ...(["passkey_added", "passkey_removed", "email_changed", "email_restored", "login_deleted"] as const),
  ...(["many_wrong_codes", "recovery_code_used", "second_factor_on", "second_factor_off"] as const),
] as const satisfies readonly SecurityEvent[];
export type CompanyEvent = (typeof COMPANY_EVENTS)[number];

export function isCompanyEvent(event: SecurityEvent): event is CompanyEvent {
  return COMPANY_EVENTS.some((one) => one === event);
}
