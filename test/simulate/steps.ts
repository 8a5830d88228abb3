/** The steps of a history: what callers, owners and the platform do, and when. */

import type { InvoiceRequest } from "../../src/domain/invoice/request.ts";
import type { OrderAnswer } from "../../src/domain/order/answers/table.ts";
import { aLine, aRequest, aTicket } from "../support/builders/requests.ts";
import { A_SENT_COMPANY, type SentBody } from "../support/builders/sent-bodies.ts";
import { REFUNDS, SHARED, SOLD } from "../support/rules/kept-sums.ts";
import type { Chance } from "./chance.ts";
import { type ConsoleStep, drawConsoleStep } from "./console-steps.ts";

export type ShopName = "direct" | "orders" | "new" | NativeShopName;
/** Connections whose shops send documents of their own, which decide or are hints of what is fetched. */
export type NativeShopName = "posting" | "fetching";

/** A step of each of these names. */
type Named<Name extends string, Of> = Name extends string ? { readonly do: Name } & Of : never;

interface Direct {
  readonly id: string;
}

interface OfShop {
  readonly shop: ShopName;
}

interface OfNative {
  readonly shop: NativeShopName;
}

/** A webhook of now, the last one again, one of an earlier moment, or one with another's signature. */
export const DELIVERY_FORMS = ["newest", "again", "older", "forged", "foreign"] as const;
export type DeliveryForm = (typeof DELIVERY_FORMS)[number];

export type Step = { readonly atMs: number } & (
  | Named<"issue", Direct & { readonly body: BodyName }>
  | Named<"take back", Direct & { readonly of: string; readonly base: string }>
  | Named<"replace" | "owner rectifies", Direct & { readonly of: string }>
  | Named<"cancel" | "preview" | "read", Direct>
  | Named<"correct", Direct & { readonly by: "amend" | "annul" }>
  | Named<"together", { readonly ids: readonly string[]; readonly body: BodyName }>
  | Named<"order" | "order preview", OrderStep>
  | Named<"orders together", OfShop & { readonly id: string; readonly events: readonly string[] }>
  | Named<"answer", OfShop & { readonly id: string; readonly answer: AnswerName }>
  | Named<"decide again" | "read order" | "view", OfShop & { readonly id: string }>
  | Named<"consent" | "cutoff", OfShop & { readonly cutoff: string }>
  | Named<
      "report" | "withdraw" | "webhook" | "callback" | "no callback" | "second key" | "revoke key",
      OfShop
    >
  | Named<"second thoughts", OfShop & { readonly about: "consent" | "access on" | "access off" | "callback" }>
  | Named<"company", object>
  | Named<"access", OfShop & { readonly isOn: boolean }>
  | Named<"kill" | "deploy", OfShop>
  | Named<"outage" | "authority down", { readonly ms: number }>
  | Named<"shop order changes" | "fetch order", OfNative & { readonly id: string }>
  | Named<"deliver", OfNative & { readonly id: string; readonly form: DeliveryForm }>
  | Named<"search changes" | "list backfill" | "confirm backfill" | "end backfill", OfNative>
  | Named<"shop key" | "disconnect", OfNative>
  | ConsoleStep
);

export interface OrderStep {
  readonly shop: ShopName;
  readonly id: string;
  readonly events: readonly string[];
  readonly flag: Flag;
  /** Minutes of `updated_at`; undefined for a body without one. */
  readonly updatedAt: number | undefined;
  /** In the place of the flag's client. */
  readonly client?: SentBody;
}

const BODIES = {
  small: (id: string) => aRequest(id, { lines: [aLine("1", "50", "21")] }),
  large: (id: string) => aRequest(id, { lines: [aLine("1", "100", "21"), aLine("3", "0.83", "10")] }),
  ticket: (id: string) => aTicket(id, { lines: [aLine("2", "4.13", "21")] }),
  refused: (id: string) => aRequest(id, { regime: "art7_simplified" }),
};
export type BodyName = keyof typeof BODIES;

export function invoiceBody(name: BodyName, id: string): InvoiceRequest {
  return BODIES[name](id);
}

/** A difference that takes back that much base at 21 %. */
export function aDifference(id: string, of: string, base: string): InvoiceRequest {
  return {
    ...aRequest(id, { lines: [aLine("-1", base, "21")], rectifies: [{ externalId: of }] }),
    ...{ invoiceType: "R1", rectificationMethod: "difference" },
  };
}

/** The full invoice in the place of a ticket. */
export function aReplacement(id: string, of: string): InvoiceRequest {
  const lines = [aLine("2", "4.13", "21")];
  return aRequest(id, { invoiceType: "F3", lines, rectifies: [{ externalId: of }] });
}

