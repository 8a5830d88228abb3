import { and, asc, eq, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { accessOf, consented, named, setupOf } from "../book-reads.ts";
import type { Database } from "../database.ts";
import { type FencedStatement, fence, fenced } from "../fence.ts";
import type { Fence, KnownIds, RecordResult, ShopBatch, ShopReading, ShopStore } from "../ledger-state.ts";
import { customerAccess } from "../schema/access.ts";
import { connection } from "../schema/ledger.ts";
import { shopClient, shopSetup, shopStatus, shopStore as storeTable } from "../schema/shop.ts";
import { keepOrigins } from "./origin-writes.ts";
import {
  type BoundedTable,
  countIfNew,
  STATUSES,
  STORES,
  upsertClients,
  upsertInventory,
  upsertModule,
  upsertStatuses,
  upsertStores,
} from "./shop-writes.ts";

export function shopStore(db: Database, connectionId: string): ShopStore {
  return {
    recordShop: (batch, fence) => recordShop(db, connectionId, batch, fence),
    readShop: () => readShop(db, connectionId),
  };
}

/** The existing ids are read after the fence and before the first upsert, in the one round trip. */
async function recordShop(
  db: Database,
  connectionId: string,
  batch: ShopBatch,
  decidedOn: Fence,
): Promise<RecordResult> {
  const origins = keepOrigins(db, { accountId: decidedOn.settings.accountId, connectionId }, batch);
  const statements: FencedStatement[] = [
    ...upsertClients(db, connectionId, batch),
    ...upsertStatuses(db, connectionId, batch),
    ...origins.beforeStores,
    ...upsertStores(db, connectionId, batch),
    ...origins.behindStores,
    ...upsertInventory(db, connectionId, batch),
    ...upsertModule(db, connectionId, batch),
    ...moveSetup(db, connectionId, batch),
  ];
  const first = fence(db, connectionId, decidedOn);
  const settled = await fenced(() =>
    db.batch([
      first,
      selectKnown(db, connectionId, batch),
      selectCounts(db, connectionId, batch),
      ...statements,
    ] as const),
  );
  if (settled.result !== "committed") return settled;
  const [, known, [counts]] = settled.rows;
  return {
    result: "committed",
    known: { ...knownIds(known), counts: counts ?? { statuses: 0, stores: 0 } },
  };
}

/** Only kinds with new rows in the batch are counted. */
function selectCounts(db: Database, connectionId: string, { statuses, stores }: ShopBatch) {
  const counted = (table: BoundedTable, ids: readonly string[], name: string) =>
    sql<number>`${countIfNew(table, connectionId, ids)}`.as(name);
  const statusIds = statuses.map(({ idExternal }) => idExternal);
  const storeIds = stores.map(({ id }) => id);
  return db
    .select({
      statuses: counted(STATUSES, statusIds, "status_count"),
      stores: counted(STORES, storeIds, "store_count"),
    })
    .from(connection)
    .where(eq(connection.id, connectionId));
}

type KnownKind = keyof Omit<KnownIds, "counts">;
type KnownRow = Awaited<ReturnType<typeof selectKnown>>[number];

function selectKnown(db: Database, connectionId: string, { clients, statuses, stores }: ShopBatch) {
  const knownIn = (
    table: typeof shopClient | typeof shopStatus | typeof storeTable,
    id: typeof shopClient.idExternal | typeof shopStatus.idExternal | typeof storeTable.storeId,
    ids: readonly string[],
    of: KnownKind,
  ) =>
    db
      .select({
        of: sql<KnownKind>`${sql.raw(`'${of}'`)}`.as("known_of"),
        id: sql<string>`${id}`.as("known_id"),
      })
      .from(table)
      .where(
        and(
          eq(table.connectionId, connectionId),
          sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        ),
      );
  return unionAll(
    knownIn(
      shopClient,
      shopClient.idExternal,
      clients.map(({ idExternal }) => idExternal),
      "clients",
    ),
    knownIn(
      shopStatus,
      shopStatus.idExternal,
      statuses.map(({ idExternal }) => idExternal),
      "statuses",
    ),
    knownIn(
      storeTable,
      storeTable.storeId,
      stores.map(({ id }) => id),
      "stores",
    ),
  );
}

function knownIds(rows: readonly KnownRow[]): Omit<KnownIds, "counts"> {
  const idsOf = (of: KnownKind) => rows.filter((row) => row.of === of).map(({ id }) => id);
  return { clients: idsOf("clients"), statuses: idsOf("statuses"), stores: idsOf("stores") };
}

/** Raises the settings version, but only if the state changes. */
function moveSetup(db: Database, connectionId: string, { setupState }: ShopBatch): FencedStatement[] {
  if (setupState === undefined) return [];
  return [db.update(shopSetup).set({ state: setupState }).where(eq(shopSetup.connectionId, connectionId))];
}

async function readShop(db: Database, connectionId: string): Promise<ShopReading | undefined> {
  const [[row], stores] = await db.batch([
    db
      .select({
        kind: connection.kind,
        setupState: named(shopSetup.state, "setup_state"),
        storeIds: shopSetup.storeIds,
        accessIsOn: named(customerAccess.isOn, "access_is_on"),
        epoch: named(customerAccess.epoch, "access_epoch"),
        consented: consented(connectionId),
      })
      .from(connection)
      .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
      .leftJoin(customerAccess, eq(customerAccess.connectionId, connection.id))
      .where(eq(connection.id, connectionId)),
    db
      .select({ id: storeTable.storeId })
      .from(storeTable)
      .where(eq(storeTable.connectionId, connectionId))
      .orderBy(asc(storeTable.ordinal)),
  ]);
  if (!row) return undefined;
  return {
    connectionKind: row.kind,
    setup: setupOf(row),
    consented: row.consented === 1,
    access: accessOf(row),
    storeIds: stores.map(({ id }) => id),
  };
}
