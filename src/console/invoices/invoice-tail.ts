import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { entryCursor, invoiceEntry } from "../../db/schema/invoice-entry.ts";
import { connection, installation, invoice, invoiceDocument, record } from "../../db/schema/ledger.ts";
import { fromOwnJson } from "../../db/stored-json.ts";
import { centsOf, placeText } from "../../domain/invoice/invoice-entry.ts";
import { ZERO } from "../../domain/shared/decimal.ts";
import { instantOf } from "../../domain/shared/instant.ts";
import type { TailInvoice } from "./invoice-ports.ts";
import { listedInvoice, type ShownRow, shownColumns, stateOf } from "./invoice-rows.ts";

/** Of each chain: more wait only where the alarm was kept away for long, and then the newest are read. */
const BEHIND = 1_000;

/** Records of the account that are no part of its entries yet. */
export function behind(accountId: string): SQL {
  const from = sql`coalesce(${entryCursor.position}, 0)`;
  const last = sql`coalesce((SELECT max(${record.position}) FROM ${record}
    WHERE ${record.installationId} = ${installation.id}), 0)`;
  return sql`behind AS MATERIALIZED (
    SELECT ${record.installationId} AS installation_id, ${record.position} AS position,
      ${record.invoiceId} AS invoice_id, ${last} - ${from} > ${BEHIND} AS is_cut
    FROM ${connection} CROSS JOIN ${installation} ON ${installation.connectionId} = ${connection.id}
    LEFT JOIN ${entryCursor} ON ${entryCursor.installationId} = ${installation.id}
    CROSS JOIN ${record} ON ${record.installationId} = ${installation.id}
      AND ${record.position} > max(${from}, ${last} - ${BEHIND})
    WHERE ${connection.accountId} = ${accountId})`;
}

const issue = alias(record, "issue");
const issuedIn = alias(installation, "issued_in");

/** Each of those records with its invoice, in the order in which they were made. */
export function selectTail(accountId: string): SQL {
  const [issued, chain] = [sql.identifier("issue"), sql.identifier("issued_in")];
  return sql`WITH ${behind(accountId)}
    SELECT ${shownColumns()}, ${record.state} AS state, ${record.kind} AS kind, behind.is_cut AS is_cut,
      ${invoiceDocument.document} -> '$.totalsEur' AS totals_eur,
      ${issue.content} ->> '$.generatedAt' AS issued_at, ${issue.position} AS issue_position,
      ${issuedIn.ordinal} AS installation_ordinal, ${connection.ordinal} AS connection_ordinal,
      ${invoiceEntry.place} AS place, ${invoiceEntry.state} AS counted_state,
      ${invoiceEntry.cancelled} AS counted_cancelled
    FROM behind CROSS JOIN ${record} ON ${record.installationId} = behind.installation_id
      AND ${record.position} = behind.position
    JOIN ${installation} ON ${installation.id} = ${record.installationId}
    JOIN ${invoice} ON ${invoice.id} = behind.invoice_id
    JOIN ${connection} ON ${connection.id} = ${invoice.connectionId}
    JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}
    JOIN ${record} AS ${issued} ON ${issue.connectionId} = ${invoice.connectionId}
      AND ${issue.origin} = ${invoice.origin}
    JOIN ${installation} AS ${chain} ON ${issuedIn.id} = ${issue.installationId}
    LEFT JOIN ${invoiceEntry} ON ${invoiceEntry.invoiceId} = ${invoice.id}
    ORDER BY ${connection.ordinal}, ${installation.ordinal}, ${record.position}`;
}

export interface TailRow extends ShownRow {
  readonly state: string;
  readonly kind: string;
  readonly is_cut: number;
  readonly totals_eur: string | null;
  readonly issued_at: string;
  readonly issue_position: number;
  readonly installation_ordinal: number;
  readonly connection_ordinal: number;
  readonly place: string | null;
  readonly counted_state: string | null;
  readonly counted_cancelled: number | null;
}

const NO_AMOUNTS = { base: ZERO, tax: ZERO, total: ZERO };

/** One for each invoice, as its newest record leaves it. */
export function tailFrom(rows: readonly TailRow[]): readonly TailInvoice[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((ofInvoice) => {
    const row = ofInvoice.at(-1);
    if (!row) return [];
    const cancelled = row.counted_cancelled === 1 || ofInvoice.some(({ kind }) => kind === "ANULACION");
    const place = row.place ?? placeOf(row);
    const amounts = row.totals_eur === null ? NO_AMOUNTS : centsOf(fromOwnJson(row.totals_eur));
    const shown = listedInvoice(row, { place, amounts, cancelled, state: stateOf(row.state) });
    const { counted_state: counted } = row;
    if (counted === null) return [shown];
    return [{ ...shown, counted: { state: stateOf(counted), cancelled: row.counted_cancelled === 1 } }];
  });
}

function placeOf(row: TailRow): string {
  return placeText({
    issueDate: row.issue_date,
    issuedAt: instantOf(row.issued_at),
    connectionOrdinal: row.connection_ordinal,
    installationOrdinal: row.installation_ordinal,
    position: row.issue_position,
  });
}
