/** What holds of the rows of connected shops, whatever has happened. */

/** Each counter of a trigger that is not the number of the rows that it counts. */
export const MISCOUNTED = `SELECT connection_id, kind, name, sum(counted) AS counted, sum(there) AS there FROM (
    SELECT connection_id, kind, name, count AS counted, 0 AS there FROM shop_count
    UNION ALL SELECT connection_id, 'status', status, 0, 1 FROM shop_document WHERE status IS NOT NULL
    UNION ALL SELECT connection_id, 'found', coalesce(would, ''), 0, 1 FROM shop_backfill_order
    UNION ALL SELECT connection_id, 'confirmed', coalesce(would, ''), 0, 1 FROM shop_backfill_order
      WHERE confirmed = 1
    UNION ALL SELECT connection_id, 'decided', coalesce(would, ''), 0, 1 FROM shop_backfill_order
      WHERE decided_at IS NOT NULL)
  GROUP BY connection_id, kind, name HAVING sum(counted) <> sum(there)`;

export interface Miscounted {
  readonly connection_id: string;
  readonly kind: string;
  readonly name: string;
  readonly counted: number;
  readonly there: number;
}

export function miscount({ connection_id: id, kind, name, counted, there }: Miscounted): string {
  return `${id} counts ${counted} of ${kind} ${name} and has ${there}`;
}
