import { and, asc, count, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Database, fromOwnJson } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { Bound } from "../kept-reads.ts";
import { shopOrder } from "../schema/orders.ts";
import { reviewJob, reviewJobOrder } from "../schema/review.ts";
import {
  MOST_ANSWERED,
  type NewQuestionJob,
  type OpenJob,
  type QuestionJobRow,
  type QuestionOutcome,
} from "./question-job.ts";

/** Jobs of one connection, outside the fence. Every method is one D1 round trip. */
export interface QuestionStore {
  readOpen(limit: number): Promise<OpenJob | undefined>;
  /** Orders that could not be decided through our fault: the job goes on without them. */
  fail(jobId: string, idsExternal: readonly string[]): Promise<void>;
  /** The profiles of the orders that took the answer, with their number. */
  takenBy(jobId: string): Promise<readonly TakenBy[]>;
  end(jobId: string, at: Instant): Promise<void>;
}

export interface TakenBy {
  /** Null for the connection's own sales. */
  readonly profileId: string | null;
  readonly orders: number;
}

export function questionStore(db: Database, connectionId: string): QuestionStore {
  const ofJob = (jobId: string) =>
    and(eq(reviewJobOrder.connectionId, connectionId), eq(reviewJobOrder.jobId, jobId));
  return {
    async readOpen(limit) {
      const oldest = sql`(SELECT ${reviewJob.id} FROM ${reviewJob}
        WHERE ${reviewJob.connectionId} = ${connectionId} AND ${reviewJob.endedAt} IS NULL
        ORDER BY ${reviewJob.begunAt} LIMIT 1)`;
      const [[row], orders] = await db.batch([
        db
          .select()
          .from(reviewJob)
          .where(and(eq(reviewJob.connectionId, connectionId), sql`${reviewJob.id} = ${oldest}`)),
        db
          .select({
            idExternal: reviewJobOrder.idExternal,
            apart: reviewJobOrder.apart,
            changedAt: reviewJobOrder.changedAt,
          })
          .from(reviewJobOrder)
          .where(
            and(
              eq(reviewJobOrder.connectionId, connectionId),
              sql`${reviewJobOrder.jobId} = ${oldest}`,
              isNull(reviewJobOrder.outcome),
            ),
          )
          .orderBy(asc(reviewJobOrder.idExternal))
          .limit(limit),
      ]);
      return row && { job: jobFrom(row), orders };
    },
    async fail(jobId, idsExternal) {
      const isThese = sql`${reviewJobOrder.idExternal} IN
        (SELECT value FROM json_each(${JSON.stringify(idsExternal)}))`;
      await db
        .update(reviewJobOrder)
        .set({ outcome: "failed" })
        .where(and(ofJob(jobId), isThese, isNull(reviewJobOrder.outcome)));
    },
    takenBy: (jobId) =>
      db
        .select({ profileId: reviewJobOrder.profileId, orders: count() })
        .from(reviewJobOrder)
        .where(and(ofJob(jobId), sql`${reviewJobOrder.outcome} IN ('issued', 'settled', 'waiting')`))
        .groupBy(reviewJobOrder.profileId),
    async end(jobId, at) {
      await db
        .update(reviewJob)
        .set({ endedAt: at })
        .where(
          and(eq(reviewJob.connectionId, connectionId), eq(reviewJob.id, jobId), isNull(reviewJob.endedAt)),
        );
    },
  };
}

function jobFrom(row: typeof reviewJob.$inferSelect): QuestionJobRow {
  const { id, userId, question, answer, remember, reason } = row;
  return {
    ...{ id, userId, question, answer: fromOwnJson(answer), remember },
    ...(reason === null ? {} : { reason: fromOwnJson(reason) }),
  };
}

/** One row while a job has not ended. */
export function selectOpenJob(db: Database, connectionId: Bound, limit: Bound<number> = 1) {
  return db
    .select({ id: reviewJob.id })
    .from(reviewJob)
    .where(and(eq(reviewJob.connectionId, connectionId), isNull(reviewJob.endedAt)))
    .limit(limit);
}

/** The job and the orders that ask its question now, oldest due date first. */
export function beginJob(
  db: Database,
  owner: { readonly accountId: string; readonly connectionId: string },
  { answer, except, asOf, ...job }: NewQuestionJob,
  at: Instant,
): FencedStatement[] {
  const { accountId, connectionId } = owner;
  const isLeftOut = sql`${shopOrder.idExternal} IN (SELECT value FROM json_each(${JSON.stringify(except)}))`;
  // The setting would decide an order that was left out as well, so the job sets it apart.
  const isTaken = job.remember ? sql`true` : sql`NOT (${isLeftOut})`;
  const counts = { orders: 0, done: 0, issued: 0, endedAt: null };
  const asks = sql`${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.question} = ${job.question}`;
  const oldest = sql`ORDER BY ${shopOrder.dueDate}, ${shopOrder.idExternal}`;
  const reason = sql`(SELECT ${shopOrder.reasons} -> '$[0]' FROM ${shopOrder}
    WHERE ${asks} ${oldest} LIMIT 1)`;
  return [
    db.insert(reviewJob).values({
      ...{ ...job, ...counts, accountId, connectionId, reason },
      ...{ answer: JSON.stringify(answer), begunAt: at },
    }),
    db.insert(reviewJobOrder).select(sql`SELECT ${shopOrder.connectionId}, ${job.id},
        ${shopOrder.idExternal}, ${isLeftOut}, ${shopOrder.changedAt},
        CASE WHEN ${shopOrder.changedAt} > ${asOf} THEN 'changed' END, NULL, NULL
      FROM ${shopOrder} WHERE ${asks} AND ${shopOrder.createdAt} <= ${asOf} AND ${isTaken}
      ${oldest} LIMIT ${MOST_ANSWERED}`),
  ];
}

/** An outcome is written once, in the batch that decides the order. */
export function settleQuestions(
  db: Database,
  connectionId: string,
  outcomes: readonly QuestionOutcome[],
): FencedStatement[] {
  if (outcomes.length === 0) return [];
  const rows = outcomes.map(({ jobId, idExternal, outcome, detail = null, profileId = null }) => [
    ...[jobId, idExternal, outcome, detail, profileId],
  ]);
  const json = JSON.stringify(rows);
  const cell = (index: number): SQL =>
    sql`(SELECT value ->> ${sql.raw(String(index))} FROM json_each(${json})
      WHERE value ->> 0 = ${reviewJobOrder.jobId} AND value ->> 1 = ${reviewJobOrder.idExternal})`;
  const isThese = sql`(${reviewJobOrder.jobId}, ${reviewJobOrder.idExternal}) IN
    (SELECT value ->> 0, value ->> 1 FROM json_each(${json}))`;
  return [
    db
      .update(reviewJobOrder)
      .set({ outcome: cell(2), detail: cell(3), profileId: cell(4) })
      .where(and(eq(reviewJobOrder.connectionId, connectionId), isThese, isNull(reviewJobOrder.outcome))),
  ];
}
