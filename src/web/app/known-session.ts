const KEPT_UNDER = "cuadre.session";

/** Only a browser that had a session can have lost one: it is told so, and a first visitor is not. */
export function hadSession(): boolean {
  return localStorage.getItem(KEPT_UNDER) !== null;
}

export function noteSession(): void {
  localStorage.setItem(KEPT_UNDER, "1");
}

/** At the sign-out, which ends it on purpose. */
export function forgetSession(): void {
  localStorage.removeItem(KEPT_UNDER);
}
