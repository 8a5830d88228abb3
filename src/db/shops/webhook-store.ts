import { and, eq, isNotNull, isNull, lte, min, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ConnectedShop, RemovedShop } from "../../domain/shop/connected-shop.ts";
import { type Database, databaseOn, fromOwnJson } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { keptReads, place } from "../kept-reads.ts";
import { shopWebhookTask } from "../schema/shops.ts";
import { connectedShop, selectFrozen, selectShop } from "./shop-row.ts";

/** The row that keeps the webhooks of the connected shop; other rows have the nonce of an address. */
const KEEPING = "";

/** Webhooks to be kept or removed at a shop. */
export interface WebhookTask {
  readonly nonce: string;
  /** Of a row that keeps them. */
  readonly apiUrl?: string;
  /** Of a row that removes them. */
  readonly removed?: RemovedShop;
  readonly requests: number;
  readonly attempts: number;
  readonly begunAt: Instant;
}

export interface WebhookWork {
  readonly shop?: ConnectedShop;
  readonly due: readonly WebhookTask[];
  readonly nextAt?: Instant;
  readonly isFrozen: boolean;
}

interface FailedTask {
  readonly failure: string;
  /** Absent if only its owner can end the failure. */
  readonly nextAt?: Instant;
}

/** The webhook work of one connection, outside the fence. Every method is one D1 round trip. */
export interface WebhookTaskStore {
  readWork(at: Instant): Promise<WebhookWork>;
  /** All of them are as they are wanted. */
  settle(task: WebhookTask, at: Instant): Promise<void>;
  fail(task: WebhookTask, failed: FailedTask): Promise<void>;
  /** None of the disconnected shop is left, or the removal is given up: its credentials go. */
  drop(task: WebhookTask): Promise<void>;
}

const MOST_TASKS = 5;

export function webhookTaskStore(binding: D1Database, connectionId: string): WebhookTaskStore {
  const db = databaseOn(binding);
  const isOurs = eq(shopWebhookTask.connectionId, connectionId);
  const isTask = ({ nonce, requests }: WebhookTask) =>
    and(isOurs, eq(shopWebhookTask.nonce, nonce), eq(shopWebhookTask.requests, requests));
  return {
    async readWork(at) {
      const [[row], due, [next], [status]] = await db.batch(
        readingTasks(db, { connectionId, at, limit: MOST_TASKS }),
      );
      return {
        ...(row ? { shop: connectedShop(row) } : {}),
        due: due.map(taskFrom),
        ...(next?.at === null || next?.at === undefined ? {} : { nextAt: next.at }),
        isFrozen: Boolean(status?.frozen),
      };
    },
    async settle(task, at) {
      await db
        .update(shopWebhookTask)
        .set({ dueAt: null, madeAt: at, attempts: 0, failure: null })
        .where(isTask(task));
    },
    async fail(task, { failure, nextAt }) {
      await db
        .update(shopWebhookTask)
        .set({ failure, dueAt: nextAt ?? null, attempts: sql`${shopWebhookTask.attempts} + 1` })
        .where(isTask(task));
    },
    async drop(task) {
      await db.delete(shopWebhookTask).where(isTask(task));
    },
  };
}

const readingTasks = keptReads((db) => {
  const isOurs = eq(shopWebhookTask.connectionId, place("connectionId"));
  return [
    selectShop(db, place("connectionId")),
    db
      .select()
      .from(shopWebhookTask)
      .where(and(isOurs, lte(shopWebhookTask.dueAt, place("at"))))
      .limit(place("limit")),
    db
      .select({ at: min(shopWebhookTask.dueAt).as("next_at") })
      .from(shopWebhookTask)
      .where(and(isOurs, isNotNull(shopWebhookTask.dueAt))),
    selectFrozen(db, place("connectionId")),
  ] as const;
});

function taskFrom(row: typeof shopWebhookTask.$inferSelect): WebhookTask {
  const { nonce, apiUrl, removed, requests, attempts, begunAt } = row;
  return {
    ...{ nonce, requests, attempts, begunAt },
    ...(apiUrl === null ? {} : { apiUrl }),
    ...(removed === null ? {} : { removed: fromOwnJson<RemovedShop>(removed) }),
  };
}

/** Makes the webhooks of the connected shop now, and again whenever its address or access changes. */
export function keepWebhooks(
  db: Database,
  connectionId: string,
  { apiUrl, at }: { readonly apiUrl: string; readonly at: Instant },
): FencedStatement {
  const row = { connectionId, nonce: KEEPING, apiUrl, removed: null, dueAt: at };
  return db
    .insert(shopWebhookTask)
    .values({ ...row, requests: 1, begunAt: at, attempts: 0 })
    .onConflictDoUpdate({
      target: [shopWebhookTask.connectionId, shopWebhookTask.nonce],
      set: { apiUrl, ...againAt(at) },
    });
}

/** The request to keep them, if it is not carried out yet and has not failed. */
export function selectDueWebhooks(db: Database, connectionId: string) {
  return db
    .select({ apiUrl: shopWebhookTask.apiUrl })
    .from(shopWebhookTask)
    .where(
      and(
        eq(shopWebhookTask.connectionId, connectionId),
        eq(shopWebhookTask.nonce, KEEPING),
        isNotNull(shopWebhookTask.dueAt),
        isNull(shopWebhookTask.failure),
      ),
    );
}

/** Nothing for a shop whose webhooks the service does not make. */
export function renewWebhooks(db: Database, connectionId: string, at: Instant): FencedStatement {
  return db
    .update(shopWebhookTask)
    .set(againAt(at))
    .where(and(eq(shopWebhookTask.connectionId, connectionId), eq(shopWebhookTask.nonce, KEEPING)));
}

function againAt(at: Instant) {
  return {
    ...{ dueAt: at, attempts: 0, failure: null },
    requests: sql`${shopWebhookTask.requests} + 1`,
  };
}

/** The webhooks of a shop that is disconnected go; those of its connection are no longer kept. */
export function removeWebhooks(
  db: Database,
  connectionId: string,
  removed: RemovedShop | undefined,
  at: Instant,
): FencedStatement[] {
  const isKeeping = and(eq(shopWebhookTask.connectionId, connectionId), eq(shopWebhookTask.nonce, KEEPING));
  const row = { connectionId, requests: 1, attempts: 0, begunAt: at, dueAt: at };
  return [
    db.delete(shopWebhookTask).where(isKeeping),
    ...(removed
      ? [
          db
            .insert(shopWebhookTask)
            .values({ ...row, nonce: removed.nonce, removed: JSON.stringify(removed) })
            .onConflictDoNothing(),
        ]
      : []),
  ];
}
