/**
 * The ids that a bench needs to ask for rows in the middle of a state, read from the file before the
 * product opens it.
 */
import { DatabaseSync } from "node:sqlite";
import { ledgerFileOf, type ScaleState } from "../books/state.ts";

export interface Facts {
  /** In the middle of all invoices. */
  readonly place: string;
  readonly month: string;
  readonly invoiceId: string;
  readonly externalId: string;
  readonly fullNumber: string;
  readonly series: string;
  readonly taxNumber: string;
  /** The one before, for a rectification: nothing acts on it. */
  readonly installationId: string;
  readonly rejected: readonly string[];
  readonly attempt: { readonly startedAt: number; readonly row: number };
  readonly deliveredAt: { readonly askedAt: number; readonly row: number };
  readonly webhookId: string;
  readonly audit: { readonly at: number; readonly row: number };
  readonly invoiced: OrderFact;
  readonly held: OrderFact;
  readonly deferred: OrderFact;
  /** Size of the file: pages times their size. */
  readonly sizeBytes: number;
}

export interface OrderFact {
  readonly id: string;
  readonly orderedAt: number;
  readonly dueDate: string;
}

type Row = Readonly<Record<string, string | number>>;

export function factsOf(state: ScaleState): Facts {
  const file = new DatabaseSync(ledgerFileOf(state.dir, state.busy.id), { readOnly: true });
  const rows = (sql: string, ...values: (string | number)[]) => file.prepare(sql).all(...values) as Row[];
  const row = (sql: string, ...values: (string | number)[]) => {
    const [found] = rows(sql, ...values);
    if (!found) throw new Error(`nothing in ${state.dir} for ${sql}`);
    return found;
  };
  try {
    return read(state, row, rows);
  } finally {
    file.close();
  }
}

type Read<T> = (sql: string, ...values: (string | number)[]) => T;

function read({ accountId, busy, waiting }: ScaleState, row: Read<Row>, rows: Read<Row[]>): Facts {
  const { last } = row("SELECT max(id) AS last FROM invoice_entry");
  const middle = row(
    `SELECT place, invoice.id, origin, full_number, invoice.series, invoice_entry.installation_id,
      document ->> '$.request.recipient.vatNumber' AS tax_number
    FROM invoice_entry JOIN invoice ON invoice.id = invoice_id JOIN invoice_document USING (invoice_id)
    WHERE invoice_entry.id <= ? AND invoice_type = 'F1' AND origin LIKE 'direct:f-%'
    ORDER BY invoice_entry.id DESC LIMIT 1`,
    Math.floor(Number(last) / 2),
  );
  const order = (connectionId: string, state: string): OrderFact => {
    const { n } = row(
      "SELECT count(*) AS n FROM shop_order WHERE connection_id = ? AND state = ?",
      connectionId,
      state,
    );
    const found = row(
      `SELECT id_external AS id, ordered_at AS at, due_date AS due FROM shop_order
      WHERE connection_id = ? AND state = ? ORDER BY ordered_at LIMIT 1 OFFSET ?`,
      ...[connectionId, state, Math.floor(Number(n) / 2)],
    );
    return { id: String(found.id), orderedAt: Number(found.at), dueDate: String(found.due) };
  };
  const inMiddle = (table: string, column: string, where: string, value: string) => {
    const { n } = row(`SELECT count(*) AS n FROM ${table} WHERE ${where}`, value);
    const found = row(
      `SELECT ${column} AS at, rowid AS row FROM ${table} WHERE ${where} ORDER BY ${column}, rowid LIMIT 1 OFFSET ?`,
      ...[value, Math.floor(Number(n) / 2)],
    );
    return { at: Number(found.at), row: Number(found.row) };
  };
  const { id: webhookId } = row("SELECT id FROM webhook_endpoint WHERE connection_id = ?", busy.id);
  const delivery = inMiddle("webhook_delivery", "asked_at", "endpoint_id = ?", String(webhookId));
  const attempt = inMiddle("submission_attempt", "started_at", "connection_id = ?", busy.id);
  const size = row("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size");
  return {
    place: String(middle.place),
    month: String(middle.place).slice(0, "YYYY-MM".length),
    invoiceId: String(middle.id),
    externalId: String(middle.origin).slice("direct:".length),
    fullNumber: String(middle.full_number),
    series: String(middle.series),
    taxNumber: String(middle.tax_number),
    installationId: String(middle.installation_id),
    rejected: rows(
      "SELECT invoice_id FROM record WHERE state = 'rejected' AND kind = 'ALTA' AND connection_id = ? LIMIT 60",
      busy.id,
    ).map((found) => String(found.invoice_id)),
    attempt: { startedAt: attempt.at, row: attempt.row },
    deliveredAt: { askedAt: delivery.at, row: delivery.row },
    webhookId: String(webhookId),
    audit: inMiddle("audit_log", "at", "account_id = ?", accountId),
    invoiced: order(busy.id, "invoiced"),
    held: order(busy.id, "held"),
    deferred: order(waiting.id, "deferred"),
    sizeBytes: Number(size.bytes),
  };
}
