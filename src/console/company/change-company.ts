import { type OpenAccountDeps, type OpenedBefore, openAccount } from "../../db/accounts/opening.ts";
import {
  type Company,
  type CompanyRefusal,
  checkCompany,
  isProven,
  timeZoneOf,
} from "../../domain/connection/company.ts";
import type { EligibilityDeclaration } from "../../domain/connection/consent.ts";
import { type RandomBytes, randomText } from "../../domain/connection/ids.ts";
import { COMPANY_DETAILS, type CompanyDetails, detailsIn } from "../../domain/invoice/issuer.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import { sha256Bytes, versionOf } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { err, invariant, ok, type Result } from "../../domain/shared/result.ts";
import { isTypedName } from "../../domain/shared/typed-name.ts";
import { type CompanyReading, type CompanyStore, columnsOfDetails } from "./queries.ts";

interface CompanyChanging {
  readonly accountId: string;
  readonly current: CompanyReading;
  readonly change: CompanyDetails;
  /** Version of the company that the form was opened with. */
  readonly formVersion: string;
  /** The common rules apply although the address is in a foral territory. */
  readonly commonRulesApply: boolean;
}

interface ChangeCompanyDeps {
  readonly company: CompanyStore;
  /** Id, user and instant of the audit line. */
  readonly line: { readonly id: string; readonly userId: string; readonly at: Instant };
}

/** Version of the changeable members, from which the form is filled. */
export function companyVersion(company: CompanyDetails): string {
  return versionOf(changeable(company));
}

/**
 * Changes the details of a company; NIF and tax never change. The audit line lists the
 * changed members without values: an individual's name and address are personal data.
 */
export async function changeCompany(
  { accountId, current, change, formVersion, commonRulesApply }: CompanyChanging,
  { company, line }: ChangeCompanyDeps,
): Promise<Result<void, CompanyRefusal | Refusal<"changed_meanwhile" | "name_invalid">>> {
  const from = changeable(current);
  const to = changeable(change);
  const changed = COMPANY_DETAILS.filter((name) => from[name] !== to[name]);
  if (changed.length === 0) return ok(undefined);
  if (versionOf(from) !== formVersion) return refuse("changed_meanwhile");
  const name =
    changed.includes("legalName") && !isTypedName(to.legalName)
      ? refuse("name_invalid", {}, "legal_name")
      : ok(undefined);
  const checked = checkCompany({ ...current, ...to }, { commonRulesApply, keepsBooksInSii: false });
  if (!checked.ok) {
    const found = atPostcode(checked.error);
    return err(name.ok ? found : alsoWith(found, name.error));
  }
  if (!name.ok) return name;
  const facts = { changed: changed.join(", ") };
  const auditLine = { ...line, verb: "change_company", facts };
  const step = { from: columnsOfDetails(from), to: columnsOfDetails(to) };
  const done = await company.change(accountId, step, auditLine);
  return done === "changed" ? ok(undefined) : refuse("changed_meanwhile");
}

function changeable(company: CompanyDetails): CompanyDetails {
  return detailsIn(withoutEmpty(company));
}

/** A detail that the form leaves empty is not set. */
function withoutEmpty<Details extends CompanyDetails>(details: Details): Details {
  // The form takes no empty value where one is required.
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== "")) as Details;
}

/** Every wrong field of a form in one answer. */
function alsoWith<One extends { readonly also?: readonly object[] }, Other>(one: One, other: Other) {
  return { ...one, also: [...(one.also ?? []), other] };
}

/** The form has no tax field, so a mismatch of the territory is shown at the postcode. */
function atPostcode<Shown extends CompanyRefusal>({ also, ...refusal }: Shown) {
  const moved = <One extends { readonly code: string }>(one: One) =>
    one.code === "territory_mismatch" ? { ...one, path: "postcode" } : one;
  return { ...moved(refusal), ...(also ? { also: also.map(moved) } : {}) };
}

/** D1's limit is 10 GB; above this size a ledger takes no new companies, so that existing ones can grow. */
const FULL_BYTES = 6_000_000_000;

/** Length of an id's random part, after its kind and ledger. */
const ID_CHARACTERS = 16;

interface OpenCompanyDeps extends OpenAccountDeps {
  readonly ledgers: readonly { readonly ledger: string; readonly sizeBytes: () => Promise<number> }[];
}

interface OpenCompanyRequest {
  readonly company: Company;
  readonly declaration: EligibilityDeclaration;
  readonly ownerId: string;
}

type OpenCompanyRefusal = CompanyRefusal | Refusal<"name_invalid" | "ledgers_full">;

/** Opens a company in the emptiest ledger. */
export async function openCompany(
  { company, declaration, ownerId }: OpenCompanyRequest,
  deps: OpenCompanyDeps,
): Promise<Result<string, OpenCompanyRefusal | QuotaRefusal>> {
  const name = isTypedName(company.legalName) ? ok(undefined) : refuse("name_invalid", {}, "legal_name");
  const checked = checkCompany(withoutEmpty(company), declaration);
  if (!checked.ok) return name.ok ? checked : err(alsoWith(checked.error, name.error));
  if (!name.ok) return name;
  const { value: issuer } = checked;
  const asOpened = async () =>
    opening({ issuer, ownerId }, await deps.directory.openedBy(ownerId, issuer.nif));
  const { known, random } = await asOpened();
  if (known !== undefined) return ok(known);
  const ledger = await emptiest(deps.ledgers);
  if (ledger === undefined) return err({ code: "ledgers_full", facts: {} });
  const timeZone = timeZoneOf(issuer.territory);
  const opened = await openAccount({ ...issuer, timeZone, ledger, ownerId }, { ...deps, random });
  if (opened.ok) return ok(opened.value);
  // The same request may have opened the company a moment earlier and used the person's last place.
  const meanwhile = (await asOpened()).known;
  if (meanwhile !== undefined) return ok(meanwhile);
  invariant(opened.error.code === "quota_exceeded", "the NIF of a checked company is one");
  return err(opened.error);
}

/**
 * The id follows from the person and the company, so that a retry continues an interrupted opening. A new id
 * is taken once the company is proven or no longer belongs to the person.
 */
function opening(
  { issuer, ownerId }: { readonly issuer: object; readonly ownerId: string },
  before: readonly OpenedBefore[],
): { readonly known?: string; readonly random: RandomBytes } {
  const typed = Object.entries(issuer).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (let nth = 0; ; nth += 1) {
    const digest = sha256Bytes(JSON.stringify([ownerId, nth, typed]));
    const random = (sizeBytes: number) => digest.subarray(0, sizeBytes);
    const known = before.find(({ id }) => id.endsWith(randomText(ID_CHARACTERS, random)));
    if (!known) return { random };
    if (known.isTheirs && !isProven(known.verification)) return { known: known.id, random };
  }
}

async function emptiest(ledgers: OpenCompanyDeps["ledgers"]): Promise<string | undefined> {
  const sized = await Promise.all(
    ledgers.map(async ({ ledger, sizeBytes }) => ({ ledger, bytes: await sizeBytes() })),
  );
  const open = sized.filter(({ bytes }) => bytes < FULL_BYTES).sort((a, b) => a.bytes - b.bytes);
  return open[0]?.ledger;
}
