import { type SQL, sql } from "drizzle-orm";
import { fromOwnJson, type PlainReads } from "../../db/database.ts";
import type { QuestionOutcomeCode } from "../../db/orders/question-job.ts";
import { connection } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { reviewJob, reviewJobOrder, reviewQuestion } from "../../db/schema/review.ts";
import type { Question } from "../../domain/order/question.ts";
import type { Reason, ReasonCode } from "../../domain/order/reasons.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { ofAccount } from "./listed-orders.ts";

/** The questions of held orders, and the answers that several of them got together. */
export function questionReads(reads: PlainReads): QuestionReads {
  return {
    async list(accountId, filter, { limit, after }) {
      const rows = await reads.rows<QuestionRow>(questions(accountId, filter, limit + 1, after));
      return { rows: rows.slice(0, limit).map(questionFrom), hasMore: rows.length > limit };
    },
    async countOf(accountId, connectionId, question) {
      const [row] = await reads.rows<{ orders: number }>(sql`SELECT ${reviewQuestion.orders} AS orders
        FROM ${connection} CROSS JOIN ${reviewQuestion} ON ${reviewQuestion.connectionId} = ${connection.id}
          AND ${reviewQuestion.question} = ${question}
        WHERE ${ofAccount(accountId, connectionId)}`);
      return row?.orders ?? 0;
    },
    async orders(accountId, connectionId, question, limit) {
      const rows = await reads.rows<AskingRow>(ordersOf(accountId, connectionId, question, limit));
      return rows.map(askingFrom);
    },
    async job(accountId, connectionId, id) {
      const [row] = await reads.rows<JobRow>(sql`SELECT ${reviewJob.userId} AS userId,
          ${reviewJob.orders} AS orders, ${reviewJob.done} AS done, ${reviewJob.issued} AS issued,
          ${reviewJob.begunAt} AS begunAt, ${reviewJob.endedAt} AS endedAt
        FROM ${reviewJob} WHERE ${reviewJob.connectionId} = ${connectionId} AND ${reviewJob.id} = ${id}
          AND ${reviewJob.accountId} = ${accountId}`);
      return row && { ...row, endedAt: row.endedAt ?? undefined };
    },
    outcomes: (connectionId, id, { limit, after }) =>
      reads.rows<JobOutcome>(sql`SELECT ${reviewJobOrder.idExternal} AS idExternal,
          ${shopOrder.reference} AS reference, ${reviewJobOrder.outcome} AS outcome,
          ${reviewJobOrder.detail} AS detail
        FROM ${reviewJobOrder} LEFT JOIN ${shopOrder}
          ON ${shopOrder.connectionId} = ${reviewJobOrder.connectionId}
            AND ${shopOrder.idExternal} = ${reviewJobOrder.idExternal}
        WHERE ${reviewJobOrder.connectionId} = ${connectionId} AND ${reviewJobOrder.jobId} = ${id}
          AND ${reviewJobOrder.idExternal} > ${after ?? ""}
        ORDER BY ${reviewJobOrder.idExternal} LIMIT ${limit}`),
  };
}

/** Each connection's index is read up to the page; those that most orders ask come first. */
function questions(
  accountId: string,
  { connectionId, reason }: QuestionFilter,
  limit: number,
  after: QuestionKey | undefined,
): SQL {
  const one = sql.identifier("one");
  const isReason = reason === undefined ? sql`` : sql`AND ${one}.code = ${reason}`;
  const limited = sql`SELECT ${one}.rowid FROM ${reviewQuestion} AS ${one}
    WHERE ${one}.connection_id = ${connection.id} ${isReason} ${after ? sql`AND ${isAfter(after)}` : sql``}
    ORDER BY ${one}.orders DESC, ${one}.question DESC LIMIT ${limit}`;
  const chosen = sql`SELECT ${reviewQuestion}.rowid AS number FROM ${connection}
    CROSS JOIN ${reviewQuestion} ON ${reviewQuestion}.rowid IN (${limited})
    WHERE ${ofAccount(accountId, connectionId)}
    ORDER BY ${reviewQuestion.orders} DESC, ${reviewQuestion.connectionId} DESC,
      ${reviewQuestion.question} DESC LIMIT ${limit}`;
  const oldest = sql`SELECT picked.rowid FROM ${shopOrder} AS picked
    WHERE picked.connection_id = ${reviewQuestion.connectionId}
      AND picked.question = ${reviewQuestion.question}
    ORDER BY picked.due_date, picked.id_external LIMIT 1`;
  return sql`WITH chosen AS MATERIALIZED (${chosen})
    SELECT ${reviewQuestion.connectionId} AS connectionId, ${connection.name} AS connection,
      ${reviewQuestion.question} AS question, ${reviewQuestion.orders} AS orders,
      ${shopOrder.dueDate} AS dueDate, ${shopOrder.idExternal} AS idExternal,
      ${shopOrder.reference} AS reference, ${shopOrder.reasons} -> '$[0]' AS reason
    FROM chosen CROSS JOIN ${reviewQuestion} ON ${reviewQuestion}.rowid = chosen.number
    CROSS JOIN ${connection} ON ${connection.id} = ${reviewQuestion.connectionId}
    CROSS JOIN ${shopOrder} ON ${shopOrder}.rowid = (${oldest})
    ORDER BY ${reviewQuestion.orders} DESC, ${reviewQuestion.connectionId} DESC,
      ${reviewQuestion.question} DESC`;
}

