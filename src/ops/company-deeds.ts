import { companyRegister } from "../db/companies/company-register.ts";
import type { Claim, CompanyRegister } from "../db/companies/registered-company.ts";
import { type OperatorDeps, refuseByOperator, verifyByOperator } from "../db/companies/verify-by-operator.ts";
import { proofKey } from "../db/submission/evidence-store.ts";
import { newId, type RandomBytes } from "../domain/connection/ids.ts";
import type { CompanyOptions, CompanyVerb } from "./company-options.ts";

export interface CompanyDeps {
  readonly directory: D1Database;
  readonly now: () => number;
  readonly random: RandomBytes;
}

type Options = Extract<CompanyOptions, { readonly help: false }>;
type Asked = Exclude<Options, { readonly verb: "list" }>;

/** Performs the operator's request and reports it; `done` is false if nothing changed. */
export async function doForCompany(
  asked: Options,
  { directory, now, random }: CompanyDeps,
): Promise<{ readonly done: boolean; readonly told: string }> {
  const register = companyRegister(directory);
  if (asked.verb === "list") return { done: true, told: await waitingReport(register) };
  const { verb, id } = asked;
  const deps = { register, now, random };
  if (verb === "verify" || verb === "refuse") return ofAccount({ ...asked, verb }, deps);
  const { operator, reason } = asked;
  const claim = await register.claimById(id);
  if (!claim) return nothing(`There is no claim ${id}.`);
  const facts = { operator, reason };
  const step = { claimId: id, stepId: newId("vc", id.slice(2, 5), random), at: now(), facts };
  const done =
    verb === "contest"
      ? await register.contest(step)
      : await register.settle({ ...step, outcome: verb === "grant" ? "granted" : "rejected" });
  if (done) return { done, told: `${id} of ${claim.accountId} (${claim.nif}): ${verb} done.` };
  return nothing(`Nothing was changed: ${await whyNot(verb, claim, register)}.`);
}

type OfAccount = Asked & { readonly verb: "verify" | "refuse" };

async function ofAccount(asked: OfAccount, deps: OperatorDeps) {
  const { verb, id, proofId } = asked;
  const { register } = deps;
  const company = await register.companyOf(id);
  if (!company) return nothing(`There is no account ${id}.`);
  const step = verb === "verify" ? verifyByOperator : refuseByOperator;
  if (await step(company, asked, deps)) return { done: true, told: `${id} (${company.nif}): ${verb} done.` };
  const holder = await register.holderOf(company.nif);
  if (holder) return nothing(`Nothing was changed: ${holder.accountId} has the NIF.`);
  const newest = await register.waitingOf(id);
  const because =
    newest === undefined || newest === proofId
      ? `it is ${company.verification}, without a document that waits`
      : `the document ${newest} waits, and was not read`;
  return nothing(`Nothing was changed: ${because}.`);
}

async function whyNot(verb: CompanyVerb, claim: Claim, register: CompanyRegister): Promise<string> {
  if (claim.settledAt !== undefined) return "it is settled";
  if (verb === "contest") return "it is contested already";
  if (claim.contestedAt === undefined) return "contest it first";
  const { isKnown, isOwner } = await register.claimantOf(claim);
  if (!isKnown) return "who claims has no login any more; reject it";
  if (!isOwner) return `who claims owns ${claim.claimantAccountId} no more; reject it`;
  return "it was changed meanwhile";
}

function nothing(told: string) {
  return { done: false, told };
}

async function waitingReport(register: ReturnType<typeof companyRegister>): Promise<string> {
  const { proofs, claims } = await register.waiting();
  const day = (at: number) => new Date(at).toISOString().slice(0, 16);
  const fileOf = (accountId: string, nonce: string | undefined) =>
    nonce === undefined ? "no document" : proofKey(accountId, nonce);
  const shown = proofs.map(
    ({ id, accountId, nif, nonce, madeAt }) =>
      `document  ${accountId}  ${id}  ${nif}  ${day(madeAt)}  ${fileOf(accountId, nonce)}`,
  );
  const claimed = await Promise.all(
    claims.map(async ({ id, accountId, nif, claimantAccountId, proofId, madeAt, contestedAt }) => {
      const proof = (await register.proofsOf(claimantAccountId)).find((one) => one.id === proofId);
      const state = contestedAt === undefined ? "to read" : `contested ${day(contestedAt)}`;
      const file = fileOf(claimantAccountId, proof?.nonce);
      return `claim     ${id}  ${nif}  of ${accountId}  ${day(madeAt)}  ${state}  ${file}`;
    }),
  );
  return [...shown, ...claimed].join("\n") || "Nothing waits.";
}
