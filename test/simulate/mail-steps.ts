/**
 * What connectors and owners do about mails to customers: steps that some histories have beside their
 * own.
 */
import type { InvoiceRequest } from "../../src/domain/invoice/request.ts";
import { A_RECIPIENT, aLine, aRequest } from "../support/builders/requests.ts";
import type { SentBody } from "../support/builders/sent-bodies.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { CUTOFFS, type NativeShopName, type OrderStep, type ShopName, type Step } from "./steps.ts";

/** Whom the owner's switch has mailed. */
export type Mailed = "nobody" | "accepting" | "everyone";

export const MAIL_STEPS = [
  ...(["mail issue", "mail cancel", "mail order", "mail asked", "mail again"] as const),
  ...(["mail switch", "mail erasure", "mail service down"] as const),
] as const;

export type MailStep = { readonly atMs: number } & (
  | { readonly do: "mail issue"; readonly id: DirectId; readonly customer: CustomerName }
  | { readonly do: "mail cancel"; readonly id: DirectId }
  | {
      readonly do: "mail order";
      readonly shop: OrderShop;
      readonly id: OrderId;
      readonly events: readonly string[];
    }
  /** Of an invoice that was shown; `again` for a new mail although one was sent. */
  | {
      readonly do: "mail asked" | "mail again";
      readonly shop: "direct" | OrderShop;
      readonly id: string;
      readonly to: string | undefined;
      readonly by: "connector" | "owner";
    }
  | { readonly do: "mail switch"; readonly shop: ShopName; readonly to: Mailed }
  | { readonly do: "mail erasure"; readonly shop: OrderShop; readonly id: OrderId }
  | { readonly do: "mail service down"; readonly ms: number }
);

export type OrderShop = "orders" | "new";
const DIRECT_IDS = ["ma", "mb", "mc"] as const;
type DirectId = (typeof DIRECT_IDS)[number];
const ORDER_IDS = ["m1", "m2", "m3"] as const;
type OrderId = (typeof ORDER_IDS)[number];

/** Customers of direct invoices. */
const CUSTOMERS = {
  silent: { email: "silencio@cliente.es" },
  accepting: { email: "acepta@cliente.es", acceptsElectronic: true },
  refusing: { email: "rehusa@cliente.es", acceptsElectronic: false },
  without: {},
} as const;
type CustomerName = keyof typeof CUSTOMERS;

/** The mail service takes nothing for it. */
export const NO_MAILBOX = "nadie@rebotado.es";

export function mailedBody(id: string, customer: CustomerName): InvoiceRequest {
  const recipient = { ...A_RECIPIENT, ...CUSTOMERS[customer] };
  return aRequest(id, { recipient, lines: [aLine("1", "30", "21")] });
}

/** The client of an order; nobody else has the address. */
export function clientOfMailed(id: string): SentBody & { readonly id_external: string } {
  const accepts = id === "m2" ? { accepts_electronic: true } : {};
  return {
    ...{ id_external: `c-${id}`, first_name: "Ana", country: "ES" },
    email: addressOf(id),
    ...accepts,
  };
}

export function addressOf(id: string): string {
  return `${id}@cliente.es`;
}

export function orderStepOf({ shop, id, events, atMs }: Extract<MailStep, { do: "mail order" }>): OrderStep {
  return { shop, id, events, flag: "plain", updatedAt: atMs % 20, client: clientOfMailed(id) };
}

/** Of the histories; the others are as they would be without mails. */
const MAIL_SHARE = 0.3;

/**
 * Undefined for a history without mails. They come in the time of the other steps; some owners move the day
 * from which orders are invoiced, so that orders from before it are released.
 */
export function drawMailSteps(
  seed: number,
  steps: readonly Step[],
  isNative: boolean,
): readonly (MailStep | Step)[] | undefined {
  const chance = chanceOf(seed, 11);
  if (!chance.is(MAIL_SHARE)) return undefined;
  const lastMs = steps.at(-1)?.atMs ?? 0;
  const drawn = Array.from({ length: chance.between(3, 14) }, () =>
    drawMailStep(chance, chance.below(lastMs + 2_000), isNative),
  );
  if (isNative || !chance.is(0.5)) return drawn.flat();
  const [earliest, , latest] = CUTOFFS;
  return [
    ...drawn.flat(),
    { atMs: 0, do: "consent", shop: "new", cutoff: latest },
    { atMs: lastMs + chance.between(1_000, 20_000), do: "cutoff", shop: "new", cutoff: earliest },
  ];
}

function drawMailStep(chance: Chance, atMs: number, isNative: boolean): readonly MailStep[] {
  const shop = chance.pick<OrderShop>(["orders", "orders", "new"]);
  const direct = chance.pick(DIRECT_IDS);
  const order = chance.pick(ORDER_IDS);
  // After some of the others, which issue first.
  const asked = (): MailStep => ({
    ...{ atMs: atMs + chance.below(10_000), do: chance.is(0.8) ? "mail asked" : "mail again" },
    ...(chance.is(0.5) ? { shop: "direct", id: direct } : { shop, id: order }),
    to: chance.pick([undefined, undefined, "otra@cliente.es", NO_MAILBOX]),
    by: chance.is(0.8) ? "connector" : "owner",
  });
  const switched = isNative
    ? chance.pick<NativeShopName>(["posting", "fetching"])
    : chance.pick<ShopName>(["direct", "orders", "new"]);
  const isAskedThen = chance.is(0.5);
  const erased: readonly MailStep[] = [
    { atMs, do: "mail erasure", shop, id: order },
    // Somebody asks for it all the same, and says no address.
    ...(isAskedThen
      ? [
          {
            ...({ do: "mail asked", shop, id: order, to: undefined, by: "connector" } as const),
            atMs: atMs + chance.between(2_000, 40_000),
          },
        ]
      : []),
  ];
  const one = chance.weighted<() => MailStep | readonly MailStep[]>([
    [
      5,
      () => ({
        ...{ atMs, do: "mail issue", id: direct },
        customer: chance.pick(Object.keys(CUSTOMERS) as [CustomerName, ...CustomerName[]]),
      }),
    ],
    [1, () => ({ atMs, do: "mail cancel", id: direct })],
    [
      6,
      () => ({
        ...{ atMs, do: "mail order", shop, id: order },
        events: chance.shuffled(["a", "b", "d"]).slice(0, chance.below(3)),
      }),
    ],
    [6, asked],
    [
      2,
      () => ({
        ...{ atMs, do: "mail switch", shop: switched },
        to: chance.pick(["nobody", "accepting", "everyone"]),
      }),
    ],
    [3, () => erased],
    [1, () => ({ atMs, do: "mail service down", ms: chance.between(1_000, 4 * 3_600_000) })],
  ])();
  return [one].flat();
}
