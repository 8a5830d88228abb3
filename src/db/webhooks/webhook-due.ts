import { type SQL, sql } from "drizzle-orm";
import { eventsOf, type WebhookSource } from "../../domain/webhook/event.ts";
import { installation, record } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";
import { webhookCursor, webhookDelivery, webhookEndpoint } from "../schema/submission.ts";

/**
 * Connections with due deliveries, or with events after an endpoint's cursor: a few index lookups per
 * endpoint, independent of the stored volume.
 */
export function connectionsWithWebhooks(overdueSince: number): SQL {
  return sql`SELECT ${webhookEndpoint.connectionId} FROM ${webhookEndpoint}
    WHERE EXISTS (SELECT 1 FROM ${webhookDelivery} WHERE ${webhookDelivery.endpointId} = ${webhookEndpoint.id}
      AND ${webhookDelivery.dueAt} <= ${overdueSince})
    OR (${webhookEndpoint.endedAt} IS NULL AND (
      (${listensTo("issued")} AND ${someChain(IS_ISSUED)})
      OR (${listensTo("changed")} AND ${someChain(IS_CHANGED)})
      OR (${listensTo("held")} AND EXISTS (SELECT 1 FROM ${shopOrder}
        WHERE ${shopOrder.connectionId} = ${webhookEndpoint.connectionId}
          AND ${shopOrder.heldSeq} > ${webhookEndpoint.heldSeq}))))`;
}

function listensTo(source: WebhookSource): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${webhookEndpoint.events})
    WHERE value IN (SELECT value FROM json_each(${JSON.stringify(eventsOf(source))})))`;
}

function someChain(hasMore: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${installation} LEFT JOIN ${webhookCursor}
    ON ${webhookCursor.endpointId} = ${webhookEndpoint.id}
      AND ${webhookCursor.installationId} = ${installation.id}
    WHERE ${installation.connectionId} = ${webhookEndpoint.connectionId} AND ${hasMore})`;
}

const IS_ISSUED = sql`EXISTS (SELECT 1 FROM ${record} WHERE ${record.installationId} = ${installation.id}
  AND ${record.position} = coalesce(${webhookCursor.position}, 0) + 1)`;

const IS_CHANGED = sql`EXISTS (SELECT 1 FROM ${record} WHERE ${record.installationId} = ${installation.id}
  AND ${record.changedSeq} IS NOT NULL AND (${record.changedSeq}, ${record.position})
    > (coalesce(${webhookCursor.changedSeq}, 0), coalesce(${webhookCursor.changedPosition}, 0)))`;
