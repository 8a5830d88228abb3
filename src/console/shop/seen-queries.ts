import { and, desc, eq, sql } from "drizzle-orm";
import { type Database, fromOwnJson } from "../../db/database.ts";
import { connection } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { shopDocument } from "../../db/schema/shops.ts";
import type { OwnerAnswers } from "../../domain/order/context.ts";
import type { OrderLine, UnmappedTotal } from "../../domain/order/facts.ts";

/** Orders whose rates and amounts are shown. */
const NEWEST = 50;

export function seenReads(db: Database): SeenReads {
  return {
    async newest(accountId, connectionId) {
      const rows = await db
        .select({
          lines: sql<string>`${shopOrder.facts} -> '$.breakdown'`.as("order_lines"),
          unmapped: sql<string | null>`${shopOrder.facts} -> '$.unmappedTotals'`.as("unmapped_totals"),
          channel: sql<string | null>`${shopOrder.facts} ->> '$.sourceChannel'`.as("source_channel"),
          storeId: sql<string | null>`${shopOrder.facts} ->> '$.storeId'`.as("of_store"),
          currency: shopOrder.currency,
          answers: shopOrder.answers,
        })
        .from(shopDocument)
        .innerJoin(
          connection,
          and(eq(connection.id, shopDocument.connectionId), eq(connection.accountId, accountId)),
        )
        .innerJoin(
          shopOrder,
          and(
            eq(shopOrder.connectionId, shopDocument.connectionId),
            eq(shopOrder.idExternal, shopDocument.idExternal),
          ),
        )
        .where(eq(shopDocument.connectionId, connectionId))
        .orderBy(desc(shopDocument.receivedAt))
        .limit(NEWEST);
      return rows.map(({ lines, unmapped, channel, storeId, currency, answers }) => {
        const { profileId } = fromOwnJson<OwnerAnswers>(answers);
        return {
          lines: fromOwnJson<readonly OrderLine[]>(lines),
          unmapped: unmapped === null ? [] : fromOwnJson<readonly UnmappedTotal[]>(unmapped),
          ...(channel === null ? {} : { sourceChannel: channel }),
          ...(storeId === null ? {} : { storeId }),
          ...(profileId === undefined ? {} : { profileId }),
          currency,
        };
      });
    },
  };
}

/** What an order shows of its rates and of its amounts outside the lines. */
export interface SeenOrder {
  readonly lines: readonly Pick<OrderLine, "taxRate" | "surchargeRate">[];
  readonly unmapped: readonly Pick<UnmappedTotal, "code" | "title" | "value">[];
  readonly currency: string;
  readonly sourceChannel?: string;
  readonly storeId?: string;
  /** Assigned by the owner. */
  readonly profileId?: string;
}

export interface SeenReads {
  newest(accountId: string, connectionId: string): Promise<readonly SeenOrder[]>;
}
