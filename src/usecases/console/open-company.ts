import {
  type Company,
  type CompanyRefusal,
  checkCompany,
  timeZoneOf,
} from "../../domain/connection/company.ts";
import type { EligibilityDeclaration } from "../../domain/connection/consent.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import { err, invariant, ok, type Result } from "../../domain/shared/result.ts";
import { isTypedName } from "../../domain/shared/typed-name.ts";
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

export type OpenCompanyRefusal = CompanyRefusal | Refusal<"name_invalid" | "ledgers_full">;

/** A company as its owner typed it, in the ledger that has most room. */
export async function openCompany(
  { company, declaration, ownerId }: OpenCompanyRequest,
  deps: OpenCompanyDeps,
): Promise<Result<string, OpenCompanyRefusal | QuotaRefusal>> {
  const checked = checkCompany(company, declaration);
  if (!checked.ok) return checked;
  if (!isTypedName(company.legalName)) return refuse("name_invalid", {}, "legal_name");
  const ledger = await emptiest(deps.ledgers);
  if (ledger === undefined) return err({ code: "ledgers_full", facts: {} });
  const { value: issuer } = checked;
  const timeZone = timeZoneOf(issuer.territory);
  const opened = await openAccount({ ...issuer, timeZone, ledger, ownerId }, deps);
  if (opened.ok) return ok(opened.value);
  invariant(opened.error.code === "quota_exceeded", "the NIF of a checked company is one");
  return err(opened.error);
}

async function emptiest(ledgers: OpenCompanyDeps["ledgers"]): Promise<string | undefined> {
  const sized = await Promise.all(
    ledgers.map(async ({ ledger, sizeBytes }) => ({ ledger, bytes: await sizeBytes() })),
  );
  const open = sized.filter(({ bytes }) => bytes < FULL_BYTES).sort((a, b) => a.bytes - b.bytes);
  return open[0]?.ledger;
}
