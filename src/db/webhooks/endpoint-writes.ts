import { and, eq, isNull, sql } from "drizzle-orm";
import type { WebhookSource } from "../../domain/webhook/event.ts";
import { type Database, excluded } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { installation, ledgerHead, record } from "../schema/ledger.ts";
import { webhookCursor, webhookEndpoint } from "../schema/submission.ts";
import { lastChange, lastPosition } from "./webhook-reads.ts";

export function isAliveEndpoint(connectionId: string, id: string) {
  return and(
    eq(webhookEndpoint.id, id),
    eq(webhookEndpoint.connectionId, connectionId),
    isNull(webhookEndpoint.endedAt),
  );
}

/** Puts the cursors of these sources behind the last event in this batch: earlier events are not sent. */
export function sendFromNowOn(
  db: Database,
  connectionId: string,
  endpointId: string,
  sources: readonly WebhookSource[],
): FencedStatement[] {
  const { position, changedSeq, changedPosition } = webhookCursor;
  const set = {
    ...(sources.includes("issued") ? { position: excluded(position) } : {}),
    ...(sources.includes("changed")
      ? { changedSeq: excluded(changedSeq), changedPosition: excluded(changedPosition) }
      : {}),
  };
  const heads = sql`SELECT ${endpointId}, ${installation.id}, ${lastPosition()},
    ${lastChange(sql`${record.changedSeq}`)}, ${lastChange(sql`${record.position}`)}
    FROM ${installation} WHERE ${installation.connectionId} = ${connectionId}`;
  const target = [webhookCursor.endpointId, webhookCursor.installationId];
  return [
    ...(Object.keys(set).length > 0
      ? [db.insert(webhookCursor).select(heads).onConflictDoUpdate({ target, set })]
      : []),
    ...(sources.includes("held")
      ? [
          db
            .update(webhookEndpoint)
            .set({ heldSeq: headOf(connectionId) })
            .where(isAliveEndpoint(connectionId, endpointId)),
        ]
      : []),
  ];
}

/** The number of this batch's fence. */
export function headOf(connectionId: string) {
  const ofThis = sql`${ledgerHead.connectionId} = ${connectionId}`;
  return sql`(SELECT ${ledgerHead.seq} FROM ${ledgerHead} WHERE ${ofThis})`;
}
