/**
 * The obvious design, for comparison: Node, Fastify, SQLite, and a transaction that selects the highest
 * number. It keeps invoice, document and hash chain like the product, per tenant and year, without law,
 * settings, accounts and submission. `node plain-server.ts FILE PORT TENANTS`
 */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import fastify from "fastify";

const [file = "", port = "0", tenants = "1"] = process.argv.slice(2);

/** Every commit is flushed to the disk before it is answered. */
const database = new DatabaseSync(file);
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  CREATE TABLE IF NOT EXISTS tenant (id TEXT PRIMARY KEY, key_hash TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS invoice (
    tenant_id TEXT NOT NULL REFERENCES tenant (id), series TEXT NOT NULL, number INTEGER NOT NULL,
    external_id TEXT NOT NULL, issued_at TEXT NOT NULL, total_cents INTEGER NOT NULL, document TEXT NOT NULL,
    PRIMARY KEY (tenant_id, series, number), UNIQUE (tenant_id, external_id)
  );
  CREATE TABLE IF NOT EXISTS record (
    tenant_id TEXT NOT NULL REFERENCES tenant (id), position INTEGER NOT NULL, series TEXT NOT NULL,
    number INTEGER NOT NULL, previous_hash TEXT NOT NULL, hash TEXT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (tenant_id, position)
  );
`);
const addTenant = database.prepare("INSERT OR IGNORE INTO tenant VALUES (?, ?)");
for (let tenant = 0; tenant < Number(tenants); tenant++) addTenant.run(`t${tenant}`, sha256(`key-${tenant}`));

const tenantOf = database.prepare("SELECT id FROM tenant WHERE key_hash = ?");
const known = database.prepare("SELECT document FROM invoice WHERE tenant_id = ? AND external_id = ?");
const highest = database.prepare(
  "SELECT max(number) AS number FROM invoice WHERE tenant_id = ? AND series = ?",
);
const last = database.prepare(
  "SELECT position, hash FROM record WHERE tenant_id = ? ORDER BY position DESC LIMIT 1",
);
const addInvoice = database.prepare("INSERT INTO invoice VALUES (?, ?, ?, ?, ?, ?, ?)");
const addRecord = database.prepare("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)");

interface Line {
  readonly description: string;
  readonly quantity: number;
  readonly price_unit: number;
  readonly tax_rate: number;
}

interface Body {
  readonly external_id: string;
  readonly invoice_type: string;
  readonly description: string;
  readonly currency: string;
  readonly lines: readonly Line[];
}

const text = { type: "string", minLength: 1, maxLength: 1_000 } as const;
const line = {
  type: "object",
  required: ["description", "quantity", "price_unit", "tax_rate"],
  properties: {
    ...{ line_id: text, description: text, quantity: { type: "number" } },
    ...{ price_unit: { type: "number" }, tax_rate: { enum: [0, 4, 10, 21] } },
  },
} as const;
const schema = {
  body: {
    type: "object",
    required: ["external_id", "invoice_type", "description", "currency", "lines"],
    properties: {
      ...{ external_id: text, invoice_type: { enum: ["F1", "F2"] }, description: text, currency: text },
      lines: { type: "array", minItems: 1, maxItems: 1_000, items: line },
    },
  },
} as const;

const server = fastify();

server.get("/", async () => ({ ready: true }));

server.post<{ Body: Body }>("/api/v1/invoice", { schema }, async (request, reply) => {
  const tenant = tenantOf.get(sha256(String(request.headers["x-api-key"])));
  if (!tenant) return reply.code(401).send({ success: false });
  const { isNew, document } = issue(String(tenant.id), request.body);
  return reply
    .code(isNew ? 201 : 200)
    .type("application/json")
    .send(document);
});

function issue(tenant: string, body: Body): { readonly isNew: boolean; readonly document: string } {
  database.exec("BEGIN IMMEDIATE");
  try {
    const answer = issueOnce(tenant, body);
    database.exec("COMMIT");
    return answer;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function issueOnce(tenant: string, body: Body) {
  const repeated = known.get(tenant, body.external_id);
  if (repeated) return { isNew: false, document: String(repeated.document) };
  const issuedAt = new Date().toISOString();
  const series = `A-${issuedAt.slice(0, 4)}`;
  const number = Number(highest.get(tenant, series)?.number ?? 0) + 1;
  const totals = totalsOf(body.lines);
  const before = last.get(tenant);
  const [position, previousHash] = [Number(before?.position ?? 0) + 1, String(before?.hash ?? "")];
  const content = [tenant, series, number, issuedAt, totals.tax, totals.total, previousHash].join("&");
  const hash = sha256(content);
  const data = {
    ...body,
    series,
    number,
    issued_at: issuedAt,
    totals,
    record: { position, hash, previousHash },
  };
  const document = JSON.stringify({ success: true, data });
  addInvoice.run(tenant, series, number, body.external_id, issuedAt, totals.total, document);
  addRecord.run(tenant, position, series, number, previousHash, hash, content);
  return { isNew: true, document };
}

/** In cents, rounded once per rate. */
function totalsOf(lines: readonly Line[]) {
  const bases = new Map<number, number>();
  for (const { quantity, price_unit: price, tax_rate: rate } of lines)
    bases.set(rate, (bases.get(rate) ?? 0) + Math.round(quantity * price * 100));
  let [base, tax] = [0, 0];
  for (const [rate, ofRate] of bases) {
    base += ofRate;
    tax += Math.round((ofRate * rate) / 100);
  }
  return { base, tax, total: base + tax };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex").toUpperCase();
}

await server.listen({ host: "127.0.0.1", port: Number(port) });
