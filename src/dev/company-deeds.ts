import type { RandomBytes } from "../domain/connection/ids.ts";
import { newId } from "../domain/connection/ids.ts";
import { companyRegister } from "../storage/company-register.ts";
import { proofKey } from "../storage/document-store.ts";
import { refuseByOperator, verifyByOperator } from "../usecases/console/verify-by-operator.ts";
import type { CompanyOptions } from "./company-options.ts";

export interface CompanyDeps {
  readonly directory: D1Database;
  readonly now: () => number;
  readonly random: RandomBytes;
}

type Asked = Extract<CompanyOptions, { readonly help: false }>;

/** Does what an operator asks, and says what came of it; `done` is false where nothing was changed. */
export async function doForCompany(
  asked: Asked,
  { directory, now, random }: CompanyDeps,
): Promise<{ readonly done: boolean; readonly told: string }> {
  const register = companyRegister(directory);
  if (asked.verb === "list") return { done: true, told: await waitingReport(register) };
  const { verb, id, operator, reason } = asked;
  const deps = { register, now, random };
  const word = { operator, reason };
  if (verb === "verify" || verb === "refuse") {
    const company = await register.companyOf(id);
    if (!company) return nothing(`There is no account ${id}.`);
    const step = verb === "verify" ? verifyByOperator : refuseByOperator;
    if (await step(company, word, deps)) return { done: true, told: `${id} (${company.nif}): ${verb} done.` };
    const holder = await register.holderOf(company.nif);
    const because = holder ? `${holder.accountId} has the NIF` : `it is ${company.verification}`;
    return nothing(`Nothing was changed: ${because}.`);
  }
  const claim = await register.claimById(id);
  if (!claim) return nothing(`There is no claim ${id}.`);
  const step = { claimId: id, stepId: newId("vc", id.slice(2, 5), random), at: now(), facts: word };
  const done =
    verb === "contest"
      ? await register.contest(step)
      : await register.settle({ ...step, outcome: verb === "grant" ? "granted" : "rejected" });
  if (done) return { done, told: `${id} of ${claim.accountId} (${claim.nif}): ${verb} done.` };
  const isEarly = verb === "grant" && claim.settledAt === undefined;
  return nothing(
    `Nothing was changed: ${isEarly ? "contest it first" : "it is settled, or contested already"}.`,
  );
}

function nothing(told: string) {
  return { done: false, told };
}

async function waitingReport(register: ReturnType<typeof companyRegister>): Promise<string> {
  const { proofs, claims } = await register.waiting();
  const day = (at: number) => new Date(at).toISOString().slice(0, 16);
  const fileOf = (accountId: string, sha256: string | undefined) =>
    sha256 === undefined ? "no document" : proofKey(accountId, sha256);
  const shown = proofs.map(
    ({ accountId, nif, sha256, madeAt }) =>
      `document  ${accountId}  ${nif}  ${day(madeAt)}  ${fileOf(accountId, sha256)}`,
  );
  const claimed = await Promise.all(
    claims.map(async ({ id, accountId, nif, claimantAccountId, proofId, madeAt, contestedAt }) => {
      const proof = (await register.proofsOf(claimantAccountId)).find((one) => one.id === proofId);
      const state = contestedAt === undefined ? "to read" : `contested ${day(contestedAt)}`;
      const file = fileOf(claimantAccountId, proof?.sha256);
      return `claim     ${id}  ${nif}  of ${accountId}  ${day(madeAt)}  ${state}  ${file}`;
    }),
  );
  return [...shown, ...claimed].join("\n") || "Nothing waits.";
}
