import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import type { FencedStatement } from "../../db/fence.ts";
import { chainSubmission, representation } from "../../db/schema/submission.ts";
import { checkRepresentation, type Representation } from "../../domain/connection/consent.ts";
import { newId } from "../../domain/connection/ids.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { refused, UNCHANGED, verb, write } from "./verb.ts";

interface Granted {
  readonly documentSha256: string;
  readonly signedBy: string;
  readonly signedOn: CivilDate;
}

/**
 * The issuer's signed grant, without which nothing is submitted to the real AEAT. The document is kept
 * elsewhere; its hash proves which it was. A newer grant replaces the one in force.
 */
export const grant_representation = verb<Granted, { readonly id: string } & Representation>({
  area: "company",
  wakesObject: true,
  fieldOf: { representation_signer_invalid: "signed_by" },
  decide({ documentSha256, signedBy, signedOn }, { reading, today, random, ledger }) {
    const checked = checkRepresentation({ documentSha256, signedBy, signedOn }, today);
    if (!checked.ok) return refused(checked.error);
    if (reading.representation === documentSha256) return UNCHANGED;
    const granted = { id: newId("rp", ledger, random), ...checked.value };
    return write(granted, { document_sha256: documentSha256 });
  },
  write: (db, { accountId }, granted, { at, userId }) => [
    withdraw(db, accountId, at),
    db.insert(representation).values({ ...granted, accountId, storedBy: userId, storedAt: at }),
  ],
});

interface Withdrawn {
  /** Withdraws the grant only while it is this one. */
  readonly documentSha256?: string;
}

export const withdraw_representation = verb<Withdrawn, object>({
  area: "company",
  wakesObject: true,
  decide({ documentSha256: expected }, { reading: { representation: inForce } }) {
    if (inForce === undefined || (expected ?? inForce) !== inForce) return UNCHANGED;
    return write({}, { document_sha256: inForce });
  },
  write: (db, { accountId }, _, { at }) => [withdraw(db, accountId, at)],
});

/** A stopped chain tries again now: the owner has fixed the cause. */
export const resume_submission = verb<object, object>({
  area: "invoices",
  wakesObject: true,
  decide: (_, { reading }) => (reading.isSubmissionStopped ? write({}) : UNCHANGED),
  write: (db, { connectionId }, _, { at }) => [
    db
      .update(chainSubmission)
      .set({
        seq: sql`${chainSubmission.seq} + 1`,
        stopped: null,
        dueAt: sql`min(${chainSubmission.dueAt}, ${at})`,
      })
      .where(and(eq(chainSubmission.connectionId, connectionId), isNotNull(chainSubmission.stopped))),
  ],
});

function withdraw(db: Database, accountId: string, at: number): FencedStatement {
  return db
    .update(representation)
    .set({ withdrawnAt: at })
    .where(and(eq(representation.accountId, accountId), isNull(representation.withdrawnAt)));
}