/** Behind a place in (orders, connection, question), all downwards. SQLite sorts blobs after texts. */
function isAfter({ orders, connectionId, question }: QuestionKey): SQL {
  const one = sql.identifier("one");
  const rest = sql`CASE WHEN ${connection.id} = ${connectionId} THEN ${question}
    WHEN ${connection.id} < ${connectionId} THEN x'' ELSE '' END`;
  return sql`(${one}.orders, ${one}.question) < (${orders}, ${rest})`;
}

/** One pass over the index of questions. */
function ordersOf(accountId: string, connectionId: string, question: Question, limit: number): SQL {
  const client = (member: string) => sql.raw(`facts ->> '$.client.${member}'`);
  return sql`SELECT ${shopOrder.connectionId} AS connectionId, ${shopOrder.idExternal} AS idExternal,
      ${shopOrder.reference} AS reference, ${shopOrder.dueDate} AS dueDate, ${shopOrder.total} AS total,
      ${shopOrder.currency} AS currency, ${shopOrder.changedAt} AS changedAt,
      ${client("company")} AS company, ${client("firstName")} AS firstName, ${client("lastName")} AS lastName
    FROM ${connection} CROSS JOIN ${shopOrder} INDEXED BY shop_order_question
      ON ${shopOrder.connectionId} = ${connection.id} AND ${shopOrder.question} = ${question}
    WHERE ${ofAccount(accountId, connectionId)}
    ORDER BY ${shopOrder.dueDate}, ${shopOrder.idExternal} LIMIT ${limit}`;
}

interface AskingRow {
  readonly connectionId: string;
  readonly idExternal: string;
  readonly reference: string | null;
  readonly dueDate: string;
  readonly total: string;
  readonly currency: string;
  readonly changedAt: Instant;
  readonly company: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

function askingFrom({ reference, company, firstName, lastName, ...row }: AskingRow): AskingOrder {
  const customer = (company ?? "").trim() || `${firstName ?? ""} ${lastName ?? ""}`.trim();
  return {
    ...row,
    ...(reference === null ? {} : { reference }),
    ...(customer === "" ? {} : { customer }),
  };
}

/** An order that asks a question. */
export interface AskingOrder extends Omit<AskingRow, "reference" | "company" | "firstName" | "lastName"> {
  readonly reference?: string;
  readonly customer?: string;
}

interface QuestionRow {
  readonly connectionId: string;
  readonly connection: string | null;
  readonly question: string;
  readonly orders: number;
  readonly dueDate: string;
  readonly idExternal: string;
  readonly reference: string | null;
  readonly reason: string;
}

function questionFrom({ reason, ...row }: QuestionRow): QuestionListed {
  return { ...row, connection: row.connection ?? "", reason: fromOwnJson<Reason>(reason) };
}

interface JobRow {
  readonly userId: string;
  readonly orders: number;
  readonly done: number;
  readonly issued: number;
  readonly begunAt: Instant;
  readonly endedAt: Instant | null;
}

/** A question, how many orders ask it, and the oldest of them. */
export interface QuestionListed extends Omit<QuestionRow, "connection" | "reason"> {
  readonly connection: string;
  /** The reason of the oldest order. */
  readonly reason: Reason;
}

interface QuestionFilter {
  readonly connectionId?: string;
  readonly reason?: ReasonCode;
}

export interface QuestionKey {
  readonly orders: number;
  readonly connectionId: string;
  readonly question: Question;
}

interface JobShown extends Omit<JobRow, "endedAt"> {
  readonly endedAt: Instant | undefined;
}

interface JobOutcome {
  readonly idExternal: string;
  readonly reference: string | null;
  /** Null until its turn. */
  readonly outcome: QuestionOutcomeCode | null;
  readonly detail: string | null;
}

interface After<Key> {
  readonly limit: number;
  readonly after?: Key | undefined;
}

export interface QuestionReads {
  list(
    accountId: string,
    filter: QuestionFilter,
    page: After<QuestionKey>,
  ): Promise<{ readonly rows: readonly QuestionListed[]; readonly hasMore: boolean }>;
  /** Held orders with this question; 0 also for another account's connection. */
  countOf(accountId: string, connectionId: string, question: Question): Promise<number>;
  /** Oldest due date first. */
  orders(
    accountId: string,
    connectionId: string,
    question: Question,
    limit: number,
  ): Promise<readonly AskingOrder[]>;
  job(accountId: string, connectionId: string, id: string): Promise<JobShown | undefined>;
  outcomes(connectionId: string, id: string, page: After<string>): Promise<readonly JobOutcome[]>;
}
