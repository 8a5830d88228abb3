import { and, eq, gte, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import type { Deed, OwnerBatch } from "../owner-state.ts";
import { invoice, record } from "../schema/ledger.ts";
import { chainSubmission, representation } from "../schema/submission.ts";
import type { ShopOwner } from "../shop/shop-writes.ts";

type SubmissionDeed = Extract<
  Deed,
  {
    readonly deed:
      | "grant_representation"
      | "withdraw_representation"
      | "resume_submission"
      | "settle_duplicate";
  }
>;

/** What an owner does about how records are submitted. */
export function submissionStatements(
  db: Database,
  { accountId, connectionId }: ShopOwner,
  deed: SubmissionDeed,
  { at, userId }: OwnerBatch,
): FencedStatement[] {
  const withdrawn = db
    .update(representation)
    .set({ withdrawnAt: at })
    .where(and(eq(representation.accountId, accountId), isNull(representation.withdrawnAt)));
  switch (deed.deed) {
    case "grant_representation": {
      const stored = { accountId, storedBy: userId, storedAt: at };
      return [withdrawn, db.insert(representation).values({ ...deed.representation, ...stored })];
    }
    case "withdraw_representation":
      return [withdrawn];
    case "resume_submission":
      return [
        db
          .update(chainSubmission)
          .set({
            seq: sql`${chainSubmission.seq} + 1`,
            stopped: null,
            dueAt: sql`min(${chainSubmission.dueAt}, ${at})`,
          })
          .where(and(eq(chainSubmission.connectionId, connectionId), isNotNull(chainSubmission.stopped))),
      ];
    case "settle_duplicate":
      return [settleDuplicate(db, connectionId, deed)];
  }
}

/** Every record of the invoice that was held for it, found by their origins. */
function settleDuplicate(
  db: Database,
  connectionId: string,
  { invoiceId, found }: Extract<SubmissionDeed, { readonly deed: "settle_duplicate" }>,
): FencedStatement {
  const behind = (sort: string) =>
    and(gte(record.origin, `${sort}:${invoiceId}:`), lt(record.origin, `${sort}:${invoiceId};`));
  const first = eq(
    record.origin,
    sql`(SELECT ${invoice.origin} FROM ${invoice} WHERE ${invoice.id} = ${invoiceId})`,
  );
  const isHeld = sql`${record.state} = 'rejected' AND json_extract(${record.standing}, '$.hold') IS NOT NULL
    AND json_extract(${record.standing}, '$.found') IS NOT 'ours'`;
  return db
    .update(record)
    .set({ standing: sql`json_set(${record.standing}, '$.found', ${found})` })
    .where(and(eq(record.connectionId, connectionId), or(first, behind("amend"), behind("cancel")), isHeld));
}
