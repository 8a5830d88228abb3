/** Rows of a ledger written past the product, for tests that ask what the database itself allows. */

export type Row = Readonly<Record<string, string | number | null>>;

export const OWNER = { account_id: "account-1", connection_id: "connection-1" } as const;
export const INSTALLATION = "installation-1";
export const SERIES = "API-A1";

/** `verb` is the part before INTO: INSERT, REPLACE, INSERT OR REPLACE ... */
export function insertInto(table: string, row: Row, verb = "INSERT"): string {
  const values = Object.values(row).map(literal).join(", ");
  return `${verb} INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values})`;
}

function literal(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

export function anAccount(change: Row = {}): Row {
  return {
    id: OWNER.account_id,
    legal_name: "Tienda SL",
    nif: "B70000009",
    address1: "Calle 1",
    postcode: "28001",
    city: "Madrid",
    time_zone: "Europe/Madrid",
    territory: "peninsula",
    opened_at: 0,
    opened_by: "owner",
    ...change,
  };
}

export function aConnection(change: Row = {}): Row {
  const owner = { id: OWNER.connection_id, account_id: OWNER.account_id };
  return { ...owner, ordinal: 1, kind: "api", name: "API", rate_limit: 0, opened_at: 0, ...change };
}

export function anInstallation(change: Row = {}): Row {
  return {
    id: INSTALLATION,
    ...OWNER,
    ordinal: 1,
    number: "N1",
    environment: "test",
    opened_at: 0,
    ...change,
  };
}

export function aSeries(change: Row = {}): Row {
  return { ...OWNER, code: SERIES, installation_id: INSTALLATION, ...change };
}

export function aHead(change: Row = {}): Row {
  return { ...OWNER, seq: 1, settings_version: 1, ...change };
}

/** The invoice with that number of the series. */
export function anInvoice(number: number, change: Row = {}): Row {
  const series = String(change.series ?? SERIES);
  return {
    id: `invoice-${number}`,
    ...OWNER,
    origin: `direct:${number}`,
    series,
    number,
    full_number: `${series}-${String(number).padStart(6, "0")}`,
    issue_date: "2026-11-28",
    invoice_type: "F2",
    total_eur: "12.10",
    document_sha256: "0".repeat(64),
    request_id: "request",
    ...change,
  };
}

export function aDocument(number: number, change: Row = {}): Row {
  return { invoice_id: `invoice-${number}`, document: "{}", ...change };
}

export function aLink(number: number, target: number, change: Row = {}): Row {
  return {
    invoice_id: `invoice-${number}`,
    target_id: `invoice-${target}`,
    kind: "difference",
    taken: "[]",
    ...change,
  };
}

/** A fake hash of the record at that position. */
export function hashAt(position: number): string {
  return position === 0 ? "" : String(position).padStart(64, "A");
}

/** The record at that position, of the invoice with the same number. */
export function aRecord(position: number, change: Row = {}): Row {
  return {
    installation_id: INSTALLATION,
    position,
    ...OWNER,
    origin: `direct:${position}`,
    invoice_id: `invoice-${position}`,
    kind: "ALTA",
    previous_hash: hashAt(position - 1),
    hash: hashAt(position),
    content: "{}",
    request_id: "request",
    ...change,
  };
}

/** An account with a connection that has issued two invoices, and a second one without any. */
export function someBooks(): readonly string[] {
  return [
    insertInto("account", anAccount()),
    insertInto("connection", aConnection()),
    insertInto("connection", aConnection({ id: "connection-2", ordinal: 2 })),
    insertInto("installation", anInstallation()),
    insertInto("series", aSeries()),
    ...[1, 2].flatMap((number) => [
      insertInto("invoice", anInvoice(number)),
      insertInto("invoice_document", aDocument(number)),
      insertInto("record", aRecord(number)),
    ]),
    insertInto("invoice_link", aLink(2, 1)),
  ];
}

const TABLES = [
  ...["account", "connection", "consent", "installation", "ledger_head"],
  ...["series", "invoice", "invoice_document", "invoice_link", "record"],
];

/** Every row with its rowid: equal before and after means that nothing was touched. */
export async function everyRow(database: D1Database): Promise<Record<string, unknown[][]>> {
  const statements = TABLES.map((table) =>
    database.prepare(`SELECT rowid AS row_id, * FROM ${table} ORDER BY row_id`),
  );
  const answers = await database.batch<Record<string, unknown>>(statements);
  return Object.fromEntries(
    TABLES.map((table, index) => [table, answers[index]?.results.map(Object.entries) ?? []]),
  );
}
