import { type CallbackUrlPolicy, type CallbackUrlRefusal, checkCallbackUrl } from "../callback/url.ts";
import { newAddressNonce } from "../connection/shop-address.ts";
import { type Refusal, refuse } from "../invoice/refusal.ts";
import type { Instant } from "../shared/instant.ts";
import { ok, type Result } from "../shared/result.ts";
import type { ShopPlatform, StatusMap } from "./presets.ts";
import { offersWebhooks } from "./webhooks.ts";

/** How the documents of a shop are read, as its owner says. */
export interface ShopSettings {
  /** By native status, in place of the platform's preset. */
  readonly statuses: StatusMap;
  /** True once its owner has changed the map: the preset of the shop's own states changes it no more. */
  readonly areStatusesOwn?: true;
  /** The member in which the shop keeps the buyer's NIF, if it is an unusual one. */
  readonly nifKey?: string;
  /** Members in which the shop keeps credit that paid for an order. */
  readonly creditKeys?: readonly string[];
}

/** A sealed secret with its last characters, by which its owner recognises it. */
export interface SealedSecret {
  readonly sealed: string;
  readonly tail: string;
}

export type SealedCredentials = Readonly<Record<string, SealedSecret>>;

/** The shop of a connection as its owner has set it up. */
export interface ConnectedShop {
  readonly platform: ShopPlatform;
  /** Without it nothing is fetched. */
  readonly url?: string;
  readonly nonce: string;
  readonly previousNonce?: string;
  readonly previousUntil?: Instant;
  readonly secret?: SealedSecret;
  readonly previousSecret?: SealedSecret;
  readonly credentials: SealedCredentials;
  /** Another one with each address, set of credentials and connection. */
  readonly access: string;
  readonly settings: ShopSettings;
  readonly settingsVersion: number;
}

/** A shop that was disconnected: its webhooks are still to be removed there. */
export interface RemovedShop extends Pick<ConnectedShop, "platform" | "nonce" | "credentials"> {
  readonly url: string;
  readonly previousNonce?: string;
}

/** Undefined for a shop whose API the service cannot call, or that has no webhooks of its own. */
export function removedShop(shop: ConnectedShop): RemovedShop | undefined {
  const { platform, url, nonce, previousNonce, credentials } = shop;
  if (url === undefined || !offersWebhooks(platform)) return undefined;
  return { platform, url, nonce, credentials, ...(previousNonce === undefined ? {} : { previousNonce }) };
}

export const SHOP_REFUSED = [
  ...(["shop_missing", "shop_platform_fixed", "shop_url_invalid", "shop_credentials_incomplete"] as const),
  ...(["shop_secret_is_theirs", "shop_not_fetched", "shop_order_unknown"] as const),
  ...(["shop_webhooks_by_module", "shop_backfill_running", "shop_backfill_no_more"] as const),
  ...(["shop_backfill_missing", "shop_backfill_not_listed", "shop_backfill_order_unknown"] as const),
] as const;
export type ConnectedShopRefusal = Refusal<(typeof SHOP_REFUSED)[number]> | CallbackUrlRefusal;

/** An address that was replaced lives on for a day, so that the shop can change to the new one. */
export const ADDRESS_OVERLAP_MS = 86_400_000;

/** The credentials with which each platform is asked: one of the lists, whole. */
const CREDENTIALS: Readonly<Record<ShopPlatform, readonly (readonly string[])[]>> = {
  woocommerce: [["consumer_key", "consumer_secret"]],
  shopify: [
    ["client_id", "secret"],
    ["token", "secret"],
  ],
  prestashop: [["key"]],
  magento: [["token"]],
};

/** Shopify signs with the secret of its own app; for the others the service makes one. */
export function signsWithOwnSecret(platform: ShopPlatform): boolean {
  return platform === "shopify";
}

export interface ShopAccess {
  readonly url?: string;
  readonly credentials: Readonly<Record<string, string>>;
}

export interface ShopUrlPolicy extends Pick<CallbackUrlPolicy, "ownHosts"> {
  /** The address of the sandbox shops; empty where there are none. */
  readonly sandbox: string;
}

/** The access that its owner gives the service to the shop; without an address nothing is fetched. */
export function checkAccess(
  platform: ShopPlatform,
  { url, credentials }: ShopAccess,
  policy: ShopUrlPolicy,
): Result<ShopAccess, ConnectedShopRefusal> {
  const given = Object.keys(credentials).filter((name) => credentials[name]?.trim() !== "");
  const known = new Set(CREDENTIALS[platform].flat());
  const strange = given.filter((name) => !known.has(name));
  const isSigned = !signsWithOwnSecret(platform) || given.includes("secret");
  const isWhole = CREDENTIALS[platform].some((names) => names.every((name) => given.includes(name)));
  if (strange.length > 0 || !isSigned || (url !== undefined && !isWhole)) {
    const needed = CREDENTIALS[platform].map((names) => names.join(" + ")).join(" / ");
    return refuse("shop_credentials_incomplete", { fields: needed });
  }
  const trimmed = Object.fromEntries(given.map((name) => [name, credentials[name]?.trim() ?? ""]));
  if (url === undefined) return ok({ credentials: trimmed });
  const checked = checkShopUrl(platform, url.trim(), policy);
  return checked.ok ? ok({ url: checked.value, credentials: trimmed }) : checked;
}

const MYSHOPIFY = /^https:\/\/[a-z0-9][a-z0-9-]{0,60}\.myshopify\.com$/;

/** The base address of the shop without its last slash; the rules are those of callbacks. */
export function checkShopUrl(
  platform: ShopPlatform,
  text: string,
  { ownHosts, sandbox }: ShopUrlPolicy,
): Result<string, ConnectedShopRefusal> {
  if (sandbox !== "" && text === `${sandbox}/${platform}`) return ok(text);
  const url = checkCallbackUrl(text, { ownHosts, allowLoopback: false });
  if (!url.ok) return url;
  const base = url.value.replace(/\/+$/, "");
  const isPlain = new URL(url.value).search === "";
  if (!isPlain || (platform === "shopify" && !MYSHOPIFY.test(base))) return refuse("shop_url_invalid");
  return ok(base);
}

/** The shop with another address; undefined while an earlier one lives, because a third would end that. */
export function withNewAddress(
  shop: ConnectedShop,
  now: Instant,
  random: Parameters<typeof newAddressNonce>[0],
): ConnectedShop | undefined {
  if (shop.previousUntil !== undefined && shop.previousUntil > now) return undefined;
  return {
    ...shop,
    nonce: newAddressNonce(random),
    previousNonce: shop.nonce,
    previousUntil: now + ADDRESS_OVERLAP_MS,
  };
}

/** True for its address, and for the one before as long as that lives. */
export function livesAt(
  nonce: string,
  {
    nonce: current,
    previousNonce,
    previousUntil,
  }: Pick<ConnectedShop, "nonce" | "previousNonce" | "previousUntil">,
  now: Instant,
): boolean {
  return nonce === current || (nonce === previousNonce && now < (previousUntil ?? 0));
}

/** The last characters of a secret, for its owner; of a short one fewer are shown. */
export function tailOf(secret: string): string {
  return secret.length >= 12 ? secret.slice(-4) : "";
}
