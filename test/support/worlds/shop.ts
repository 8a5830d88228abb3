import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { accountStore, directoryStore } from "../../../src/db/accounts/account-store.ts";
import {
  type OpenAccountRequest,
  type OpenConnectionRequest,
  openAccount,
  openConnection,
} from "../../../src/db/accounts/opening.ts";
import { hashOfKey } from "../../../src/domain/connection/api-key.ts";
import { newId } from "../../../src/domain/connection/ids.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import type { LedgerCalls, ServiceCalls, VerbOutcome } from "../../../src/ledger/rpc.ts";
import type { OwnerRequest, RequestOf } from "../../../src/ledger/verbs/table.ts";
import { aNif } from "../builders/requests.ts";
import { verifyAccount } from "./verified.ts";

export { aLine, aNif, anInvoice, aRequest } from "../builders/requests.ts";
/** Accounts and connections of the tests, opened by the product's own use cases. */

export interface Shop {
  readonly accountId: string;
  readonly connectionId: string;
  readonly key: string;
}

const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
const now = () => Date.now();

export interface ShopOptions {
  readonly ledger?: "000" | "001";
  readonly account?: Partial<OpenAccountRequest>;
  readonly connection?: Partial<OpenConnectionRequest>;
  readonly consented?: boolean;
  /** Opens the connection in an account that exists. */
  readonly accountId?: string;
  /** Whether its NIF is proven; by default it is. */
  readonly verified?: boolean;
}

export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const ledger = options.ledger ?? "000";
  const binding = ledger === "000" ? env.LEDGER_000 : env.LEDGER_001;
  const accountId = options.accountId ?? (await openTestAccount(ledger, options.account, options));
  const [apiKeySecret = ""] = env.API_KEY_SECRETS.split(",");
  const opened = await openConnection(
    { ledger, accountId, kind: "api", name: "API", rateLimit: 0, environment: "test", ...options.connection },
    { connections: accountStore(binding), apiKeySecret, now, random },
  );
  if (!opened.ok) throw new Error(opened.error.code);
  const { connectionId, key } = opened.value;
  if (options.consented ?? true) {
    const stub = ledgerStub({ connectionId });
    const given = await stub.act(connectionId, "owner", aConsent(newId("co", ledger, random)));
    if (given.outcome !== "done") throw new Error(`no consent: ${given.outcome}`);
  }
  return { accountId, connectionId, key };
}

export function aConsent(id: string, cutoffDate = "2026-01-01"): RequestOf<"give_consent"> {
  return {
    verb: "give_consent",
    id,
    textVersion: "1",
    cutoffDate: civilDate(cutoffDate),
    declaration: { commonRulesApply: false, keepsBooksInSii: false },
  };
}

export async function openTestAccount(
  ledger = "000",
  change: Partial<OpenAccountRequest> = {},
  { verified = true }: Pick<ShopOptions, "verified"> = {},
): Promise<string> {
  const opened = await openAccount(
    {
      ledger,
      ownerId: crypto.randomUUID(),
      legalName: "Comercial del Norte SL",
      nif: aNif(Math.floor(Math.random() * 89_000_000)),
      address1: "Calle Mayor 1",
      postcode: "28013",
      city: "Madrid",
      timeZone: "Europe/Madrid",
      territory: "peninsula",
      defaultRegime: "01",
      ...change,
    },
    {
      directory: directoryStore(env.DIRECTORY),
      accountsIn: (number) => accountStore(number === "000" ? env.LEDGER_000 : env.LEDGER_001),
      now,
      random,
    },
  );
  if (!opened.ok) throw new Error(opened.error.code);
  if (verified) await verify(opened.value);
  return opened.value;
}

const databaseOf = (ledger: string) => (ledger === "000" ? env.LEDGER_000 : env.LEDGER_001);

/** An operator has verified the NIF. */
export function verify(accountId: string): Promise<void> {
  return verifyAccount(accountId, { directory: env.DIRECTORY, databaseOf, now, random });
}

export function callerOf(shop: Shop, requestId = "test-request") {
  return { connectionId: shop.connectionId, keyHash: hashOfKey(shop.key), requestId };
}

/** The object's stub. The runtime's types of a stub describe pipelining, which no test uses. */
type LedgerStub = DurableObjectStub & LedgerCalls & ServiceCalls;

export function ledgerStub({ connectionId }: Pick<Shop, "connectionId">): LedgerStub {
  return env.CONNECTION_LEDGER.getByName(connectionId) as unknown as LedgerStub;
}

/** The owner's verbs, at the object. */
export function act(shop: Shop, request: OwnerRequest, userId = "owner"): Promise<VerbOutcome> {
  return ledgerStub(shop).act(shop.connectionId, userId, request);
}

/** Alarms of objects ring when a test says so, never by the clock. */

/** Runs the alarm of the shop's object; false when none was set. */
export function ring(shop: Shop): Promise<boolean> {
  return runDurableObjectAlarm(ledgerStub(shop));
}

/** A running alarm waits in the queue: it knows its own object, because storage answers in turn. */
export async function alarmHasAsked(shop: Shop): Promise<void> {
  await runInDurableObject(ledgerStub(shop), (_, { storage }) => storage.list());
}