export const FLAGS = {
  plain: {},
  cancelled: { fiscal_event: "cancelled" },
  full: { fiscal_event: "full_invoice_requested", client: A_SENT_COMPANY },
  // Asks for nothing yet.
  incomplete: { fiscal_event: "none" },
} as const satisfies Readonly<Record<string, SentBody>>;
export type Flag = keyof typeof FLAGS;

export const EVENTS = [...Object.keys(REFUNDS), "v1"];

export function eventBody(id: string): SentBody {
  return REFUNDS[id]?.body ?? { id_external_event: id, event_type: "void" };
}

export const ANSWERS = {
  share: SHARED,
  noSale: { answer: "confirm_annulment", eventId: "v1" },
  cancel: { answer: "issue_cancellation" },
  issue: { answer: "issue" },
  dismiss: { answer: "dismiss", why: "settled by telephone" },
  full: { answer: "ask_full_invoice" },
} as const satisfies Readonly<Record<string, OrderAnswer>>;
export type AnswerName = keyof typeof ANSWERS;

export const SENT_ORDER: SentBody = SOLD;

export const CUTOFFS = ["2026-01-01", "2026-09-20", "2026-10-05"] as const;

/** The day of an order, by its id: around the cutoffs, where an owner moves them. */
export function dayOf(shop: ShopName, id: string): string {
  const days: Readonly<Record<string, string>> = {
    ...{ "1": "2026-09-10", "2": "2026-10-02" },
    ...{ m1: "2026-09-10", m3: "2026-10-02" },
  };
  return (shop === "new" && days[id]) || "2026-10-12";
}

/** Orders from before the shop was connected: only a backfill, a webhook or the owner has them fetched. */
export const EARLY_ORDERS = ["1", "2", "3", "4"] as const;
export const NEW_ORDERS = ["7", "8", "9"] as const;

const DIRECT_IDS = ["a", "b", "c", "d"] as const;
const RECTIFYING_IDS = ["r1", "r2", "r3"] as const;
const ORDER_IDS = ["1", "2", "3:x"] as const;

/** How a history is mixed. */
export interface Mix {
  /** What shops with documents of their own do, and their owner with them; absent for a history without. */
  readonly native?: number;
  /** What people do in the console beyond single answers; absent for a history without. */
  readonly console?: number;
  readonly direct: number;
  readonly orders: number;
  readonly fresh: number;
  readonly owner: number;
  readonly trouble: number;
}

export function drawStep(chance: Chance, mix: Mix, atMs: number): Step {
  const kind = chance.weighted([
    [mix.direct, "direct"],
    [mix.orders, "orders"],
    [mix.fresh, "new"],
    [mix.owner, "owner"],
    [mix.trouble, "trouble"],
    [mix.native ?? 0, "native"],
    [mix.console ?? 0, "console"],
  ] as const);
  switch (kind) {
    case "direct":
      return { atMs, ...directStep(chance) };
    case "orders":
    case "new":
      return { atMs, ...orderStep(chance, kind) };
    case "owner":
      return { atMs, ...ownerStep(chance, mix) };
    case "trouble":
      return { atMs, ...troubleStep(chance, mix) };
    case "native":
      return { atMs, ...nativeStep(chance) };
    case "console":
      return { atMs, ...drawConsoleStep(chance) };
  }
}

type Undated<S> = S extends unknown ? Omit<S, "atMs"> : never;

function directStep(chance: Chance): Undated<Step> {
  const id = chance.pick(DIRECT_IDS);
  const body = chance.weighted<BodyName>([
    [5, "small"],
    [3, "large"],
    [2, "ticket"],
    [1, "refused"],
  ]);
  return chance.weighted<() => Undated<Step>>([
    [8, () => ({ do: "issue", id, body })],
    [
      4,
      () => ({ do: "take back", id: chance.pick(RECTIFYING_IDS), of: id, base: chance.pick(["20", "60"]) }),
    ],
    [1, () => ({ do: "replace", id: "f1", of: id })],
    [3, () => ({ do: "cancel", id: chance.pick(["a", "b", "r1", "f1"]) })],
    [1, () => ({ do: "preview", id })],
    [1, () => ({ do: "read", id })],
    [2, () => ({ do: "correct", id, by: chance.pick(["amend", "annul"]) })],
    [1, () => ({ do: "owner rectifies", id: "o1", of: id })],
    [3, () => ({ do: "together", ids: burst(chance), body })],
  ])();
}

/** Several ids at once, some of them twice; now and then more than one group takes. */
function burst(chance: Chance): readonly string[] {
  if (chance.is(0.02)) return Array.from({ length: 70 }, (_, index) => `m${index % 66}`);
  return Array.from({ length: chance.between(2, 6) }, () => chance.pick(DIRECT_IDS));
}

