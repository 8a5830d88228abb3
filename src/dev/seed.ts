/** The company and the connections that `npm start` begins with, opened by the product's own verbs. */
import { randomBytes } from "node:crypto";
import { hashOfKey } from "../domain/connection/api-key.ts";
import { newId, type RandomBytes } from "../domain/connection/ids.ts";
import { type CivilDate, civilDate } from "../domain/shared/civil-date.ts";
import { localTime } from "../domain/shared/instant.ts";
import type { Env } from "../env.ts";
import { Ledger } from "../ledger/ledger.ts";
import { accountStore } from "../storage/account-store.ts";
import { directoryStore } from "../storage/directory-store.ts";
import { openAccount } from "../usecases/open-account.ts";
import { type OpenConnectionRequest, openConnection } from "../usecases/open-connection.ts";
import { type LedgerEnv, ledgerDeps } from "../wiring.ts";

/** The databases that the demo data is written to. */
export type SeedEnv = LedgerEnv & Pick<Env, "LEDGER_000" | "LEDGER_001" | "DIRECTORY" | "AEAT_ENVIRONMENT">;

export interface SeedOptions {
  /** The Worker's secrets: the first signs the keys. */
  readonly apiKeySecrets: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface SeededConnection {
  readonly id: string;
  readonly key: string;
}

/** Keys are shown once and stored only as hashes: the caller keeps what this returns. */
export interface SeededDemo {
  readonly connections: {
    readonly api: SeededConnection;
    readonly api_unconsented: SeededConnection;
    /** Its store has this origin. */
    readonly commerce: SeededConnection & { readonly origin: string };
    readonly commerce_new: SeededConnection;
    readonly accounting: SeededConnection;
  };
}

const LEDGER = "000";
const OWNER = "demo-owner";
const SHOP_ORIGIN = "https://tienda.example";

/** Called once, on migrated and empty databases. */
export async function seedDemo(env: SeedEnv, options: SeedOptions): Promise<SeededDemo> {
  const { openConnection, consent, setUpShop } = await demoCompany(env, options);
  const api = await openConnection({ kind: "api", name: "ERP" });
  await consent(api, localTime(options.now, "Europe/Madrid").date);
  const commerce = await openConnection({ kind: "commerce", name: "Tienda online", guided: true });
  await setUpShop(commerce);
  await consent(commerce, civilDate("2026-01-01"));
  return {
    connections: {
      api,
      api_unconsented: await openConnection({ kind: "api", name: "ERP sin consentimiento" }),
      commerce: { ...commerce, origin: SHOP_ORIGIN },
      commerce_new: await openConnection({ kind: "commerce", name: "Tienda nueva", guided: true }),
      accounting: await openConnection({ kind: "accounting", name: "Contabilidad" }),
    },
  };
}

type ConnectionOptions = Pick<OpenConnectionRequest, "kind" | "name" | "guided">;

/** An account, and the verbs of its owner. */
async function demoCompany(env: SeedEnv, options: SeedOptions) {
  const now = () => options.now;
  const [apiKeySecret = ""] = options.apiKeySecrets.split(",");
  const connections = accountStore(env.LEDGER_000);
  const accountId = await openDemoAccount(env, now);
  const environment = env.AEAT_ENVIRONMENT === "production" ? "production" : "test";
  const ledgerOf = ({ id: connectionId }: SeededConnection) =>
    new Ledger(ledgerDeps(env, env.LEDGER_000, { connectionId, ledger: LEDGER, wakeAt: NOBODY_SLEEPS }));
  return {
    async openConnection(connection: ConnectionOptions): Promise<SeededConnection> {
      const { connectionId: id, key } = await openConnection(
        { ledger: LEDGER, accountId, rateLimit: null, environment, ...connection },
        { connections, apiKeySecret, now, random },
      );
      return { id, key };
    },
    async consent(connection: SeededConnection, cutoffDate: CivilDate): Promise<void> {
      const consent = {
        verb: "give_consent",
        id: newId("co", LEDGER, random),
        textVersion: "1",
        cutoffDate,
        declaration: { commonRulesApply: false, keepsBooksInSii: false },
      } as const;
      demand("done", await ledgerOf(connection).owner.act(OWNER, consent));
    },
    async setUpShop(connection: SeededConnection): Promise<void> {
      const ledger = ledgerOf(connection);
      const caller = { connectionId: connection.id, keyHash: hashOfKey(connection.key), requestId: "seed" };
      const store = { id: "1", name: "Tostadero La Plaza", url: SHOP_ORIGIN, ordersCount: 412 };
      const inventory = { stores: [store], ordersTotal: 412 };
      demand("recorded", await ledger.reportShop(caller, { resource: "inventory", inventory }));
      demand("done", await ledger.owner.act(OWNER, { verb: "complete_setup", storeIds: "all" }));
    },
  };
}

/** No object runs yet: the sweep finds what is due when the server has started. */
const NOBODY_SLEEPS = async () => {};

const random: RandomBytes = (sizeBytes) => randomBytes(sizeBytes);

async function openDemoAccount(env: SeedEnv, now: () => number): Promise<string> {
  const account = await openAccount(
    {
      ledger: LEDGER,
      ownerId: OWNER,
      legalName: "Tostadero La Plaza SL",
      nif: "B87654323",
      address1: "Plaza Mayor 4",
      postcode: "37002",
      city: "Salamanca",
      timeZone: "Europe/Madrid",
      territory: "peninsula",
      defaultRegime: "01",
    },
    {
      directory: directoryStore(env.DIRECTORY),
      accountsIn: () => accountStore(env.LEDGER_000),
      now,
      random,
    },
  );
  if (!account.ok) throw new Error(`the demo account was refused: ${account.error.code}`);
  return account.value;
}

function demand(expected: string, { outcome }: { readonly outcome: string }): void {
  if (outcome !== expected) throw new Error(`the demo data was not stored: ${outcome}`);
}
