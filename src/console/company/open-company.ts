import { type OpenAccountDeps, type OpenedBefore, openAccount } from "../../db/accounts/open-account.ts";
import {
  type Company,
  type CompanyRefusal,
  checkCompany,
  timeZoneOf,
} from "../../domain/connection/company.ts";
import type { EligibilityDeclaration } from "../../domain/connection/consent.ts";
import { type RandomBytes, randomText } from "../../domain/connection/ids.ts";
import { isProven } from "../../domain/connection/verification.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import { err, invariant, ok, type Result } from "../../domain/shared/result.ts";
import { sha256Bytes } from "../../domain/shared/sha256.ts";
import { isTypedName } from "../../domain/shared/typed-name.ts";

/** D1 ends at 10 GB; new companies stop where what is there still has room to grow. */
const FULL_BYTES = 6_000_000_000;

/** Of an id, behind its kind and ledger. */
const ID_CHARACTERS = 16;

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
  // It may be the last one that the person may have, opened by the same request a moment before.
  const meanwhile = (await asOpened()).known;
  if (meanwhile !== undefined) return ok(meanwhile);
  invariant(opened.error.code === "quota_exceeded", "the NIF of a checked company is one");
  return err(opened.error);
}

/**
 * The same person's same company is one, however often its answer is lost, until it is proven or no longer
 * theirs: its id follows from both, so that what broke off goes on where it was.
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
