/** Questions that several held orders ask, and the answers that an owner gives to all of them. */
import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ofAccount, ofConnection } from "./ledger.ts";

/** How many held orders ask each question; triggers count. */
export const reviewQuestion = sqliteTable(
  "review_question",
  {
    connectionId: ofConnection(),
    question: text("question").notNull(),
    /** The code of its reason. */
    code: text("code").notNull(),
    orders: integer("orders").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.question] }),
    index("review_question_orders").on(table.connectionId, table.orders, table.question),
    index("review_question_code").on(table.connectionId, table.code, table.orders, table.question),
  ],
);

/** One answer of an owner to the orders that asked a question at that moment. */
export const reviewJob = sqliteTable(
  "review_job",
  {
    connectionId: ofConnection(),
    /** The key of the request, by which a repeat is recognised. */
    id: text("id").notNull(),
    accountId: ofAccount(),
    userId: text("user_id").notNull(),
    question: text("question").notNull(),
    /** OrderAnswer as JSON. */
    answer: text("answer").notNull(),
    /** The reason of the oldest order as JSON, by which the question is named; null before 0035. */
    reason: text("reason"),
    /** The answer becomes a setting once the orders are decided. */
    remember: integer("remember", { mode: "boolean" }).notNull(),
    /** Its orders, those with an outcome, and those whose invoice was issued; triggers count. */
    orders: integer("orders").notNull(),
    done: integer("done").notNull(),
    issued: integer("issued").notNull(),
    begunAt: integer("begun_at").notNull(),
    endedAt: integer("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.id] }),
    index("review_job_open").on(table.connectionId, table.begunAt).where(sql`ended_at IS NULL`),
    index("review_job_overdue").on(table.begunAt).where(sql`ended_at IS NULL`),
  ],
);

/** An order of the job, and what became of it. */
export const reviewJobOrder = sqliteTable(
  "review_job_order",
  {
    connectionId: ofConnection(),
    jobId: text("job_id").notNull(),
    idExternal: text("id_external").notNull(),
    /** Left out by the owner: the remembered answer does not decide it. */
    apart: integer("apart", { mode: "boolean" }).notNull(),
    /** `changed_at` of the order as the owner saw it. */
    changedAt: integer("changed_at").notNull(),
    /** Null until its turn. */
    outcome: text("outcome"),
    /** The number of the invoice, the code of the next reason or of the refusal, or the state. */
    detail: text("detail"),
    /** The profile that took it; null for the connection's own sales. */
    profileId: text("profile_id"),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.jobId, table.idExternal] }),
    foreignKey({
      columns: [table.connectionId, table.jobId],
      foreignColumns: [reviewJob.connectionId, reviewJob.id],
    }),
    index("review_job_order_open").on(table.connectionId, table.jobId).where(sql`outcome IS NULL`),
    check(
      "review_job_order_outcome",
      sql`${table.outcome} IN ('issued', 'settled', 'waiting', 'refused', 'changed', 'apart', 'failed')`,
    ),
  ],
);

/** A setting that was declared by the answer to a question, while it is in force. */
export const rememberedAnswer = sqliteTable(
  "remembered_answer",
  {
    connectionId: ofConnection(),
    /** Empty for the connection's own sales. */
    profileId: text("profile_id").notNull(),
    /** The member of the sales settings and the name of its entry, as `domain/order/remembered.ts` says. */
    setting: text("setting").notNull(),
    accountId: ofAccount(),
    userId: text("user_id").notNull(),
    question: text("question").notNull(),
    /** The reason of one of its orders as JSON; null for answers of before 0035. */
    reason: text("reason"),
    /** The declared value as JSON. */
    value: text("value").notNull(),
    /** Orders that got the answer, and those that the setting has decided since. */
    uses: integer("uses").notNull(),
    rememberedAt: integer("remembered_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.profileId, table.setting] }),
    index("remembered_answer_account").on(
      ...[table.accountId, table.rememberedAt, table.connectionId, table.profileId, table.setting],
    ),
  ],
);
