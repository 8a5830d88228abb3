import { and, eq, isNull } from "drizzle-orm";
import { directOrigin } from "../domain/invoice/origin.ts";
import { invariant } from "../domain/shared/result.ts";
import type {
  CommitResult,
  FindResult,
  IssueBatch,
  LedgerStore,
  LoadQuery,
  LoadResult,
} from "../usecases/ports.ts";
import {
  selectChainHead,
  selectKeys,
  selectSeriesHeads,
  selectSettings,
  selectSettingsVersion,
} from "./book-reads.ts";
import { booksOf } from "./books.ts";
import { type Database, databaseOn } from "./database.ts";
import { closingFence, type FencedStatement, fence, fenceAbort, fencedBatch } from "./fence.ts";
import { selectActing, selectActsOn, selectAnnulments, selectInvoices } from "./invoice-reads.ts";
import {
  insertDocuments,
  insertInvoices,
  insertLinks,
  insertRecords,
  insertSeries,
} from "./invoice-writes.ts";
import { apiKey, consent } from "./schema/ledger.ts";
import { shopStore } from "./shop-store.ts";
import { storedInvoices } from "./stored-invoices.ts";

/** The ledger of one connection on its D1 database: every method is one batch, so one round trip. */
export function ledgerStore(binding: D1Database, connectionId: string): LedgerStore {
  const db = databaseOn(binding);
  return {
    ...shopStore(db, connectionId),
    load: (query) => load(db, connectionId, query),
    find: (externalIds) => find(db, connectionId, externalIds),
    commit: (batch) => commit(db, connectionId, batch),
    addKey: ({ id, hash, at }, fenced) =>
      fencedBatch(db, [
        fence(db, connectionId, fenced),
        db
          .insert(apiKey)
          .values({ id, connectionId, hash, createdAt: at })
          .onConflictDoNothing({ target: apiKey.id }),
      ]),
    revokeKey: (hash, at, fenced) => {
      const alive = and(
        eq(apiKey.connectionId, connectionId),
        eq(apiKey.hash, hash),
        isNull(apiKey.revokedAt),
      );
      const revocation = db.update(apiKey).set({ revokedAt: at }).where(alive);
      return fencedBatch(db, [fence(db, connectionId, fenced), revocation]);
    },
    addConsent: (given, fenced) =>
      fencedBatch(db, [
        fence(db, connectionId, fenced),
        db
          .insert(consent)
          .values({ ...given, connectionId, accountId: fenced.settings.accountId })
          .onConflictDoNothing({ target: consent.id }),
      ]),
  };
}

/** The cold load, and the same behind a fence that closes what became of a lost batch. */
async function load(db: Database, connectionId: string, query: LoadQuery): Promise<LoadResult> {
  const reads = bookReads(db, connectionId, query.externalIds);
  if (!query.closing) return loadedFrom(await db.batch(reads));
  try {
    const [, ...rows] = await db.batch([closingFence(db, connectionId), ...reads]);
    return loadedFrom(rows);
  } catch (error) {
    // It carries the settings of the same moment, so only a frozen account can make them stale.
    if (fenceAbort(error) === "stale_settings") return { result: "frozen" };
    throw error;
  }
}

function bookReads(db: Database, connectionId: string, externalIds: readonly string[]) {
  return [
    selectSettings(db, connectionId),
    selectKeys(db, connectionId),
    selectSeriesHeads(db, connectionId),
    selectChainHead(db, connectionId),
    ...invoiceReads(db, connectionId, externalIds),
  ] as const;
}

function invoiceReads(db: Database, connectionId: string, externalIds: readonly string[]) {
  const origins = JSON.stringify(externalIds.map(directOrigin));
  return [
    selectInvoices(db, connectionId, origins),
    selectAnnulments(db, connectionId, origins),
    selectActing(db, connectionId, origins),
    selectActsOn(db, connectionId, origins),
  ] as const;
}

type Rows<Reads extends readonly unknown[]> = { -readonly [Index in keyof Reads]: Awaited<Reads[Index]> };

function loadedFrom(rows: Readonly<Rows<ReturnType<typeof bookReads>>>): LoadResult {
  const [[settings], keys, series, [head], invoices, annulments, acting, actsOn] = rows;
  if (!settings) return { result: "unknown_connection" };
  const books = booksOf({ settings, keys, series, head });
  return { result: "loaded", books, invoices: storedInvoices({ invoices, annulments, acting, actsOn }) };
}

async function find(db: Database, connectionId: string, externalIds: readonly string[]): Promise<FindResult> {
  const [[settings], invoices, annulments, acting, actsOn] = await db.batch([
    selectSettingsVersion(db, connectionId),
    ...invoiceReads(db, connectionId, externalIds),
  ]);
  return {
    settingsVersion: settings?.version,
    invoices: storedInvoices({ invoices, annulments, acting, actsOn }),
  };
}

/** Fence, series, invoices, documents, links, records: all of it or nothing. */
function commit(db: Database, connectionId: string, batch: IssueBatch): Promise<CommitResult> {
  const { accountId, installation } = batch.settings;
  invariant(installation, "an issuance has an installation");
  const owner = { accountId, connectionId, installationId: installation.id };
  const statements: FencedStatement[] = [
    ...insertSeries(db, owner, batch.newSeries),
    ...insertInvoices(db, owner, batch.invoices),
    ...insertDocuments(db, batch.invoices),
    ...insertLinks(db, batch.invoices),
    ...insertRecords(db, owner, batch.records),
  ];
  return fencedBatch(db, [fence(db, connectionId, batch), ...statements]);
}
