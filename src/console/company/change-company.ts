import { type CompanyRefusal, checkCompany } from "../../domain/connection/company.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { versionOf } from "../../domain/shared/same-value.ts";
import { isTypedName } from "../../domain/shared/typed-name.ts";
import type { CompanyChange, CompanyReading, CompanyStore } from "./company-ports.ts";

export interface CompanyChanging {
  readonly accountId: string;
  readonly current: CompanyReading;
  readonly change: CompanyChange;
  /** Of what the form was filled from. */
  readonly seen: string;
  /** The common rules apply although the domicile is in a foral territory. */
  readonly commonRulesApply: boolean;
}

export interface ChangeCompanyDeps {
  readonly company: CompanyStore;
  /** Id of the line, and who acts. */
  readonly line: { readonly id: string; readonly userId: string; readonly at: Instant };
}

/** Of what may change of a company, as its form is filled from it. */
export function companyVersion(company: CompanyChange): string {
  return versionOf(changeable(company));
}

/**
 * Name and domicile as they are from now on: who invoices, and with which tax, stays. The line says which of
 * them, not what: of a person who invoices they are that person's.
 */
export async function changeCompany(
  { accountId, current, change, seen, commonRulesApply }: CompanyChanging,
  { company, line }: ChangeCompanyDeps,
): Promise<Result<void, CompanyRefusal | Refusal<"changed_meanwhile" | "name_invalid">>> {
  const from = changeable(current);
  const to = changeable(change);
  const changed = namesOf(to).filter((name) => from[name] !== to[name]);
  if (changed.length === 0) return ok(undefined);
  if (versionOf(from) !== seen) return refuse("changed_meanwhile");
  const checked = checkCompany({ ...current, ...to }, { commonRulesApply, keepsBooksInSii: false });
  if (!checked.ok) return err(atPostcode(checked.error));
  if (changed.includes("legalName") && !isTypedName(to.legalName)) {
    return refuse("name_invalid", {}, "legal_name");
  }
  const facts = { changed: changed.join(", ") };
  const told = { ...line, verb: "change_company", facts };
  const done = await company.change(accountId, { from, to }, told);
  return done === "changed" ? ok(undefined) : refuse("changed_meanwhile");
}

function changeable(company: CompanyChange): CompanyChange {
  const { legalName, address1, postcode, city, defaultRegime, registry } = company;
  return { legalName, address1, postcode, city, defaultRegime, registry: registry || undefined };
}

function namesOf(change: CompanyChange) {
  // Its keys are the names of the type.
  return Object.keys(change) as (keyof CompanyChange)[];
}

/** The postcode is what moved: the tax is not asked again. */
function atPostcode(refusal: CompanyRefusal): CompanyRefusal {
  return refusal.code === "territory_mismatch" ? { ...refusal, path: "postcode" } : refusal;
}
