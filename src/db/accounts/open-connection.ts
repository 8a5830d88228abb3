import { hashOfKey, newApiKey } from "../../domain/connection/api-key.ts";
import { type LedgerNumber, newId, type RandomBytes } from "../../domain/connection/ids.ts";
import { COMPANY } from "../../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../../domain/quota.ts";
import { type Instant, localTime } from "../../domain/shared/instant.ts";
import { assertNever, err, invariant, ok, type Result } from "../../domain/shared/result.ts";
import type { AuditEntry } from "../ledger-state.ts";

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
  readonly firstKey: Omit<IssuedKey, "key">;
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
  /** For commerce connections only. */
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
  const connectionId = newId("cn", ledger, deps.random);
  const { key, ...firstKey } = issueKey(connectionId, { ledger, ...deps });
  const openedAt = deps.now();
  const { kind, name } = connection;
  const deed = { verb: "open_connection", facts: { connection: connectionId, kind, name } };
  const came = await deps.connections.openConnection({
    ...connection,
    id: connectionId,
    openedAt,
    guided,
    firstKey,
    installation: {
      id: newId("is", ledger, deps.random),
      number: `${connectionId}-${localTime(openedAt, "Europe/Madrid").timestamp}`,
      environment,
    },
    ...(openedBy === undefined
      ? {}
      : { line: { id: newId("al", ledger, deps.random), userId: openedBy, at: openedAt, ...deed } }),
  });
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
