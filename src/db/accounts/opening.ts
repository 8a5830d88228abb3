import { hashOfKey, newApiKey } from "../../domain/connection/api-key.ts";
import type { Company, Verification } from "../../domain/connection/company.ts";
import { type LedgerNumber, newId, type RandomBytes } from "../../domain/connection/ids.ts";
import { BY_HAND } from "../../domain/connection/kind.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import { COMPANY } from "../../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../../domain/quota.ts";
import { type Instant, localTime, type TimeZone } from "../../domain/shared/instant.ts";
import { assertNever, err, invariant, ok, type Result } from "../../domain/shared/result.ts";
import { nifFrom } from "../../domain/shared/tax-identifier.ts";
import type { AuditEntry } from "../ledger-state.ts";

interface NewAccount extends Company {
  readonly id: string;
  readonly timeZone: TimeZone;
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
  /** The account is open, and the person owns it. */
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
  /** The account is in the directory, or never will be. */
  endOpening(accountId: string): Promise<void>;
  /** Takes over the directory's state, unless a later one is known or a proven NIF would be lost. */
  updateVerification(account: VerificationUpdate): Promise<SyncOutcome>;
}

/**
 * `later`: the ledger has a later number, or this one with another state. `loses`: its NIF is proven,
 * and the directory says that it is not. Either means a slower message, or a directory that was put back.
 */
type SyncOutcome =
  | { readonly outcome: "synced" }
  | { readonly outcome: "loses" }
  | { readonly outcome: "later"; readonly heardSeq: number };

interface VerificationUpdate {
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

/** The second half of opening, which the sweep repeats for accounts without it. */
export async function listAccount(
  account: ListedAccount,
  { directory, accountsIn }: Pick<OpenAccountDeps, "directory" | "accountsIn">,
): Promise<Result<string, QuotaRefusal>> {
  const listed = await directory.listAccount(account);
  await accountsIn(account.ledger).endOpening(account.id);
  return listed;
}

export interface NewConnection {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly name: string;
  /** Requests a minute, 0 for no limit; null takes the default. */
  readonly rateLimit: number | null;
  readonly openedAt: Instant;
  /** Its orders wait until the owner has chosen the stores. */
  readonly guided: boolean;
  /** Absent where no program issues through it. */
  readonly firstKey?: Omit<IssuedKey, "key">;
  readonly installation: {
    readonly id: string;
    readonly number: string;
    readonly environment: "test" | "production";
  };
  /** The audit line of the opening. */
  readonly line?: AuditEntry;
}

export interface ConnectionStore {
  /**
   * Gives the next ordinal of the account, never reused, unless the quota of its kind is full. In production
   * a connection of an unverified account is for tests, permanently.
   */
  openConnection(connection: NewConnection): Promise<"opened" | "full" | "full_of_tests">;
}

interface OpenConnectionDeps {
  readonly connections: ConnectionStore;
  readonly apiKeySecret: string;
  readonly now: () => Instant;
  readonly random: RandomBytes;
}

export interface OpenConnectionRequest {
  readonly ledger: string;
  readonly accountId: string;
  readonly kind: string;
  readonly name: string;
  readonly rateLimit: number | null;
  readonly environment: "test" | "production";
  /** Only commerce connections are set up step by step. */
  readonly guided?: boolean;
  /** The user who opens it; undefined if no user does. */
  readonly openedBy?: string;
}

/** A connection with its first key, shown this once, and its first installation. */
export async function openConnection(
  request: OpenConnectionRequest,
  deps: OpenConnectionDeps,
): Promise<Result<{ readonly connectionId: string; readonly key: string }, QuotaRefusal>> {
  const { ledger, environment, guided = false, openedBy, ...connection } = request;
  invariant(!guided || connection.kind === "commerce", "only a commerce connection has a guided setup");
  const opened = newConnection({ ledger, environment, guided, ...connection }, openedBy, deps);
  const { id: connectionId } = opened;
  const { key, ...firstKey } = issueKey(connectionId, { ledger, ...deps });
  const came = await deps.connections.openConnection({ ...opened, firstKey });
  switch (came) {
    case "opened":
      return ok({ connectionId, key });
    case "full":
      return err(quotaExceeded("quota_connections", COMPANY.connections));
    case "full_of_tests":
      return err(quotaExceeded("quota_connections_for_tests", COMPANY.connectionsForTests));
    default:
      return assertNever(came);
  }
}

/**
 * The connection for invoices by hand, without a key. An account has one, and another for tests while its NIF
 * is not proven; where it is open already nothing happens.
 */
export async function openByHand(
  request: Pick<OpenConnectionRequest, "ledger" | "accountId" | "name" | "environment" | "openedBy">,
  deps: Pick<OpenConnectionDeps, "connections" | "now" | "random">,
): Promise<void> {
  const { openedBy, ...rest } = request;
  const opened = { ...rest, kind: BY_HAND, rateLimit: null, guided: false };
  await deps.connections.openConnection(newConnection(opened, openedBy, deps));
}

function newConnection(
  {
    ledger,
    environment,
    guided,
    ...connection
  }: Omit<OpenConnectionRequest, "openedBy"> & { readonly guided: boolean },
  openedBy: string | undefined,
  { now, random }: Pick<OpenConnectionDeps, "now" | "random">,
): NewConnection {
  const id = newId("cn", ledger, random);
  const openedAt = now();
  const { kind, name } = connection;
  const change = { verb: "open_connection", facts: { connection: id, kind, name } };
  return {
    ...connection,
    ...{ id, openedAt, guided },
    installation: {
      id: newId("is", ledger, random),
      number: `${id}-${localTime(openedAt, "Europe/Madrid").timestamp}`,
      environment,
    },
    ...(openedBy === undefined
      ? {}
      : { line: { id: newId("al", ledger, random), userId: openedBy, at: openedAt, ...change } }),
  };
}

/** A key as it is made: the whole of it is shown once, the rest is stored. */
interface IssuedKey {
  readonly id: string;
  readonly key: string;
  readonly hash: string;
  /** The last characters: enough to recognise the key, too few to guess it. */
  readonly tail: string;
}

interface KeyDeps {
  readonly ledger: LedgerNumber;
  readonly apiKeySecret: string;
  readonly random: RandomBytes;
}

const TAIL_LENGTH = 4;

export function issueKey(connectionId: string, { ledger, apiKeySecret, random }: KeyDeps): IssuedKey {
  const key = newApiKey(connectionId, apiKeySecret, random);
  return { id: newId("ky", ledger, random), key, hash: hashOfKey(key), tail: key.slice(-TAIL_LENGTH) };
}
