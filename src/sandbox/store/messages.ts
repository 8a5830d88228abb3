/** Every received message with its answer. */
import { type Database, numberOf, type Row, textOf } from "./database.ts";

/** A row holds at most two million bytes, and a message of a thousand records is larger. */
const PART_LENGTH = 400_000;

export interface Arrival {
  readonly receivedAt: string;
  readonly host: string;
  readonly endpoint: string;
  readonly request: string;
  readonly requestSha256: string;
  /** The deliberate misbehaviour, as JSON; null if none. */
  readonly misbehaviour: string | null;
}

export interface Judged {
  readonly operation: string;
  readonly nif: string;
  /** The chain of its first record. */
  readonly chain: number | null;
  readonly isIncident: boolean;
  readonly records: number;
  readonly isStored: boolean;
  readonly isEarly: boolean;
  /** EstadoEnvio, or the code of a fault. */
  readonly outcome: string;
  readonly csv: string | undefined;
  readonly waitSeconds: number | null;
}

export function addMessage(database: Database, arrival: Arrival): number {
  return database.transaction(() => {
    const [row] = database.all(
      `INSERT INTO message (received_at, host, endpoint, misbehaviour, request_sha256)
       VALUES (?, ?, ?, ?, ?) RETURNING id`,
      ...[arrival.receivedAt, arrival.host, arrival.endpoint, arrival.misbehaviour, arrival.requestSha256],
    );
    const id = numberOf(row, "id") ?? 0;
    addText(database, id, "request", arrival.request);
    return id;
  });
}

export function addJudgement(database: Database, id: number, judged: Judged): void {
  database.all(
    `UPDATE message SET operation = ?, nif = ?, chain_id = ?, incident = ?, records = ?, stored = ?,
       early = ?, outcome = ?, csv = ?, wait_seconds = ? WHERE id = ?`,
    ...[judged.operation, judged.nif, judged.chain, Number(judged.isIncident), judged.records],
    ...[
      Number(judged.isStored),
      Number(judged.isEarly),
      judged.outcome,
      judged.csv ?? null,
      judged.waitSeconds,
      id,
    ],
  );
}

/** The answer as sent; misbehaviour may have changed it. */
export function addAnswer(
  database: Database,
  id: number,
  answer: { readonly status: number | null; readonly text: string },
): void {
  database.transaction(() => {
    database.all("UPDATE message SET status = ? WHERE id = ?", answer.status, id);
    addText(database, id, "response", answer.text);
  });
}

function addText(database: Database, id: number, part: "request" | "response", text: string): void {
  for (let start = 0; start < text.length || start === 0; start += PART_LENGTH) {
    database.all(
      "INSERT INTO message_text (message_id, part, position, text) VALUES (?, ?, ?, ?)",
      ...[id, part, start, text.slice(start, start + PART_LENGTH)],
    );
  }
}

export function messageText(
  database: Database,
  id: number,
  part: "request" | "response",
): string | undefined {
  const rows = database.all(
    "SELECT text FROM message_text WHERE message_id = ? AND part = ? ORDER BY position",
    ...[id, part],
  );
  return rows.length === 0 ? undefined : rows.map((row) => textOf(row, "text") ?? "").join("");
}

export function readMessage(database: Database, id: number): Row | undefined {
  return database.all("SELECT * FROM message WHERE id = ?", id)[0];
}

/** Messages after `after`, in the order of arrival. */
export function listMessages(database: Database, after: number, limit: number): Row[] {
  return database.all("SELECT * FROM message WHERE id > ? ORDER BY id LIMIT ?", after, limit);
}

export function latestMessages(database: Database, limit: number): Row[] {
  return database.all("SELECT * FROM message ORDER BY id DESC LIMIT ?", limit);
}

/** The last message of a chain that was answered with a wait time. */
export function lastAnswered(database: Database, chain: number): Row | undefined {
  return database.all(
    `SELECT received_at, wait_seconds FROM message WHERE chain_id = ? AND wait_seconds IS NOT NULL
     ORDER BY id DESC LIMIT 1`,
    chain,
  )[0];
}

/** The records of a message with their verdicts, in its order. */
export function linesOf(database: Database, id: number): Row[] {
  return database.all(
    `SELECT judgement.line, judgement.state, judgement.code, record.id, record.number, record.date,
       record.operation FROM judgement JOIN record ON record.id = judgement.record_id
     WHERE judgement.message_id = ? ORDER BY judgement.line`,
    id,
  );
}
