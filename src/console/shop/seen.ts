import { Hono } from "hono";
import { matchProfile, type Profile, type SalesSettings } from "../../domain/billing/sales-settings.ts";
import { add, type Decimal, isZero, ZERO } from "../../domain/shared/decimal.ts";
import type { ConsoleEnv } from "../deps.ts";
import type { SeenOrder } from "./seen-queries.ts";

/** The rates and amounts of the newest orders, with the treatment that each amount has by its profile. */
export const seenRoutes = new Hono<ConsoleEnv>().get("/shop/seen", async (c) => {
  const { account, connection: of, reads } = c.var;
  const [orders, selling] = await Promise.all([
    reads.seen.newest(account.accountId, of.id),
    reads.selling.read(account.accountId, of.id),
  ]);
  const { profiles = [], sales } = selling ?? {};
  return c.json({
    success: true as const,
    data: {
      orders: orders.length,
      rates: ratesIn(orders),
      unmapped: unmappedIn(orders, { profiles, sales }),
    },
  });
});

function ratesIn(orders: readonly SeenOrder[]) {
  const rates = new Map<
    string,
    { rate: Decimal; surcharge: Decimal | null; orders: number; lines: number }
  >();
  for (const { lines } of orders) {
    const ofOrder = new Set<string>();
    for (const { taxRate: rate, surchargeRate: surcharge = null } of lines) {
      const key = `${rate} ${surcharge ?? ""}`;
      const seen = rates.get(key) ?? { rate, surcharge, orders: 0, lines: 0 };
      rates.set(key, {
        ...seen,
        lines: seen.lines + 1,
        orders: seen.orders + (ofOrder.has(key) ? 0 : 1),
      });
      ofOrder.add(key);
    }
  }
  return [...rates.values()].sort((a, b) => b.lines - a.lines);
}

interface Selling {
  readonly profiles: readonly Profile[];
  readonly sales: SalesSettings | undefined;
}

function unmappedIn(orders: readonly SeenOrder[], selling: Selling) {
  const seen = new Map<string, ReturnType<typeof unmappedOf>>();
  for (const order of orders) {
    const { profile, sales } = takenBy(order, selling);
    for (const entry of order.unmapped.filter(({ value }) => !isZero(value))) {
      const key = JSON.stringify([entry.code, order.currency, profile?.id ?? null]);
      const before = seen.get(key) ?? unmappedOf(entry, order, { profile, sales });
      seen.set(key, { ...before, orders: before.orders + 1, total: add(before.total, entry.value) });
    }
  }
  return [...seen.values()].sort((a, b) => b.orders - a.orders);
}

interface TakenBy {
  readonly profile: Profile | undefined;
  /** Undefined where no single profile takes the order. */
  readonly sales: SalesSettings | undefined;
}

/** By the same rule that decides orders. */
function takenBy(order: SeenOrder, { profiles, sales }: Selling): TakenBy {
  if (profiles.length === 0) return { profile: undefined, sales };
  const assigned = profiles.find(({ id }) => id === order.profileId);
  const found = assigned ? ({ match: "one", profile: assigned } as const) : matchProfile(order, profiles);
  const profile = found.match === "one" ? found.profile : undefined;
  return { profile, sales: profile?.sales };
}

function unmappedOf(
  { code, title }: SeenOrder["unmapped"][number],
  { currency }: SeenOrder,
  { profile, sales }: TakenBy,
) {
  // Members of the map only: a code may be called `constructor`.
  const treatment = sales && Object.hasOwn(sales.treatments, code) ? sales.treatments[code] : undefined;
  return {
    code,
    title: title ?? null,
    currency,
    orders: 0,
    total: ZERO as Decimal,
    profileId: profile?.id ?? null,
    profile: profile?.name ?? null,
    treatment: treatment
      ? { as: treatment.as, rate: treatment.as === "fee" ? String(treatment.rate) : null }
      : null,
  };
}
