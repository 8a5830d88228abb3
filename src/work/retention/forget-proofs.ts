import type { SignedDocuments } from "../../db/companies/document-ports.ts";
import type { CompanyRegister } from "../../db/companies/verification-ports.ts";
import { CRON, PROOF } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Budget } from "../budget.ts";
import { guarded, type JobLog } from "../guarded.ts";

export interface ForgetProofsDeps extends JobLog {
  readonly register: Pick<CompanyRegister, "endedTexts" | "settleText" | "forgetUnused">;
  readonly documents: Pick<SignedDocuments, "forgetProof">;
  readonly now: () => Instant;
  readonly budget: Budget;
}

/** Twice the validity of a nonce, to allow for delays. */
const KEPT_MS = 2 * PROOF.nonceMs;
const PAGE = 200;
const QUERIES_OF_ONE = 2;

/**
 * Deletes documents that an operator has reviewed from R2, and unused proof texts. Answers the number that
 * remain.
 */
export async function forgetProofs(deps: ForgetProofsDeps): Promise<number> {
  const { register, documents, budget, now } = deps;
  const before = now() - KEPT_MS;
  const found = await register.endedTexts(before, CRON.items);
  let left = found.length;
  for (const { nonce, accountId } of found) {
    if (!budget.take(QUERIES_OF_ONE)) return left;
    await guarded({ job: "forget_proofs", database: "directory" }, deps, async () => {
      await documents.forgetProof(accountId, nonce);
      await register.settleText(nonce, now());
      left -= 1;
    });
  }
  if (!budget.take()) return left + 1;
  return left + ((await register.forgetUnused(before, PAGE)) === PAGE ? 1 : 0);
}
