import { and, eq, isNull, sql } from "drizzle-orm";
import { assertNever } from "../../domain/shared/result.ts";
import type { WebhookSource } from "../../domain/webhook/event.ts";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { excluded } from "../json-rows.ts";
import type { WebhookDeed } from "../owner-state.ts";
import { installation, ledgerHead, record } from "../schema/ledger.ts";
import { webhookCursor, webhookDelivery, webhookEndpoint } from "../schema/submission.ts";
import type { ShopOwner } from "../shop/shop-writes.ts";
import { lastChange, lastPosition } from "./webhook-reads.ts";
import { endEndpoint, insertDeliveries } from "./webhook-writes.ts";

/** What owners do to webhooks, behind the fence like everything that they do. */
export function webhookStatements(
  db: Database,
  owner: ShopOwner,
  deed: WebhookDeed,
  at: number,
): FencedStatement[] {
  const { connectionId } = owner;
  switch (deed.deed) {
    case "open_webhook": {
      const { id, url, secrets, events, createdAt } = deed.endpoint;
      const row = { id, ...owner, url, secret: secrets.current, events: JSON.stringify(events), createdAt };
      return [
        db.insert(webhookEndpoint).values({ ...row, heldSeq: headOf(connectionId) }),
        ...fromNowOn(db, connectionId, id, ["issued", "changed"]),
      ];
    }
    case "choose_webhook_events":
      return [
        db
          .update(webhookEndpoint)
          .set({ events: JSON.stringify(deed.events) })
          .where(isAlive(connectionId, deed.id)),
        ...fromNowOn(db, connectionId, deed.id, deed.added),
      ];
    case "keep_webhook_secrets": {
      const { current: secret, previous: previousSecret = null } = deed.secrets;
      return [
        db.update(webhookEndpoint).set({ secret, previousSecret }).where(isAlive(connectionId, deed.id)),
      ];
    }
    case "end_webhook":
      return [endEndpoint(db, connectionId, { endpointId: deed.id, because: "removed", at })];
    case "send_webhook": {
      const made = { endpointId: deed.endpointId, connectionId, deliveries: [deed.delivery] };
      return insertDeliveries(db, made, sql`true`);
    }
    case "resend_webhook": {
      const isThis = and(
        eq(webhookDelivery.id, deed.deliveryId),
        eq(webhookDelivery.connectionId, connectionId),
      );
      return [db.update(webhookDelivery).set({ dueAt: at }).where(isThis)];
    }
    default:
      return assertNever(deed);
  }
}

function isAlive(connectionId: string, id: string) {
  return and(
    eq(webhookEndpoint.id, id),
    eq(webhookEndpoint.connectionId, connectionId),
    isNull(webhookEndpoint.endedAt),
  );
}

/** Puts the cursors of these sources where the events end in this very batch: there is no history. */
function fromNowOn(
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
            .where(isAlive(connectionId, endpointId)),
        ]
      : []),
  ];
}

/** The number of the fence that this batch has passed. */
function headOf(connectionId: string) {
  const ofThis = sql`${ledgerHead.connectionId} = ${connectionId}`;
  return sql`(SELECT ${ledgerHead.seq} FROM ${ledgerHead} WHERE ${ofThis})`;
}
