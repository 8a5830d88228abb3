/** What one invoice writes, both ways: a document, a chained record, an entry of the list, a message to send. */
import { createHash } from "node:crypto";

export const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS invoice (
    tenant TEXT NOT NULL, number INTEGER NOT NULL, external_id TEXT NOT NULL, document TEXT NOT NULL,
    PRIMARY KEY (tenant, number), UNIQUE (tenant, external_id))`,
  `CREATE TABLE IF NOT EXISTS record (
    tenant TEXT NOT NULL, position INTEGER NOT NULL, hash TEXT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (tenant, position))`,
  `CREATE TABLE IF NOT EXISTS entry (
    tenant TEXT NOT NULL, number INTEGER NOT NULL, month TEXT NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (tenant, number))`,
  `CREATE TABLE IF NOT EXISTS message (
    tenant TEXT NOT NULL, position INTEGER NOT NULL, state TEXT NOT NULL, PRIMARY KEY (tenant, position))`,
];

/** In the order of `valuesOf`. A projection meets rows that it has written already. */
export const INSERTS = [
  "INSERT OR IGNORE INTO invoice (tenant, number, external_id, document) VALUES (?, ?, ?, ?)",
  "INSERT OR IGNORE INTO record (tenant, position, hash, content) VALUES (?, ?, ?, ?)",
  "INSERT OR IGNORE INTO entry (tenant, number, month, state) VALUES (?, ?, ?, ?)",
  "INSERT OR IGNORE INTO message (tenant, position, state) VALUES (?, ?, ?)",
];

/** Where a chain stands. */
export interface Head {
  readonly number: number;
  readonly hash: string;
}

export interface Issued {
  readonly head: Head;
  readonly values: readonly (readonly (string | number)[])[];
}

export function issuedAfter(head: Head, tenant: string, body: string): Issued {
  const number = head.number + 1;
  const { external_id: externalId }: { readonly external_id: string } = JSON.parse(body);
  const content = [tenant, number, externalId, head.hash].join("&");
  const hash = createHash("sha256").update(content).digest("hex");
  return {
    head: { number, hash },
    values: [
      [tenant, number, externalId, body],
      [tenant, number, hash, content],
      [tenant, number, "2026-11", "pending"],
      [tenant, number, "pending"],
    ],
  };
}
