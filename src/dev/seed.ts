/** The company and the connections that `npm start` begins with, opened by the product's own verbs. */
import { randomBytes } from "node:crypto";
import { newId, type RandomBytes } from "../domain/connection/ids.ts";
import { localTime } from "../domain/shared/instant.ts";
import type { Env } from "../env.ts";
import { Ledger } from "../ledger/ledger.ts";
import { accountStore } from "../storage/account-store.ts";
import { directoryStore } from "../storage/directory-store.ts";
import { openAccount } from "../usecases/open-account.ts";
import { openConnection } from "../usecases/open-connection.ts";
import { ledgerDeps } from "../wiring.ts";

/** The databases that the demo data is written to. */
export type SeedEnv = Pick<
  Env,
  "LEDGER_000" | "LEDGER_001" | "DIRECTORY" | "SOFTWARE" | "DEFAULT_RATE_LIMIT"
>;

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
  readonly connections: { readonly api: SeededConnection; readonly api_unconsented: SeededConnection };
}

const LEDGER = "000";
const OWNER = "demo-owner";

/** Called once, on migrated and empty databases. */
export async function seedDemo(env: SeedEnv, options: SeedOptions): Promise<SeededDemo> {
  const now = () => options.now;
  const random: RandomBytes = (sizeBytes) => randomBytes(sizeBytes);
  const [apiKeySecret = ""] = options.apiKeySecrets.split(",");
  const store = accountStore(env.LEDGER_000);
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
    { directory: directoryStore(env.DIRECTORY), accountsIn: () => store, now, random },
  );
  if (!account.ok) throw new Error(`the demo account was refused: ${account.error.code}`);

  const accountId = account.value;
  async function connect(name: string): Promise<SeededConnection> {
    const { connectionId, key } = await openConnection(
      { ledger: LEDGER, accountId, kind: "api", name, rateLimit: null, environment: "test" },
      { connections: store, apiKeySecret, now, random },
    );
    return { id: connectionId, key };
  }

  const api = await connect("ERP");
  const ledger = new Ledger(ledgerDeps(env, env.LEDGER_000, { connectionId: api.id, ledger: LEDGER }));
  const consent = await ledger.owner.giveConsent({
    id: newId("co", LEDGER, random),
    grantedBy: OWNER,
    textVersion: "1",
    cutoffDate: localTime(options.now, "Europe/Madrid").date,
  });
  if (consent.outcome !== "done") throw new Error("the demo consent was not stored");
  return { connections: { api, api_unconsented: await connect("ERP sin consentimiento") } };
}
