/** The calls of the load, as data, and their answers. */
import { SHOP_PLATFORMS, type ShopPlatform } from "../../../src/domain/shop/presets.ts";

/** With a shop that sends its own documents: they decide, or they are hints of what is fetched. */
export type ShopWay = "posting" | "fetching";
export type ShopConnection = `${ShopPlatform}_${ShopWay}`;
export type ConnectionName = "api" | "api_unconsented" | "commerce" | "profiled" | ShopConnection;

export const SHOP_CONNECTIONS: readonly ShopConnection[] = SHOP_PLATFORMS.flatMap(
  (platform) => [`${platform}_posting`, `${platform}_fetching`] as const,
);
export const CONNECTIONS: readonly ConnectionName[] = [
  ...(["api", "api_unconsented", "commerce", "profiled"] as const),
  ...SHOP_CONNECTIONS,
];

export const CALL_KINDS = [
  "issue",
  "issue_again",
  "issue_changed",
  "issue_refused",
  "rectify",
  "cancel",
  "read_invoice",
  "order",
  "order_again",
  "order_changed",
  "read_order",
  "availability",
  "access",
  "page",
  "answer",
  "amend",
  "consent_text",
  "consent",
  "switch_access",
  "switch_mailing",
  "mail",
  "mail_refused",
  "mail_nowhere",
  "deliver",
  "deliver_forged",
  "shop_changes",
  "shop_misbehaves",
  "owner_asks_shop",
  "backfill",
] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export type Body = Readonly<Record<string, unknown>>;

export interface Call {
  readonly id: string;
  readonly kind: CallKind;
  readonly connection: ConnectionName;
  /** The external id of the invoice or of the order that it is about; empty where it is about neither. */
  readonly about: string;
  readonly method: "GET" | "POST" | "PUT";
  /**
   * Below the API, below the console where it begins with `/api/accounts`, or below the stand-in shops where
   * it names their control.
   */
  readonly path: string;
  readonly body?: Body;
  /** Of a shop's delivery, whose body is signed. */
  readonly delivery?: Delivery;
  /** Members of an earlier answer's data: one takes the place of `{}` in the path, others go into the body. */
  readonly from?: {
    readonly call: string;
    readonly path?: string;
    readonly body?: Readonly<Record<string, string>>;
  };
  /** The allowed answer: done, or one of these error codes. Anything else is a problem. */
  readonly expect: readonly string[];
  /** Codes that say "not yet": it is asked again until it is answered otherwise. */
  readonly awaits?: readonly string[];
  /** It is asked again until the member of a member of its answer is one of these. */
  readonly awaitsState?: readonly [outer: string, member: string, ...states: string[]];
}

export interface Delivery {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that were signed. */
  readonly text: string;
}

/** The code of an answer that is no error. */
export const DONE = "done";

export interface Told {
  readonly call: Call;
  readonly status: number;
  /** `done`, or the `error_code`. */
  readonly code: string;
  readonly data: unknown;
  /** How often it was sent until it was answered. */
  readonly tries: number;
  /** Beginning and end on the one clock of the load, which counts both of every call. */
  readonly began: number;
  readonly ended: number;
}

/** Calls that are made at once, once those of the step before are answered. */
export type Step = readonly Call[];

/** The calls about one invoice or order, or about a few. */
export interface Course {
  readonly steps: readonly Step[];
  /** How its orders are to end. */
  readonly ends: readonly OrderEnd[];
}

export interface OrderEnd {
  readonly connection: ConnectionName;
  readonly idExternal: string;
  readonly state: string;
  /** Of an order of a shop: its invoices, and what they come to together. */
  readonly invoices?: { readonly count: number; readonly total: string };
  /** The order is released later, so an earlier answer about it may change. */
  readonly isReleased: boolean;
}

/** The member of an earlier answer; undefined where there is none. */
export function memberOf(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? Reflect.get(data, name) : undefined;
}
