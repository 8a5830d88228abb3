/** Proving and claiming a NIF as owners and operators do. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { companyRegister } from "../../../src/db/companies/company-register.ts";
import { type CompanyVerb, doForCompany } from "../../../src/ops/company-changes.ts";
import { syncJobDeps } from "../../../src/wiring.ts";
import { syncCompanies } from "../../../src/work/sync-companies.ts";
import { type Browser, ownerOf } from "./console.ts";
import { apiOver } from "./deployment.ts";
import { aNif, openShop, type Shop } from "./shop.ts";

export const PDF = "%PDF-1.7\nrepresentación firmada";
const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));

export const syncChanges = () => syncCompanies(syncJobDeps(apiOver(env)));

/** An operator's command, on the same databases, about the waiting document. */
export async function operator(
  verb: Exclude<CompanyVerb, "list">,
  id: string,
  { now = Date.now(), read }: { readonly now?: number; readonly read?: string } = {},
) {
  const proofId = read ?? (await companyRegister(env.DIRECTORY).waitingOf(id));
  const word = { operator: "Ruiz", reason: "caso 7", ...(proofId === undefined ? {} : { proofId }) };
  return doForCompany(
    { help: false, verb, id, ...word, target: { stateDir: "" } },
    { directory: env.DIRECTORY, now: () => now, random },
  );
}

/** The waiting documents, as the operator reads them. */
export async function listed(from?: number): Promise<string> {
  const deps = { directory: env.DIRECTORY, now: Date.now, random };
  const request = { help: false, verb: "list", target: { stateDir: "" } } as const;
  return (await doForCompany({ ...request, ...(from === undefined ? {} : { from }) }, deps)).output;
}

export const stateOf = async (accountId: string) => {
  const row = (database: D1Database, key: string) =>
    database.prepare(`SELECT verification AS v FROM ${key}`).bind(accountId).first<string>("v");
  return [
    await row(env.DIRECTORY, "account_directory WHERE account_id = ?"),
    await row(env.LEDGER_000, "account WHERE id = ?"),
  ];
};

export const linesOf = async (accountId: string) => {
  const { results } = await env.LEDGER_000.prepare(
    "SELECT facts FROM audit_log WHERE account_id = ? AND verb = 'change_verification' ORDER BY rowid",
  )
    .bind(accountId)
    .all<{ facts: string }>();
  return results.map(({ facts }) => JSON.parse(facts));
};

export async function textFor(owner: Pick<Browser, "post">, accountId: string): Promise<string> {
  const asked = await owner.post(`/api/accounts/${accountId}/proofs/text`, {});
  expect(asked.status).toBe(201);
  expect(asked.body.data.text).toContain(`Empresa: ${accountId}`);
  return asked.body.data.nonce;
}

const pdf = { "Content-Type": "application/pdf" };

export const send = (owner: Browser, path: string, text = PDF) => owner.sendText(path, text, pdf);

export const show = async (owner: Browser, accountId: string, nonce?: string, text = PDF) =>
  send(
    owner,
    `/api/accounts/${accountId}/proofs/document?nonce=${nonce ?? (await textFor(owner, accountId))}`,
    text,
  );

export async function anUnverified(nif = aNif(Math.floor(Math.random() * 1e7))) {
  const shop = await openShop({ verified: false, account: { nif } });
  return { shop, nif, owner: await ownerOf(shop) };
}

/** A company that another person has verified, and its rightful owner. */
export async function taken() {
  const nif = aNif(Math.floor(5_000_000 + Math.random() * 1e6));
  const squatted = await openShop({ account: { nif } });
  const squatter = await ownerOf(squatted);
  const { shop, owner } = await anUnverified(nif);
  return { squatted, squatter, own: shop, owner };
}

export const claimOf = async ({ own, owner }: { readonly own: Shop; readonly owner: Browser }) => {
  const nonce = await textFor(owner, own.accountId);
  const answer = await send(owner, `/api/claims/document?account=${own.accountId}&nonce=${nonce}`);
  expect(answer.status).toBe(201);
  return (await companyRegister(env.DIRECTORY).openClaimOf(own.accountId))?.id ?? "";
};
