import { parseArgs } from "node:util";
import { companyRegister } from "../db/companies/company-register.ts";
import type { Claim, CompanyRegister } from "../db/companies/registered-company.ts";
import { type OperatorDeps, refuseByOperator, verifyByOperator } from "../db/companies/verify-by-operator.ts";
import { proofKey } from "../db/submission/evidence-store.ts";
import { ledgerOf, newId, type RandomBytes } from "../domain/connection/ids.ts";
import { type DatabaseTarget, TARGET_OPTIONS, targetOf } from "./database-target.ts";
import { SetupError } from "./setup.mjs";

interface CompanyDeps {
  readonly directory: D1Database;
  readonly now: () => number;
  readonly random: RandomBytes;
}

type Options = Extract<CompanyOptions, { readonly help: false }>;
type CompanyRequest = Exclude<Options, { readonly verb: "list" }>;

/** Performs the operator's request and reports it; `done` is false if nothing changed. */
export async function doForCompany(
  request: Options,
  { directory, now, random }: CompanyDeps,
): Promise<{ readonly done: boolean; readonly output: string }> {
  const register = companyRegister(directory);
  if (request.verb === "list") {
    return { done: true, output: await waitingReport(register, request.from ?? 0) };
  }
  const { verb, id } = request;
  const deps = { register, now, random };
  if (verb === "verify" || verb === "refuse") return ofAccount({ ...request, verb }, deps);
  const { operator, reason } = request;
  const claim = await register.claimById(id);
  if (!claim) return nothing(`There is no claim ${id}.`);
  const facts = { operator, reason };
  const step = { claimId: id, stepId: newId("vc", id.slice(2, 5), random), at: now(), facts };
  const done =
    verb === "contest"
      ? await register.contest(step)
      : await register.settle({ ...step, outcome: verb === "grant" ? "granted" : "rejected" });
  if (done) return { done, output: `${id} of ${claim.accountId} (${claim.nif}): ${verb} done.` };
  return nothing(`Nothing was changed: ${await whyNot(verb, claim, register)}.`);
}

type OfAccount = CompanyRequest & { readonly verb: "verify" | "refuse" };

async function ofAccount(request: OfAccount, deps: OperatorDeps) {
  const { verb, id, proofId } = request;
  const { register } = deps;
  const company = await register.companyOf(id);
  if (!company) return nothing(`There is no account ${id}.`);
  const step = verb === "verify" ? verifyByOperator : refuseByOperator;
  if (await step(company, request, deps))
    return { done: true, output: `${id} (${company.nif}): ${verb} done.` };
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

function nothing(output: string) {
  return { done: false, output };
}

async function waitingReport(register: CompanyRegister, from: number): Promise<string> {
  const { proofs, claims, more } = await register.waiting(from);
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
  const isMore = more.proofs > 0 || more.claims > 0;
  const next = from + Math.max(shown.length, claimed.length);
  const rest = `${more.claims} more claims and ${more.proofs} more documents wait: list --from ${next}`;
  const nothing = from === 0 ? "Nothing waits." : "Nothing more waits.";
  return [...claimed, ...shown, ...(isMore ? [rest] : [])].join("\n") || nothing;
}

/** The operator's actions about the owner of a NIF. */
const COMPANY_VERBS = ["list", "verify", "refuse", "contest", "grant", "reject"] as const;
export type CompanyVerb = (typeof COMPANY_VERBS)[number];

type CompanyOptions =
  | { readonly help: true }
  | {
      readonly help: false;
      readonly verb: "list";
      /** The number of cases of each kind that were shown before. */
      readonly from?: number;
      readonly target: DatabaseTarget;
    }
  | {
      readonly help: false;
      readonly verb: Exclude<CompanyVerb, "list">;
      /** The id of an account or a claim. */
      readonly id: string;
      readonly operator: string;
      readonly reason: string;
      /** The document that was read; of an account that has one waiting. */
      readonly proofId?: string;
      readonly target: DatabaseTarget;
    };

const USAGE =
  "npm run company -- list [--from N] | verify ACCOUNT [--proof ID] | refuse ACCOUNT --proof ID | " +
  "contest CLAIM | grant CLAIM | reject CLAIM [--operator NAME --reason TEXT] " +
  "[--local STATE_DIR | --remote --env production]";

export const HELP = `${USAGE}

Says whose a NIF is. docs/runbooks/companies.md says what to look at before.

  list              claims and documents that wait, contested ones first, with the file in R2 to read
  --from N          the next ones: as many of each were shown
  verify ACCOUNT    its NIF is proven: from now on it issues invoices
  refuse ACCOUNT    the document that was read proves nothing; another may be shown
  contest CLAIM     the document of the claim was read: the company is contested
  grant CLAIM       the company is the claimant's; former owners lose access, keys and secrets
  reject CLAIM      the company stays whose it is
  --proof ID        the document that was read, as list names it; needed where one waits
  --operator NAME   who has looked
  --reason TEXT     at what, as a reference; it stands in the company's activity
  --local DIR       the state of a local server; by default STATE_DIR, or .local
  --remote          the databases of Cloudflare, through wrangler
  --env NAME        with --remote: the environment of wrangler.toml

The directory says so at once; the service brings it to the ledger within a minute. Ends with 0 when it was
done, 1 otherwise.`;

export function readCompanyOptions(args: readonly string[], environment: NodeJS.ProcessEnv): CompanyOptions {
  const { values, positionals } = parsed(args);
  const { help, operator, reason, proof: proofId, from, ...where } = values;
  if (help) return { help };
  const [name, id, ...more] = positionals;
  const verb = COMPANY_VERBS.find((one) => one === name);
  if (verb === undefined || more.length > 0) throw new SetupError(`Say what to do: ${USAGE}`);
  const target = targetOf(where, environment, USAGE);
  if (from !== undefined && (verb !== "list" || !/^\d{1,6}$/.test(from))) {
    throw new SetupError(`--from is a number, and of list alone. ${USAGE}`);
  }
  if (verb === "list")
    return { help: false, verb, ...(from === undefined ? {} : { from: Number(from) }), target };
  const isOfAccount = verb === "verify" || verb === "refuse";
  const prefix = isOfAccount ? "ac" : "cl";
  if (id === undefined || ledgerOf(id, prefix) === undefined) {
    throw new SetupError(`${JSON.stringify(id ?? "")} is no id of the kind ${prefix}. ${USAGE}`);
  }
  if (!operator?.trim() || !reason?.trim()) {
    throw new SetupError(`Who has looked, and at what: --operator and --reason. ${USAGE}`);
  }
  if (proofId !== undefined && (!isOfAccount || ledgerOf(proofId, "pr") === undefined)) {
    throw new SetupError(`${JSON.stringify(proofId)} is no document of an account. ${USAGE}`);
  }
  const word = { operator: operator.trim(), reason: reason.trim() };
  return { help: false, verb, id, ...word, ...(proofId === undefined ? {} : { proofId }), target };
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        operator: text,
        reason: text,
        proof: text,
        from: text,
        help: { type: "boolean" },
        ...TARGET_OPTIONS,
      },
    });
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : "unreadable"} Usage: ${USAGE}`);
  }
}
