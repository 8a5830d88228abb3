import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Deed, OwnerBatch } from "../usecases/owner-ports.ts";
import type { Database } from "./database.ts";
import type { FencedStatement } from "./fence.ts";
import { chainSubmission, representation } from "./schema/submission.ts";
import type { ShopOwner } from "./shop-writes.ts";

type SubmissionDeed = Extract<
  Deed,
  { readonly deed: "grant_representation" | "withdraw_representation" | "resume_submission" }
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
  }
}
