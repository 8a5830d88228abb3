/** One company of the demo's owner, and the ledgers of its connections over the database file. */

import { accountStore, directoryStore } from "../../../src/db/accounts/account-store.ts";
import { type OpenAccountRequest, openAccount, openConnection } from "../../../src/db/accounts/opening.ts";
import { submissionStore } from "../../../src/db/submission/submission-store.ts";
import { hashOfKey } from "../../../src/domain/connection/api-key.ts";
import { newId } from "../../../src/domain/connection/ids.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { PACE } from "../../../src/domain/verifactu/submission/chain.ts";
import { markInMemory } from "../../../src/ledger/core/high-water.ts";
import { type Ledger, openLedger } from "../../../src/ledger/core/ledger.ts";
import { QUEUE_BOUNDS } from "../../../src/ledger/core/queue.ts";
import type { Caller } from "../../../src/ledger/rpc.ts";
import type { OwnerRequest } from "../../../src/ledger/verbs/table.ts";
import { ledgerDeps } from "../../../src/wiring.ts";
import type { SubmissionDeployment } from "../../../src/wiring-submission.ts";
import { verifyAccount } from "../../support/worlds/verified.ts";
import { authorityOf, type CountedAuthority } from "./authority.ts";
import type { Chance } from "./chance.ts";

export const LEDGER = "000";
/** The owner of the demo, who signs in to the console. */
export const OWNER = "demo-owner";

export interface Clock {
  now: number;
}

export interface OpenedConnection {
  readonly id: string;
  readonly key: string;
}

interface OpeningDeps {
  readonly d1: D1Database;
  readonly directory: D1Database;
  readonly apiKeySecret: string;
  readonly clock: Clock;
  readonly chance: Chance;
}

const ISSUER: Omit<OpenAccountRequest, "ledger" | "ownerId"> = {
  legalName: "Suministros Levante SL",
  nif: "B96123450",
  address1: "Avenida del Puerto 21",
  postcode: "46021",
  city: "València",
  timeZone: "Europe/Madrid",
  territory: "peninsula",
  defaultRegime: "01",
};

export async function openCompany(
  { d1, directory, clock, chance }: OpeningDeps,
  change: Partial<typeof ISSUER & Pick<OpenAccountRequest, "ownerId">> = {},
): Promise<string> {
  const opened = await openAccount(
    { ledger: LEDGER, ownerId: OWNER, ...ISSUER, ...change },
    {
      directory: directoryStore(directory),
      accountsIn: () => accountStore(d1),
      now: () => clock.now,
      random: chance.bytes,
    },
  );
  if (!opened.ok) throw new Error(opened.error.code);
  const verifying = { directory, databaseOf: () => d1, now: () => clock.now, random: chance.bytes };
  await verifyAccount(opened.value, verifying);
  return opened.value;
}

export async function openOne(accountId: string, name: string, deps: OpeningDeps): Promise<OpenedConnection> {
  const opened = await openConnection(
    { ledger: LEDGER, accountId, kind: "api", name, rateLimit: 0, environment: "test" },
    {
      connections: accountStore(deps.d1),
      apiKeySecret: deps.apiKeySecret,
      now: () => deps.clock.now,
      random: deps.chance.bytes,
    },
  );
  if (!opened.ok) throw new Error(opened.error.code);
  const { connectionId: id, key } = opened.value;
  return { id, key };
}

export interface Books {
  readonly ledger: Ledger;
  readonly caller: Caller;
  readonly authority: CountedAuthority;
  act(request: OwnerRequest): Promise<void>;
}

/** The ledger as its object has it, but for the clock, chance, and the two that it talks to. */
export function booksOf(
  { id, key }: OpenedConnection,
  { d1, clock, chance }: OpeningDeps,
  deployment: SubmissionDeployment,
): Books {
  const authority = authorityOf(chance);
  const nobodyWaits = { after: () => () => {}, jitter: async () => {}, wakeAt: async () => {} };
  const ledger = openLedger({
    ...ledgerDeps(deployment, d1, {
      ...{ connectionId: id, ledger: LEDGER, wakeAt: nobodyWaits.wakeAt },
      mark: markInMemory(),
    }),
    ...nobodyWaits,
    bounds: { ...QUEUE_BOUNDS, waiting: 4_096, waitingBytes: 64_000_000, group: 512, groupBytes: 32_000_000 },
    withDeadline: (call) => call,
    now: () => clock.now,
    random: chance.bytes,
    chance: chance.next,
    alertOperator: (what, facts) => {
      throw new Error(`${what} ${JSON.stringify(facts)}`);
    },
    log: () => {},
    send: async () => ({ outcome: { outcome: "delivered", status: 200 } }),
    submission: {
      authority,
      pace: PACE,
      store: submissionStore(d1, id),
      evidence: { keep: async () => {} },
      newOwner: () => newId("at", LEDGER, chance.bytes),
    },
  });
  return {
    ledger,
    authority,
    caller: { connectionId: id, keyHash: hashOfKey(key), requestId: "scale" },
    async act(request) {
      const { outcome } = await ledger.act(id, OWNER, request);
      if (outcome !== "done") throw new Error(`${request.verb}: ${outcome}`);
    },
  };
}

export function consentSince(day: string, chance: Chance): OwnerRequest {
  return {
    verb: "give_consent",
    id: newId("co", LEDGER, chance.bytes),
    textVersion: "1",
    cutoffDate: civilDate(day),
    declaration: { commonRulesApply: false, keepsBooksInSii: false },
  };
}
