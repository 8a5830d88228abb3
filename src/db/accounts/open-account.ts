import { newId, type RandomBytes } from "../../domain/connection/ids.ts";
import type { Verification } from "../../domain/connection/verification.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { Territory } from "../../domain/invoice/settings.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import type { Instant, TimeZone } from "../../domain/shared/instant.ts";
import { err, type Result } from "../../domain/shared/result.ts";
import { nifFrom } from "../../domain/shared/tax-identifier.ts";

export interface NewAccount {
  readonly id: string;
  readonly legalName: string;
  readonly nif: string;
  readonly address1: string;
  readonly postcode: string;
  readonly city: string;
  readonly timeZone: TimeZone;
  readonly territory: Territory;
  readonly defaultRegime: string;
  readonly registry?: string | undefined;
  readonly openedAt: Instant;
  /** Its first owner. */
  readonly openedBy: string;
}

/** An account as the directory lists it. */
export interface ListedAccount {
  readonly id: string;
  readonly nif: string;
  readonly ledger: string;
  readonly openedAt: Instant;
  readonly openedBy: string;
}

export interface OpenedBefore {
  readonly id: string;
  readonly verification: Verification;
  /** It is open, and the person owns it. */
  readonly isTheirs: boolean;
}

/** The ledger and the owner of each account: one database for all ledgers. */
export interface Directory {
  /**
   * Lists the account with its first owner, all or nothing, idempotent by id. It is unverified and counts in
   * the person's quota; above the quota it is refused. Answers the id, which another ledger may have set
   * first.
   */
  listAccount(account: ListedAccount): Promise<Result<string, QuotaRefusal>>;
  /** Refuses if the person may not open another account now. */
  companyQuota(personId: string, now: Instant): Promise<QuotaRefusal | undefined>;
  /** The accounts that the person has opened under this NIF. */
  openedBy(personId: string, nif: string): Promise<readonly OpenedBefore[]>;
}

export interface AccountStore {
  /** Idempotent by id. It is unverified, and its opening waits for `endOpening`. */
  openAccount(account: NewAccount): Promise<void>;
  /** It is listed, or never will be. */
  endOpening(accountId: string): Promise<void>;
  /** Takes over the directory's state, unless this or a later one is known. */
  hearVerification(account: HeardVerification): Promise<void>;
}

export interface HeardVerification {
  readonly accountId: string;
  readonly verification: Verification;
  /** For a contested account. */
  readonly issuingEndsAt?: Instant;
  /** The directory's `changeSeq` that this is of. */
  readonly changeSeq: number;
  /** IndicadorMultiplesOT (FAQ 4 of the AEAT): once S, never N again. */
  readonly isOfSeveral: boolean;
}

export interface OpenAccountDeps {
  readonly directory: Directory;
  readonly accountsIn: (ledger: string) => AccountStore;
  readonly now: () => Instant;
  readonly random: RandomBytes;
}

export interface OpenAccountRequest extends Omit<NewAccount, "id" | "openedAt" | "openedBy"> {
  readonly ledger: string;
  readonly ownerId: string;
}

/**
 * Opens an issuer's account: the ledger first, the directory after, both idempotent by the same id, so that a
 * half-made account is invisible and the sweep can finish it. It reserves nothing before its NIF is proven.
 */
export async function openAccount(
  request: OpenAccountRequest,
  deps: OpenAccountDeps,
): Promise<Result<string, Refusal<"tax_identifier_invalid"> | QuotaRefusal>> {
  const { ledger, ownerId: openedBy, ...issuer } = request;
  const nif = nifFrom(issuer.nif);
  if (nif === undefined) return err({ code: "tax_identifier_invalid", facts: {} });
  const openedAt = deps.now();
  // Asked first, so that a refusal leaves no partial account. The listing itself counts concurrent openings.
  const full = await deps.directory.companyQuota(openedBy, openedAt);
  if (full) return err(full);
  const id = newId("ac", ledger, deps.random);
  await deps.accountsIn(ledger).openAccount({ ...issuer, nif, id, openedAt, openedBy });
  return listAccount({ id, nif, ledger, openedAt, openedBy }, deps);
}

/** The second half of opening, which the sweep repeats for accounts that did not come to it. */
export async function listAccount(
  account: ListedAccount,
  { directory, accountsIn }: Pick<OpenAccountDeps, "directory" | "accountsIn">,
): Promise<Result<string, QuotaRefusal>> {
  const listed = await directory.listAccount(account);
  await accountsIn(account.ledger).endOpening(account.id);
  return listed;
}
