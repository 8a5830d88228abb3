/** Browsers know them under a name only, never under a bare IP address. */
export function knowsPasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$/.test(window.location.hostname);
}
