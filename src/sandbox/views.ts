/** The received data, as JSON for tests and as facts for the pages. */
import { type Database, numberOf, type Row, textOf } from "./store/database.ts";
import { linesOf, listMessages } from "./store/messages.ts";
import { type ChainFilter, inChainOrder, judgementsOf, listChains, recordsOf } from "./store/records.ts";

export interface RecordView {
  readonly id: number;
  readonly kind: string;
  /** Alta or Anulacion with its flags: `Alta Subsanacion X`. */
  readonly operation: string;
  readonly number: string;
  readonly date: string;
  readonly reference: string | undefined;
  readonly hash: string;
  readonly previous_hash: string | undefined;
  readonly generated_at: string;
  readonly link: string;
  readonly state: string;
  readonly code: number | undefined;
  readonly description: string | undefined;
  readonly csv: string | undefined;
  /** The number of arrivals. */
  readonly received: number;
  /** It came again with another content under the same hash. */
  readonly changed: boolean;
  readonly message: number;
}

export function recordView(row: Row): RecordView {
  const text = (column: string) => textOf(row, column) ?? "";
  const number = (column: string) => numberOf(row, column) ?? 0;
  return {
    id: number("id"),
    kind: text("kind"),
    operation: text("operation"),
    number: text("number"),
    date: text("date"),
    reference: textOf(row, "reference"),
    hash: text("hash"),
    previous_hash: textOf(row, "previous_hash"),
    generated_at: text("generated_at"),
    link: text("link"),
    state: text("state"),
    code: numberOf(row, "code"),
    description: textOf(row, "description"),
    csv: textOf(row, "csv"),
    received: number("received"),
    changed: number("changed") === 1,
    message: number("message_id"),
  };
}

export interface ChainView {
  readonly id: number;
  readonly nif: string;
  readonly producer: string;
  readonly system: string;
  readonly installation: string;
  readonly records: readonly RecordView[];
  /** Records that neither start the chain nor follow the last one. */
  readonly broken_links: number;
}

export function chainViews(database: Database, filter: ChainFilter): ChainView[] {
  return listChains(database, filter).map((row) => {
    const id = numberOf(row, "id") ?? 0;
    const records = inChainOrder(recordsOf(database, id)).map(recordView);
    const text = (column: string) => textOf(row, column) ?? "";
    return {
      id,
      nif: text("nif"),
      producer: text("producer"),
      system: text("system"),
      installation: text("installation"),
      records,
      broken_links: records.filter(({ link }) => link !== "first" && link !== "linked").length,
    };
  });
}

export interface MessageView {
  readonly id: number;
  readonly received_at: string;
  readonly host: string;
  readonly endpoint: string;
  readonly operation: string | undefined;
  readonly nif: string | undefined;
  readonly incident: boolean;
  readonly records: number;
  /** Some of its records were accepted. */
  readonly stored: boolean;
  /** It came before the wait time was over. */
  readonly early: boolean;
  /** EstadoEnvio, or the code of a SOAP fault; undefined when the message was never looked at. */
  readonly outcome: string | undefined;
  readonly csv: string | undefined;
  readonly wait_seconds: number | undefined;
  readonly misbehaviour: unknown;
  /** The HTTP status; undefined until answered. */
  readonly status: number | undefined;
  readonly request_sha256: string;
}

export function messageView(row: Row): MessageView {
  const text = (column: string) => textOf(row, column) ?? "";
  const isSet = (column: string) => numberOf(row, column) === 1;
  const misbehaviour = textOf(row, "misbehaviour");
  return {
    id: numberOf(row, "id") ?? 0,
    received_at: text("received_at"),
    host: text("host"),
    endpoint: text("endpoint"),
    operation: textOf(row, "operation"),
    nif: textOf(row, "nif"),
    incident: isSet("incident"),
    records: numberOf(row, "records") ?? 0,
    stored: isSet("stored"),
    early: isSet("early"),
    outcome: textOf(row, "outcome"),
    csv: textOf(row, "csv"),
    wait_seconds: numberOf(row, "wait_seconds"),
    misbehaviour: misbehaviour === undefined ? undefined : JSON.parse(misbehaviour),
    status: numberOf(row, "status"),
    request_sha256: text("request_sha256"),
  };
}

export function messageViews(database: Database, after: number, limit: number): MessageView[] {
  return listMessages(database, after, limit).map(messageView);
}

export interface LineView {
  readonly line: number;
  readonly record: number;
  readonly operation: string;
  readonly number: string;
  readonly date: string;
  readonly state: string;
  readonly code: number | undefined;
}

export function lineViews(database: Database, message: number): LineView[] {
  return linesOf(database, message).map((row) => {
    const text = (column: string) => textOf(row, column) ?? "";
    const number = (column: string) => numberOf(row, column) ?? 0;
    const [operation, invoice, date, state] = ["operation", "number", "date", "state"].map(text);
    return {
      ...{ line: number("line"), record: number("id"), code: numberOf(row, "code") },
      ...{ operation: operation ?? "", number: invoice ?? "", date: date ?? "", state: state ?? "" },
    };
  });
}

export interface VerdictView {
  readonly message: number;
  readonly state: string;
  readonly code: number | undefined;
}

/** The verdicts of a record, one per arrival. */
export function verdictViews(database: Database, record: number): VerdictView[] {
  return judgementsOf(database, record).map((row) => ({
    message: numberOf(row, "message_id") ?? 0,
    state: textOf(row, "state") ?? "",
    code: numberOf(row, "code"),
  }));
}

/** Counts, for a glance and for long runs. */
export function summary(database: Database): unknown {
  const counts = (sql: string) =>
    Object.fromEntries(
      database.all(sql).map((row) => [textOf(row, "name") ?? "none", numberOf(row, "count")]),
    );
  return {
    messages: counts("SELECT coalesce(outcome, 'none') AS name, count(*) AS count FROM message GROUP BY 1"),
    misbehaviours: counts(
      `SELECT coalesce(json_extract(misbehaviour, '$.fault'), 'none') AS name, count(*) AS count
       FROM message GROUP BY 1`,
    ),
    early: numberOf(database.all("SELECT count(*) AS count FROM message WHERE early = 1")[0], "count"),
    records: counts("SELECT state AS name, count(*) AS count FROM record GROUP BY 1"),
    links: counts("SELECT link AS name, count(*) AS count FROM record GROUP BY 1"),
    codes: counts("SELECT code AS name, count(*) AS count FROM record WHERE code IS NOT NULL GROUP BY 1"),
    invoices: counts("SELECT state AS name, count(*) AS count FROM invoice GROUP BY 1"),
  };
}