function orderStep(chance: Chance, shop: ShopName): Undated<Step> {
  const id = chance.pick(ORDER_IDS);
  const events = chance.shuffled(EVENTS).slice(
    0,
    chance.weighted([
      [3, 0],
      [3, 1],
      [2, 2],
      [1, 3],
    ]),
  );
  const sent: OrderStep = {
    ...{ shop, id, events },
    flag: chance.weighted<Flag>([
      [6, "plain"],
      [1, "cancelled"],
      [1, "full"],
      [1, "incomplete"],
    ]),
    updatedAt: chance.is(0.3) ? undefined : chance.below(20),
  };
  return chance.weighted<() => Undated<Step>>([
    [8, () => ({ do: "order", ...sent })],
    [1, () => ({ do: "order preview", ...sent })],
    [3, () => ({ do: "orders together", shop, id, events })],
    [3, () => ({ do: "answer", shop, id, answer: chance.pick(ANSWER_NAMES) })],
    [1, () => ({ do: "decide again", shop, id })],
    [1, () => ({ do: "read order", shop, id })],
    [3, () => ({ do: "view", shop, id })],
    [1, () => ({ do: "report", shop })],
  ])();
}

const ANSWER_NAMES = Object.keys(ANSWERS) as [AnswerName, ...AnswerName[]];

function ownerStep(chance: Chance, mix: Mix): Undated<Step> {
  const shop = someShop(chance, mix);
  const ofOrders = shop === "direct" ? "orders" : shop;
  return chance.weighted<() => Undated<Step>>([
    [
      mix.fresh > 0 ? 6 : 1,
      () => ({ do: "consent", shop: mix.fresh > 0 ? "new" : shop, cutoff: chance.pick(CUTOFFS) }),
    ],
    [2, () => ({ do: "withdraw", shop })],
    [1, () => ({ do: "company" })],
    [1, () => ({ do: "cutoff", shop: ofOrders, cutoff: chance.pick(CUTOFFS) })],
    [4, () => ({ do: "webhook", shop })],
    [1, () => ({ do: "callback", shop: ofOrders })],
    [1, () => ({ do: "no callback", shop: ofOrders })],
    [
      2,
      () => ({
        ...{ do: "second thoughts", shop: ofOrders },
        about: chance.pick(["consent", "access on", "access off", "callback"]),
      }),
    ],
    [1, () => ({ do: "second key", shop })],
    [1, () => ({ do: "revoke key", shop })],
    [2, () => ({ do: "access", shop: ofOrders, isOn: chance.is(0.5) })],
  ])();
}

function troubleStep(chance: Chance, mix: Mix): Undated<Step> {
  const shop = someShop(chance, mix);
  return chance.weighted<() => Undated<Step>>([
    [3, () => ({ do: "kill", shop })],
    [2, () => ({ do: "deploy", shop })],
    [1, () => ({ do: "outage", ms: chance.between(50, 30_000) })],
    [1, () => ({ do: "authority down", ms: chance.between(1_000, 600_000) })],
  ])();
}

function someShop(chance: Chance, mix: Mix): ShopName {
  return chance.weighted<ShopName>([
    [mix.direct, "direct"],
    [mix.orders, "orders"],
    [mix.fresh, "new"],
    [(mix.native ?? 0) / 2, "posting"],
    [(mix.native ?? 0) / 2, "fetching"],
  ]);
}

function nativeStep(chance: Chance): Undated<Step> {
  const shop = chance.pick<NativeShopName>(["posting", "fetching", "fetching"]);
  const id = chance.is(0.5) ? chance.pick(EARLY_ORDERS) : chance.pick(NEW_ORDERS);
  const form = chance.weighted<DeliveryForm>([
    [6, "newest"],
    [2, "again"],
    [3, "older"],
    [1, "forged"],
    [1, "foreign"],
  ]);
  return chance.weighted<() => Undated<Step>>([
    [7, () => ({ do: "shop order changes", shop, id })],
    [9, () => ({ do: "deliver", shop, id, form })],
    [1, () => ({ do: "fetch order", shop: "fetching", id })],
    [1, () => ({ do: "search changes", shop: "fetching" })],
    [3, () => ({ do: "list backfill", shop: "fetching" })],
    [4, () => ({ do: "confirm backfill", shop: "fetching" })],
    [0.5, () => ({ do: "end backfill", shop: "fetching" })],
    [1, () => ({ do: "shop key", shop: "fetching" })],
    [0.5, () => ({ do: "disconnect", shop })],
  ])();
}
