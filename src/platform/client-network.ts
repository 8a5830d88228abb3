import type { Context } from "hono";

const GROUPS = 8;
/** What a provider gives to one customer, who may take any address of it. */
const NETWORK_GROUPS = 4;

/** Where a request comes from, as Cloudflare says. */
export function networkIn(c: Pick<Context, "req">): string {
  return networkOf(c.req.header("CF-Connecting-IP"));
}

/** What an address counts as: of IPv6 the /64, because whoever has one has all of it. */
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
