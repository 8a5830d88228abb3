import {
  type Company,
  type CompanyRefusal,
  checkCompany,
  timeZoneOf,
} from "../../domain/connection/company.ts";
import type { EligibilityDeclaration } from "../../domain/connection/consent.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { type OpenAccountDeps, openAccount } from "../open-account.ts";

/** D1 ends at 10 GB; new companies stop where what is there still has room to grow. */
const FULL_BYTES = 6_000_000_000;

export interface OpenCompanyDeps extends OpenAccountDeps {
  readonly ledgers: readonly { readonly ledger: string; readonly sizeBytes: () => Promise<number> }[];
}

export interface OpenCompanyRequest {
  readonly company: Company;
  readonly declaration: EligibilityDeclaration;
  readonly ownerId: string;
}

export type OpenCompanyRefusal = CompanyRefusal | Refusal<"issuer_exists" | "ledgers_full">;

/** A company as its owner typed it, in the ledger that has most room. */
export async function openCompany(
  { company, declaration, ownerId }: OpenCompanyRequest,
  deps: OpenCompanyDeps,
): Promise<Result<string, OpenCompanyRefusal>> {
  const checked = checkCompany(company, declaration);
  if (!checked.ok) return checked;
  const ledger = await emptiest(deps.ledgers);
  if (ledger === undefined) return err({ code: "ledgers_full", facts: {} });
  const { value: issuer } = checked;
  const exists = err({ code: "issuer_exists", facts: { nif: issuer.nif }, path: "nif" } as const);
  // Asked first, so that a refusal leaves no half of an account; two at once are told apart by the listing.
  if (await deps.directory.isTaken(issuer.nif)) return exists;
  const timeZone = timeZoneOf(issuer.territory);
  const opened = await openAccount({ ...issuer, timeZone, ledger, ownerId }, deps);
  return opened.ok ? ok(opened.value) : exists;
}

async function emptiest(ledgers: OpenCompanyDeps["ledgers"]): Promise<string | undefined> {
  const sized = await Promise.all(
    ledgers.map(async ({ ledger, sizeBytes }) => ({ ledger, bytes: await sizeBytes() })),
  );
  const open = sized.filter(({ bytes }) => bytes < FULL_BYTES).sort((a, b) => a.bytes - b.bytes);
  return open[0]?.ledger;
}
