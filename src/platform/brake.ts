import type { Context } from "hono";

/** Counts per minute and per Cloudflare location; its limits are in wrangler.toml and `domain/limits.ts`. */
export interface Brake {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The binding does not say when its minute ends. */
export const BRAKE_SECONDS = 60;

/** True if the call exceeds the limit. If the brake fails, calls pass: later checks still apply. */
export async function isBraked(brake: Brake, key: string): Promise<boolean> {
  const { success } = await brake.limit({ key }).catch(() => ({ success: true }));
  return !success;
}

const GROUPS = 8;
/** The groups that a provider assigns to one customer, who may use any address in them. */
const NETWORK_GROUPS = 4;

/** The network of a request, as reported by Cloudflare. */
export function networkIn(c: Pick<Context, "req">): string {
  return networkOf(c.req.header("CF-Connecting-IP"));
}

/** The network that an address counts as: of IPv6 the /64, because one customer controls all of it. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return "unknown";
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const between = Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill("0");
  const groups = tail === undefined ? before : [...before, ...between, ...after];
  return `${groups.slice(0, NETWORK_GROUPS).map(bare).join(":")}::/64`;
}

function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":");
}

function bare(group: string): string {
  return group.replace(/^0+(?=.)/, "");
}
