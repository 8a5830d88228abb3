import { type CompanyRefusal, checkCompany } from "../../domain/connection/company.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import type { CompanyChange, CompanyReading, CompanyStore } from "./company-ports.ts";

export interface CompanyChanging {
  readonly accountId: string;
  readonly current: CompanyReading;
  readonly change: CompanyChange;
  /** The common rules apply although the domicile is in a foral territory. */
  readonly commonRulesApply: boolean;
}

export interface ChangeCompanyDeps {
  readonly company: CompanyStore;
  /** Id of the line, and who acts. */
  readonly line: { readonly id: string; readonly userId: string; readonly at: Instant };
}

/**
 * Name and domicile as they are from now on: who invoices, and with which tax, stays. The line says which of
 * them, not what: of a person who invoices they are that person's.
 */
export async function changeCompany(
  { accountId, current, change, commonRulesApply }: CompanyChanging,
  { company, line }: ChangeCompanyDeps,
): Promise<Result<void, CompanyRefusal>> {
  const checked = checkCompany({ ...current, ...change }, { commonRulesApply, keepsBooksInSii: false });
  if (!checked.ok) return err(atPostcode(checked.error));
  const changed = Object.entries(change).flatMap(([name, value]) =>
    Reflect.get(current, name) === value ? [] : [name],
  );
  if (changed.length === 0) return ok(undefined);
  const facts = { changed: changed.join(", ") };
  await company.change(accountId, change, { ...line, verb: "change_company", facts });
  return ok(undefined);
}

/** The postcode is what moved: the tax is not asked again. */
function atPostcode(refusal: CompanyRefusal): CompanyRefusal {
  return refusal.code === "territory_mismatch" ? { ...refusal, path: "postcode" } : refusal;
}
