import { OPERATOR } from "../../domain/connection/activity-areas.ts";
import { newId, type RandomBytes } from "../../domain/connection/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { CompanyRegister, RegisteredCompany } from "./registered-company.ts";

export interface OperatorDeps {
  readonly register: CompanyRegister;
  readonly now: () => Instant;
  readonly random: RandomBytes;
}

/** The operator and the evidence checked. */
export interface OperatorWord {
  readonly operator: string;
  readonly reason: string;
  /** The document that was read; none where none waits. */
  readonly proofId?: string | undefined;
}

/**
 * An operator confirms the owner of the NIF. False if it is verified already, another company has it, or an
 * unread document waits.
 */
export function verifyByOperator(
  { accountId, ledger, nif }: RegisteredCompany,
  { operator, reason, proofId }: OperatorWord,
  { register, now, random }: OperatorDeps,
): Promise<boolean> {
  const at = now();
  const facts = { operator, reason };
  return register.step({
    id: newId("vc", ledger, random),
    ...{ accountId, from: ["unverified", "in_review"], to: "verified", by: OPERATOR, at, facts },
    read: { proofId },
    proof: {
      ...{ id: newId("pr", ledger, random), accountId, nif, userId: OPERATOR, kind: "operator", madeAt: at },
      facts: { ...facts, ...(proofId === undefined ? {} : { proof: proofId }) },
    },
  });
}

/** The document that was read proves nothing: the company may show another. */
export function refuseByOperator(
  { accountId, ledger }: RegisteredCompany,
  { operator, reason, proofId }: OperatorWord,
  { register, now, random }: OperatorDeps,
): Promise<boolean> {
  return register.step({
    id: newId("vc", ledger, random),
    ...{ accountId, from: ["in_review"], to: "unverified", by: OPERATOR, at: now() },
    facts: { operator, reason },
    read: { proofId },
  });
}
