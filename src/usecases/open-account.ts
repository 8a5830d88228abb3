import { newId, type RandomBytes } from "../domain/connection/ids.ts";
import type { Territory } from "../domain/invoice/settings.ts";
import type { Instant, TimeZone } from "../domain/shared/instant.ts";
import { err, ok, type Result } from "../domain/shared/result.ts";
import { nifFrom } from "../domain/shared/tax-identifier.ts";

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

/** What the directory must know of an account. */
export interface ListedAccount {
  readonly id: string;
  readonly nif: string;
  readonly ledger: string;
  readonly openedAt: Instant;
  readonly openedBy: string;
}

/** Which account lives where, and whose it is: one database for all ledgers. */
export interface Directory {
  /** With its first owner, all or nothing, idempotent by id; false when another account has the NIF. */
  listAccount(account: ListedAccount): Promise<boolean>;
  addOwner(accountId: string, ownerId: string): Promise<void>;
  /** Whether an account has the NIF. */
  isTaken(nif: string): Promise<boolean>;
  /** Another account that the person owns, if there is one: never all of them. */
  otherOf(ownerId: string, accountId: string): Promise<AccountPlace | undefined>;
  /** Every account that the person owns, open or closed, with its ledger; who only reads one owns none. */
  accountsOf(ownerId: string): Promise<readonly AccountPlace[]>;
}

export interface AccountPlace {
  readonly accountId: string;
  readonly ledger: string;
}

export interface AccountStore {
  /** Idempotent by id. Its opening waits for `endOpening`. */
  openAccount(account: NewAccount): Promise<void>;
  /** It is listed, or never will be. */
  endOpening(accountId: string): Promise<void>;
  /** IndicadorMultiplesOT: once S, never N again. */
  markMultipleIssuers(accountId: string): Promise<void>;
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
 * half-made account is invisible and the sweep can finish it.
 */
export async function openAccount(
  request: OpenAccountRequest,
  deps: OpenAccountDeps,
): Promise<Result<string, { readonly code: "issuer_exists" | "tax_identifier_invalid" }>> {
  const { ledger, ownerId: openedBy, ...issuer } = request;
  const nif = nifFrom(issuer.nif);
  if (nif === undefined) return err({ code: "tax_identifier_invalid" });
  const id = newId("ac", ledger, deps.random);
  const openedAt = deps.now();
  await deps.accountsIn(ledger).openAccount({ ...issuer, nif, id, openedAt, openedBy });
  const isListed = await listAccount({ id, nif, ledger, openedAt, openedBy }, deps);
  return isListed ? ok(id) : err({ code: "issuer_exists" });
}

/** The second half of opening, which the sweep repeats for accounts that did not come to it. */
export async function listAccount(
  account: ListedAccount,
  deps: Pick<OpenAccountDeps, "directory" | "accountsIn">,
): Promise<boolean> {
  const isListed = await deps.directory.listAccount(account);
  if (isListed) await markBoth({ accountId: account.id, ledger: account.ledger }, account.openedBy, deps);
  await deps.accountsIn(account.ledger).endOpening(account.id);
  return isListed;
}

/** With any other of its owner: where there are more, each was marked when it came. */
async function markBoth(
  place: AccountPlace,
  ownerId: string,
  { directory, accountsIn }: Pick<OpenAccountDeps, "directory" | "accountsIn">,
): Promise<void> {
  const other = await directory.otherOf(ownerId, place.accountId);
  if (!other) return;
  for (const { accountId, ledger } of [other, place]) await accountsIn(ledger).markMultipleIssuers(accountId);
}

export async function addOwner(accountId: string, ownerId: string, deps: OpenAccountDeps): Promise<void> {
  await deps.directory.addOwner(accountId, ownerId);
  await markIfSeveral(ownerId, deps);
}

/** Each account of an owner who has several says so in its records from now on (FAQ 4 of the AEAT). */
export async function markIfSeveral(
  ownerId: string,
  deps: Pick<OpenAccountDeps, "directory" | "accountsIn">,
): Promise<void> {
  const accounts = await deps.directory.accountsOf(ownerId);
  if (accounts.length < 2) return;
  for (const account of accounts)
    await deps.accountsIn(account.ledger).markMultipleIssuers(account.accountId);
}
