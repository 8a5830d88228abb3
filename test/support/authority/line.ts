/** The line from a connection to a sandbox authority of its own, as a certificate's binding would be one. */
import { env } from "cloudflare:workers";
import type { SandboxAuthority } from "../../../src/sandbox/worker.ts";

/** Connections that submit their records; those of all others wait. */
const connected = new Set<string>();

export function connect(connectionId: string): void {
  connected.add(connectionId);
}

/** The replacement of the authority on the line, per connection. */
type Interruption = (send: () => Promise<Response>, sent: string) => Promise<Response>;
const interruptions = new Map<string, Interruption[]>();

/** Meets the next message of the connection. */
export function interrupt(connectionId: string, by: Interruption): void {
  interruptions.set(connectionId, [...(interruptions.get(connectionId) ?? []), by]);
}

/** Meets every message of the connection from now on. */
export function intercept(connectionId: string, by: Interruption): void {
  interceptions.set(connectionId, by);
}

const interceptions = new Map<string, Interruption>();

export function sandboxOf(connectionId: string): DurableObjectStub<SandboxAuthority> {
  return env.AUTHORITY.getByName(connectionId);
}

export function lineOf(connectionId: string): (url: string, init: RequestInit) => Promise<Response> {
  return (url, init) => {
    const send = () => sandboxOf(connectionId).fetch(url, init);
    const [by, ...others] = interruptions.get(connectionId) ?? [];
    interruptions.set(connectionId, others);
    const meets = by ?? interceptions.get(connectionId);
    return meets ? meets(send, new TextDecoder().decode(init.body as Uint8Array)) : send();
  };
}

/** The object asks when it opens its books. */
export function withAuthority<E extends Cloudflare.Env>(over: E, connectionId: string): E {
  const line = { fetch: lineOf(connectionId) };
  return Object.defineProperties(
    { ...over },
    {
      AEAT_TRANSPORT: { get: () => (connected.has(connectionId) ? "certificate" : "off"), enumerable: true },
      AEAT_CERTIFICATE: { value: line, enumerable: true },
    },
  );
}
