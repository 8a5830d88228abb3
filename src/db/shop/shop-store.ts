import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { CONNECTOR } from "../../domain/connection/activity-areas.ts";
import { LEFT_BEHIND } from "../../domain/limits.ts";
import { originOfStore } from "../../domain/viewer/origin.ts";
import { accessOf, consented, named, setupOf } from "../book-reads.ts";
import { type Database, rowParameters } from "../database.ts";
import { type FencedStatement, fence, fenced } from "../fence.ts";
import type { Fence, KnownIds, RecordResult, ShopBatch, ShopReading, ShopStore } from "../ledger-state.ts";
import { connection } from "../schema/ledger.ts";
import {
  auditLog,
  customerAccess,
  shopClient,
  shopSetup,
  shopStatus,
  storeOrigin,
  shopStore as storeTable,
} from "../schema/shop.ts";
import {
  type BoundedTable,
  countIfNew,
  newWithRoom,
  type ShopOwner,
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
    ...origins.afterStores,
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

const ORIGINS: BoundedTable = {
  table: storeOrigin,
  connectionId: storeOrigin.connectionId,
  id: storeOrigin.origin,
  most: LEFT_BEHIND.origins,
};

interface OriginStatements {
  /** Origins older than their recording: without an activity line. */
  readonly beforeStores: readonly FencedStatement[];
  /** New ones, each with its line of the activity. */
  readonly afterStores: readonly FencedStatement[];
}

/** Origins of the reported stores, around the statements that write the stores. */
function keepOrigins(db: Database, owner: ShopOwner, batch: ShopBatch): OriginStatements {
  const { connectionId } = owner;
  const rows = batch.stores.flatMap(({ id, url }) => {
    const origin = url === undefined ? undefined : originOfStore(url);
    if (url === undefined || origin === undefined) return [];
    return [[connectionId, origin, id, url, JSON.stringify({ origin, store_id: id })]];
  });
  const sources = rowParameters(rows).map((json) => newOfStores(json, connectionId));
  return {
    beforeStores: sources.map((origins) => {
      const known = sql`(SELECT ${storeTable.seenAt} FROM ${storeTable} WHERE ${isItsStore(owner)})`;
      return insertOrigins(db, owner, { origins, seenAt: sql`coalesce(${known}, ${batch.at})` });
    }),
    afterStores: sources.flatMap((origins) => [
      insertLines(db, owner, { origins, at: batch.at }),
      insertOrigins(db, owner, { origins, seenAt: sql`${batch.at}` }),
    ]),
  };
}

/** Each new origin once, with the first store that has it. */
function newOfStores(json: string, connectionId: string): SQL {
  const reported = sql`(SELECT min(key) AS key, value FROM json_each(${json})
    WHERE EXISTS (SELECT 1 FROM ${storeTable} WHERE ${isItsStore({ connectionId })}
      AND ${storeTable.url} = value ->> 3)
    GROUP BY value ->> 1)`;
  return newWithRoom(reported, ORIGINS, connectionId);
}

function isItsStore({ connectionId }: Pick<ShopOwner, "connectionId">): SQL {
  return sql`${storeTable.connectionId} = ${connectionId} AND ${storeTable.storeId} = value ->> 2`;
}

interface NewOrigins {
  readonly origins: SQL;
}

function insertOrigins(
  db: Database,
  { accountId }: ShopOwner,
  { origins, seenAt }: NewOrigins & { readonly seenAt: SQL },
): FencedStatement {
  return db.insert(storeOrigin).select(
    sql`SELECT value ->> 0, ${accountId}, value ->> 1, value ->> 2, ${seenAt}, NULL
        FROM ${origins} ORDER BY key`,
  );
}

function insertLines(
  db: Database,
  { accountId, connectionId }: ShopOwner,
  { origins, at }: NewOrigins & { readonly at: number },
): FencedStatement {
  // The id names the origin, so that its line exists once.
  return db.insert(auditLog).select(
    sql`SELECT 'report_origin:' || ${connectionId} || ':' || (value ->> 1), ${accountId}, ${connectionId},
          ${CONNECTOR}, ${at}, 'report_origin', value ->> 4
        FROM ${origins} ORDER BY key`,
  );
}
