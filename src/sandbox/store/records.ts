/** Every record that was judged, once, however often it came; and the chain that it belongs to. */
import type { ChainIdentity, RecordIdentity } from "../rules/record.ts";
import { type Database, numberOf, type Row, textOf } from "./database.ts";

/**
 * The link of a record to earlier ones: the first, after the last, after an older one, after an unknown one,
 * or a second first. The real service does not check it.
 */
export type Link = "first" | "linked" | "fork" | "unknown_previous" | "second_first";

export type RecordState = "Correcto" | "AceptadoConErrores" | "Incorrecto";

export interface RecordVerdict {
  readonly state: RecordState;
  readonly code: number | undefined;
  readonly description: string | undefined;
}

export function chainId(database: Database, chain: ChainIdentity): number {
  const { nif, producer, system, installation } = chain;
  const key = [nif, producer, system, installation];
  database.all(
    "INSERT INTO chain (nif, producer, system, installation) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ...key,
  );
  const [row] = database.all(
    "SELECT id FROM chain WHERE nif = ? AND producer = ? AND system = ? AND installation = ?",
    ...key,
  );
  return numberOf(row, "id") ?? 0;
}

/** The same record, if it came before. */
export function knownRecord(database: Database, chain: number, record: RecordIdentity): Row | undefined {
  const { key, hash } = record;
  return database.all(
    "SELECT * FROM record WHERE chain_id = ? AND operation = ? AND number = ? AND date = ? AND hash = ?",
    ...[chain, operationName(record), key.number, key.date, hash],
  )[0];
}

export function linkOf(database: Database, chain: number, { previous }: RecordIdentity): Link {
  const [last] = database.all("SELECT id FROM record WHERE chain_id = ? ORDER BY id DESC LIMIT 1", chain);
  if (previous === undefined) return last === undefined ? "first" : "second_first";
  const [found] = database.all(
    `SELECT id FROM record WHERE chain_id = ? AND hash = ? AND number = ? AND date = ?
     ORDER BY id DESC LIMIT 1`,
    ...[chain, previous.hash, previous.number, previous.date],
  );
  if (found === undefined) return "unknown_previous";
  return numberOf(found, "id") === numberOf(last, "id") ? "linked" : "fork";
}

/** Whether the service has other stored records of the chain. */
export function hasStoredOthers(database: Database, chain: number, known: Row | undefined): boolean {
  const [row] = database.all(
    "SELECT 1 FROM record WHERE chain_id = ? AND state <> 'Incorrecto' AND id <> ? LIMIT 1",
    ...[chain, numberOf(known, "id") ?? 0],
  );
  return row !== undefined;
}

export interface NewRecord {
  readonly chain: number;
  readonly record: RecordIdentity;
  readonly link: Link;
  readonly xml: string;
  readonly messageId: number;
}

export function addRecord(database: Database, { chain, record, link, xml, messageId }: NewRecord): number {
  const { kind, key, hash, previous, reference, generatedAt } = record;
  const [row] = database.all(
    `INSERT INTO record (chain_id, kind, number, date, hash, previous_hash, reference, operation,
       generated_at, link, state, received, changed, message_id, xml)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Incorrecto', 0, 0, ?, ?) RETURNING id`,
    ...[chain, kind, key.number, key.date, hash, previous?.hash ?? null, reference ?? null],
    ...[operationName(record), generatedAt, link, messageId, xml],
  );
  return numberOf(row, "id") ?? 0;
}

/** In words of the API: the kind and its flags. */
export function operationName({ kind, isAmendment, rejection, hasNoPrevious }: RecordIdentity): string {
  const flags = [isAmendment ? "Subsanacion" : "", rejection ?? "", hasNoPrevious ? "SinRegistroPrevio" : ""];
  return [kind, ...flags.filter((flag) => flag !== "")].join(" ");
}

/** The verdict of this arrival. A stored record stays stored, even if its repetition is refused. */
export function judgeRecord(
  database: Database,
  id: number,
  verdict: RecordVerdict & { readonly csv: string | undefined; readonly xml: string },
): void {
  database.all(
    "UPDATE record SET received = received + 1, changed = changed OR xml <> ? WHERE id = ?",
    ...[verdict.xml, id],
  );
  const isStored = Number(verdict.state !== "Incorrecto");
  database.all(
    `UPDATE record SET state = ?, code = ?, description = ?, csv = ?
     WHERE id = ? AND (state = 'Incorrecto' OR ? = 1)`,
    ...[verdict.state, verdict.code ?? null, verdict.description ?? null, verdict.csv ?? null, id, isStored],
  );
}

export function addLine(
  database: Database,
  line: { readonly messageId: number; readonly line: number; readonly recordId: number },
  { state, code }: RecordVerdict,
): void {
  database.all(
    "INSERT INTO judgement (message_id, line, record_id, state, code) VALUES (?, ?, ?, ?, ?)",
    ...[line.messageId, line.line, line.recordId, state, code ?? null],
  );
}

export interface ChainFilter {
  readonly nif: string | undefined;
  readonly installation: string | undefined;
}

export function listChains(database: Database, { nif, installation }: ChainFilter): Row[] {
  return database.all(
    `SELECT chain.*, count(record.id) AS records FROM chain LEFT JOIN record ON record.chain_id = chain.id
     WHERE coalesce(?, nif) = nif AND coalesce(?, installation) = installation
     GROUP BY chain.id ORDER BY nif, producer, system, installation`,
    ...[nif ?? null, installation ?? null],
  );
}

/** In the order in which they first came. */
export function recordsOf(database: Database, chain: number): Row[] {
  return database.all("SELECT * FROM record WHERE chain_id = ? ORDER BY id", chain);
}

export function readRecord(database: Database, id: number): Row | undefined {
  return database.all(
    `SELECT record.*, chain.nif, chain.producer, chain.system, chain.installation FROM record
     JOIN chain ON chain.id = record.chain_id WHERE record.id = ?`,
    id,
  )[0];
}

/** Every arrival: the message and the verdict. */
export function judgementsOf(database: Database, id: number): Row[] {
  return database.all("SELECT * FROM judgement WHERE record_id = ? ORDER BY message_id, line", id);
}

/**
 * Chain order: each record, then the records that name its hash. Unlinked records come last, in order of
 * arrival.
 */
export function inChainOrder(records: readonly Row[]): Row[] {
  const followers = Map.groupBy(records, (record) => textOf(record, "previous_hash") ?? "");
  const ordered = new Set<Row>();
  const waiting = [...(followers.get("") ?? [])].reverse();
  for (let record = waiting.pop(); record !== undefined; record = waiting.pop()) {
    if (ordered.has(record)) continue;
    ordered.add(record);
    waiting.push(...(followers.get(textOf(record, "hash") ?? "") ?? []).toReversed());
  }
  return [...ordered, ...records.filter((record) => !ordered.has(record))];
}
