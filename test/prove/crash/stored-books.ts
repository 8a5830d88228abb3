/** The whole books of every connection, and their due work. */
import type { InvoiceRow, Problem, RecordRow } from "../../support/rules/book-rules.ts";
import { problem } from "../../support/rules/book-rules.ts";
import {
  type LinkRow,
  type OrderBooks,
  type OrderColumns,
  orderFrom,
} from "../../support/rules/order-rules.ts";
import { inEachLedger, type Rows } from "../ledger-files.ts";

export interface ConnectionBooks extends OrderBooks {
  readonly connectionId: string;
}

export function storedBooks(stateDir: string): ConnectionBooks[] {
  return inEachLedger(stateDir, (rows) => {
    // The columns are those of the product's own schema.
    const invoices = byConnection<InvoiceRow>(
      rows,
      `SELECT invoice.*, coalesce(document, '') AS document FROM invoice
        LEFT JOIN invoice_document ON invoice_id = id ORDER BY series, number`,
    );
    const records = byConnection<RecordRow>(rows, "SELECT * FROM record ORDER BY installation_id, position");
    const links = byConnection<LinkRow>(
      rows,
      "SELECT connection_id, invoice_link.* FROM invoice_link JOIN invoice ON invoice.id = invoice_id",
    );
    const orders = byConnection<OrderColumns>(
      rows,
      `SELECT shop_order.*, sent FROM shop_order
        LEFT JOIN shop_order_sent USING (connection_id, id_external) ORDER BY id_external`,
    );
    return rows("SELECT id FROM connection ORDER BY id").map(({ id }) => {
      const connectionId = String(id);
      const of = <Stored>(all: Map<string, Stored[]>) => all.get(connectionId) ?? [];
      const stored = { invoices: of(invoices), records: of(records), links: of(links) };
      return { connectionId, ...stored, orders: of(orders).map(orderFrom) };
    });
  });
}

function byConnection<Stored>(rows: Rows, sql: string): Map<string, Stored[]> {
  const all = rows(sql) as unknown as readonly (Stored & { readonly connection_id: string })[];
  return Map.groupBy<string, Stored & { readonly connection_id: string }>(all, (row) => row.connection_id);
}

/** Work that the product owes without being asked, each with how much of it there is. */
const DUE: Readonly<Record<string, string>> = {
  "records that are not answered": `SELECT count(*) AS due FROM record
    WHERE state IN ('pending_submission', 'submitted')`,
  "attempts that are open": "SELECT count(*) AS due FROM submission_attempt WHERE ended_at IS NULL",
  "orders that wait though there is consent": `SELECT count(*) AS due FROM shop_order
    WHERE (state = 'deferred' OR undecided = 1) AND EXISTS (SELECT 1 FROM consent
      WHERE consent.connection_id = shop_order.connection_id AND withdrawn_at IS NULL)`,
  "invoices without an entry in the lists": `SELECT count(*) AS due FROM invoice
    WHERE NOT EXISTS (SELECT 1 FROM invoice_entry WHERE invoice_id = invoice.id)`,
  "orders that are to be fetched from a shop": "SELECT count(*) AS due FROM shop_fetch",
  "mails on their way": "SELECT count(*) AS due FROM invoice_delivery WHERE due_at IS NOT NULL",
  "backfills on their way": "SELECT count(*) AS due FROM shop_backfill WHERE due_at IS NOT NULL",
  "documents mapped under older settings": `SELECT count(*) AS due FROM shop_document
    JOIN shop USING (connection_id) WHERE shop_document.settings_version < shop.settings_version`,
  "chains with lists that are not up to date": `SELECT count(*) AS due FROM
    (SELECT installation_id, max(position) AS last FROM record GROUP BY installation_id) AS chain
    WHERE last > coalesce((SELECT position FROM entry_cursor
      WHERE entry_cursor.installation_id = chain.installation_id), 0)`,
};

export function dueProblems(stateDir: string): Problem[] {
  return inEachLedger(stateDir, (rows) =>
    Object.entries(DUE).flatMap(([name, sql]) => {
      const due = Number(rows(sql)[0]?.due);
      return due === 0 ? [] : [problem("due", `${due} ${name}`)];
    }),
  );
}
