import { and, eq, sql } from "drizzle-orm";
import { assertNever } from "../../domain/shared/result.ts";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { Deed } from "../owner-state.ts";
import { allowedOrigin, customerAccess, storeOrigin } from "../schema/access.ts";
import type { ShopOwner } from "../shop/shop-writes.ts";

type AccessDeed = Extract<Deed, { readonly deed: "switch_access" | `${string}_origin` }>;

/** What an owner's deed about their customers writes; no invoice is decided by it. */
export function accessStatements(
  db: Database,
  owner: ShopOwner,
  deed: AccessDeed,
  at: number,
): FencedStatement[] {
  switch (deed.deed) {
    case "switch_access":
      return [switchAccess(db, owner, deed.isOn, at)];
    case "add_origin":
      return [db.insert(allowedOrigin).values({ ...owner, origin: deed.origin, addedAt: at })];
    case "remove_origin":
      return [unregister(db, owner, deed.origin)];
    case "refuse_origin": {
      const { origin, storeId, seenAt } = deed;
      const refused = db
        .insert(storeOrigin)
        .values({ ...owner, origin, storeId, seenAt, refusedAt: at })
        .onConflictDoUpdate({
          target: [storeOrigin.connectionId, storeOrigin.origin],
          set: { refusedAt: at },
        });
      return [refused, unregister(db, owner, origin)];
    }
    default:
      return assertNever(deed);
  }
}

function unregister(db: Database, { connectionId }: ShopOwner, origin: string): FencedStatement {
  const ours = and(eq(allowedOrigin.connectionId, connectionId), eq(allowedOrigin.origin, origin));
  return db.delete(allowedOrigin).where(ours);
}

function switchAccess(db: Database, owner: ShopOwner, isOn: boolean, at: number): FencedStatement {
  const raise = isOn ? 0 : 1;
  const switched = { isOn: Number(isOn), switchedAt: at };
  return db
    .insert(customerAccess)
    .values({ ...owner, ...switched, epoch: raise })
    .onConflictDoUpdate({
      target: customerAccess.connectionId,
      set: { ...switched, epoch: sql`${customerAccess.epoch} + ${raise}` },
    });
}
