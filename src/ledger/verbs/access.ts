import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import type { FencedStatement } from "../../db/fence.ts";
import type { ChangeOwner } from "../../db/ledger-state.ts";
import { allowedOrigin, customerAccess, storeOrigin } from "../../db/schema/shop.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { registerOrigin } from "../../domain/viewer/access.ts";
import { pageOrigin } from "../../domain/viewer/origin.ts";
import { refused, UNCHANGED, verb, write } from "./verb.ts";

/** Switching off ends all viewer URLs by a new epoch; switching on again revives none of them. */
export const switch_customer_access = verb<{ readonly enabled: boolean }, { readonly isOn: boolean }>({
  area: "access",
  wakesObject: false,
  revokes: ({ enabled }) =>
    enabled ? undefined : (facts) => ({ ...facts, access: { ...facts.access, isOn: false } }),
  decide({ enabled }, { reading }) {
    if (reading.access.isOn === enabled) return UNCHANGED;
    return write({ isOn: enabled }, { enabled: String(enabled) });
  },
  write(db, { accountId, connectionId }, { isOn }, { at }) {
    const raise = isOn ? 0 : 1;
    const switched = { isOn: Number(isOn), switchedAt: at };
    return [
      db
        .insert(customerAccess)
        .values({ accountId, connectionId, ...switched, epoch: raise })
        .onConflictDoUpdate({
          target: customerAccess.connectionId,
          set: { ...switched, epoch: sql`${customerAccess.epoch} + ${raise}` },
        }),
    ];
  },
});

interface Origin {
  readonly origin: string;
}

export const add_origin = verb<Origin, Origin>({
  area: "access",
  wakesObject: false,
  fieldOf: { origin_invalid: "origin", too_many_origins: "origin" },
  decide({ origin: text }, { reading }) {
    const registered = registerOrigin(text, reading.origins);
    if (!registered.ok) return refused(registered.error);
    const origin = registered.value;
    return reading.origins.includes(origin) ? UNCHANGED : write({ origin }, { origin });
  },
  write: (db, { accountId, connectionId }, { origin }, { at }) => [
    db.insert(allowedOrigin).values({ accountId, connectionId, origin, addedAt: at }),
  ],
});

/** The origin of a reported store stays allowed. */
export const remove_origin = verb<Origin, Origin>({
  area: "access",
  wakesObject: false,
  revokes({ origin }) {
    const leaving = pageOrigin(origin) ?? origin;
    return (facts) => ({ ...facts, originsBeingRemoved: [...facts.originsBeingRemoved, leaving] });
  },
  decide({ origin: text }, { reading }) {
    const origin = pageOrigin(text);
    if (origin === undefined || !reading.origins.includes(origin)) return UNCHANGED;
    return write({ origin }, { origin });
  },
  write: (db, owner, { origin }) => [unregister(db, owner, origin)],
});

interface RefusedOrigin extends Origin {
  readonly storeId: string;
  readonly seenAt: Instant;
}

/** Only the owner can allow the origin again, no report of a store can. Its registration ends too. */
export const refuse_origin = verb<Origin, RefusedOrigin>({
  area: "access",
  wakesObject: false,
  revokes({ origin }) {
    const leaving = pageOrigin(origin) ?? origin;
    return (facts) => ({
      ...facts,
      originsBeingRemoved: [...facts.originsBeingRemoved, leaving],
      refusedOrigins: [...facts.refusedOrigins, leaving],
    });
  },
  decide({ origin: text }, { reading }) {
    const page = pageOrigin(text);
    const reported = reading.storeOrigins.find((one) => one.origin === page);
    if (!reported) return UNCHANGED;
    if (reported.refusedAt !== undefined && !reading.origins.includes(reported.origin)) return UNCHANGED;
    const { origin, storeId, seenAt } = reported;
    return write({ origin, storeId, seenAt }, { origin });
  },
  write(db, owner, { origin, storeId, seenAt }, { at }) {
    const { accountId, connectionId } = owner;
    const refusal = db
      .insert(storeOrigin)
      .values({ accountId, connectionId, origin, storeId, seenAt, refusedAt: at })
      .onConflictDoUpdate({
        target: [storeOrigin.connectionId, storeOrigin.origin],
        set: { refusedAt: at },
      });
    return [refusal, unregister(db, owner, origin)];
  },
});

function unregister(db: Database, { connectionId }: ChangeOwner, origin: string): FencedStatement {
  const ours = and(eq(allowedOrigin.connectionId, connectionId), eq(allowedOrigin.origin, origin));
  return db.delete(allowedOrigin).where(ours);
}
