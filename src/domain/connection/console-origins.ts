/**
 * The origins under which the console may be open: its own; on a developer's machine both names of the
 * loopback, because browsers know no passkeys on a bare IP address.
 */
export function consoleOrigins(consoleUrl: string): readonly string[] {
  const { origin, hostname, port } = new URL(consoleUrl);
  return hostname === "127.0.0.1" ? [origin, `http://localhost:${port}`] : [origin];
}

/** The name that passkeys are made for. */
export function passkeyDomain(consoleUrl: string): string {
  const { hostname } = new URL(consoleUrl);
  return hostname === "127.0.0.1" ? "localhost" : hostname;
}
