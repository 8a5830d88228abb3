/** Statements that several owner's verbs write behind the fence. */
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { UNDECLARED } from "../domain/billing/sales-settings.ts";
import { trialStem } from "../domain/billing/series.ts";
import { codesOfStem } from "../domain/billing/stems.ts";
import type { PullCallback } from "../domain/callback/pull-callback.ts";
import type { Database } from "./database.ts";
import type { FencedStatement } from "./fence.ts";
import type { ChangeOwner } from "./ledger-state.ts";
import { seriesStem, shopCallback, shopOrder } from "./schema/orders.ts";
import { shopSetup } from "./schema/shop.ts";

/** A change may decide orders on hold otherwise: they are marked, and the object decides them again. */
export function redecideHeld(db: Database, connectionId: string): FencedStatement {
  return redecide(db, connectionId, isHeld());
}

/** A selection of stores also decides the orders of stores that were not selected. */
export function redecideWaitingForStore(db: Database, connectionId: string): FencedStatement {
  return redecide(db, connectionId, or(isHeld(), eq(shopOrder.state, "store_not_selected")));
}

function redecide(db: Database, connectionId: string, which: SQL | undefined): FencedStatement {
  const ours = and(eq(shopOrder.connectionId, connectionId), which);
  return db.update(shopOrder).set({ undecided: true }).where(ours);
}

function isHeld(): SQL {
  return eq(shopOrder.state, "held");
}

interface SetupChange {
  readonly state?: "configured";
  readonly storeIds?: string;
  readonly chosenAt?: number;
  readonly sales?: string;
  readonly orderStem?: string | null;
}

/** A connection opened without the guide has no row before its first declaration, and is configured. */
export function upsertSetup(
  db: Database,
  { accountId, connectionId }: ChangeOwner,
  change: SetupChange,
): FencedStatement {
  const begun = { state: "configured", storeIds: null, sales: JSON.stringify(UNDECLARED) };
  return db
    .insert(shopSetup)
    .values({ accountId, connectionId, ...begun, ...change })
    .onConflictDoUpdate({ target: shopSetup.connectionId, set: change });
}

/** Reserves the four codes of a stem in its account. */
export function takeStem(db: Database, owner: ChangeOwner, declared: string): FencedStatement {
  const { accountId, connectionId } = owner;
  const stem = reservedStem(owner, declared);
  return db
    .insert(seriesStem)
    .values(codesOfStem(stem).map((code) => ({ accountId, code, stem, connectionId })));
}

export function freeStem(db: Database, owner: ChangeOwner, declared: string): FencedStatement {
  const codes = codesOfStem(reservedStem(owner, declared));
  const ours = and(
    eq(seriesStem.accountId, owner.accountId),
    sql`${seriesStem.code} IN (SELECT value FROM json_each(${JSON.stringify(codes)}))`,
    eq(seriesStem.connectionId, owner.connectionId),
  );
  return db.delete(seriesStem).where(ours);
}

/** A connection for tests reserves its stems as they number, so that they are in no other's way. */
function reservedStem({ trial }: ChangeOwner, declared: string): string {
  return trial ? trialStem(declared) : declared;
}

/** Undefined removes it. */
export function keepCallback(
  db: Database,
  { accountId, connectionId }: ChangeOwner,
  callback: PullCallback | undefined,
): FencedStatement {
  if (!callback) return db.delete(shopCallback).where(eq(shopCallback.connectionId, connectionId));
  const { url, secrets, delivery } = callback;
  const kept = {
    url,
    secret: secrets.current,
    previousSecret: secrets.previous ?? null,
    deliveryId: delivery?.id ?? null,
    askedAt: delivery?.askedAt ?? null,
    attempts: delivery?.attempts ?? 0,
    dueAt: delivery?.dueAt ?? null,
    lastAt: delivery?.lastAt ?? null,
    lastOutcome: delivery?.lastOutcome ? JSON.stringify(delivery.lastOutcome) : null,
  };
  return db
    .insert(shopCallback)
    .values({ accountId, connectionId, ...kept })
    .onConflictDoUpdate({ target: shopCallback.connectionId, set: kept });
}
