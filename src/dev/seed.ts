/** The companies and connections that `npm start` creates, opened by the product's own verbs. */
import { randomBytes } from "node:crypto";
import { hashPassword } from "../console/sign-in/passwords.ts";
import { accountReads, accountStore, directoryStore } from "../db/accounts/account-store.ts";
import {
  type OpenAccountRequest,
  type OpenConnectionRequest,
  openAccount,
  openConnection,
} from "../db/accounts/opening.ts";
import { companyRegister } from "../db/companies/company-register.ts";
import { syncAfterChange } from "../db/companies/sync-company.ts";
import { verifyByOperator } from "../db/companies/verify-by-operator.ts";
import { databaseOn } from "../db/database.ts";
import { credential, user } from "../db/schema/directory.ts";
import { hashOfKey } from "../domain/connection/api-key.ts";
import { newId, type RandomBytes } from "../domain/connection/ids.ts";
import { type CivilDate, civilDate } from "../domain/shared/civil-date.ts";
import { decimal } from "../domain/shared/decimal.ts";
import { localTime } from "../domain/shared/instant.ts";
import { type ApiDeployment, type ApiEnv, apiDeployment } from "../env.ts";
import { markInMemory } from "../ledger/core/high-water.ts";
import { openLedger } from "../ledger/core/ledger.ts";
import type { OwnerRequest } from "../ledger/verbs/table.ts";
import { ledgerDeps } from "../wiring.ts";

/** The databases that the demo data is written to. */
export type SeedEnv = ApiEnv;

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
  /** Signs in to the console and owns both companies. */
  readonly owner: { readonly email: string; readonly password: string };
  readonly connections: {
    readonly api: SeededConnection;
    readonly api_unconsented: SeededConnection;
    /** Its store has this origin. */
    readonly commerce: SeededConnection & { readonly origin: string };
    readonly commerce_new: SeededConnection;
    readonly accounting: SeededConnection;
    /** In a separate account, with a profile for each of its two stores. */
    readonly profiled: SeededConnection;
  };
}

const OWNER = "demo-owner";
const SHOP_ORIGIN = "https://tienda.example";
export const CUTOFF = civilDate("2026-01-01");

const COFFEE_ROASTER: Company = {
  ledger: "000",
  legalName: "Tostadero La Plaza SL",
  nif: "B87654323",
  address1: "Plaza Mayor 4",
  postcode: "37002",
  city: "Salamanca",
};

/** In the second ledger, so that code which assumes a single ledger fails at once. */
const HARDWARE_STORE: Company = {
  ledger: "001",
  legalName: "Menaje Ribera SL",
  nif: "B76543214",
  address1: "Calle del Río 21",
  postcode: "47001",
  city: "Valladolid",
};

/** Called once, on migrated and empty databases. */
export async function seedDemo(bindings: SeedEnv, options: SeedOptions): Promise<SeededDemo> {
  const env = demoDeployment(bindings);
  const roaster = await demoCompany(COFFEE_ROASTER, env, options);
  const api = await roaster.openConnection({ kind: "api", name: "ERP" });
  await roaster.consent(api, localTime(options.now, "Europe/Madrid").date);
  const commerce = await roaster.openConnection({ kind: "commerce", name: "Tienda online", guided: true });
  await roaster.setUpShop(commerce, ["Tostadero La Plaza"]);
  await roaster.consent(commerce, CUTOFF);
  return {
    owner: await demoOwner(env, options),
    connections: {
      api,
      api_unconsented: await roaster.openConnection({ kind: "api", name: "ERP sin consentimiento" }),
      commerce: { ...commerce, origin: SHOP_ORIGIN },
      commerce_new: await roaster.openConnection({ kind: "commerce", name: "Tienda nueva", guided: true }),
      accounting: await roaster.openConnection({ kind: "accounting", name: "Contabilidad" }),
      profiled: await profiledShop(env, options),
    },
  };
}

export function demoDeployment(bindings: SeedEnv): ApiDeployment {
  const deployment = apiDeployment(bindings);
  if (deployment.ok) return deployment.value;
  throw new Error(`${deployment.error.variable} of wrangler.toml is missing or wrong`);
}

async function profiledShop(env: ApiDeployment, options: SeedOptions): Promise<SeededConnection> {
  const company = await demoCompany(HARDWARE_STORE, env, options);
  const profiled = await company.openConnection({ kind: "commerce", name: "Tiendas Ribera", guided: true });
  await company.setUpShop(profiled, ["Ribera Centro", "Ribera Outlet"]);
  await company.consent(profiled, CUTOFF);
  await company.act(profiled, {
    verb: "add_profile",
    profile: { name: "Centro", storeId: "1", stem: "A" },
    sales: {
      treatments: {
        cod_fee: { as: "fee", rate: decimal("21") },
        giftcard: { as: "payment" },
        deposit_guarantee: { as: "ignore_non_taxable" },
      },
    },
  });
  await company.act(profiled, {
    verb: "add_profile",
    profile: { name: "Outlet", storeId: "2", stem: "B" },
  });
  return profiled;
}

type Company = Omit<OpenAccountRequest, "ownerId" | "timeZone" | "territory" | "defaultRegime">;
type ConnectionOptions = Pick<OpenConnectionRequest, "kind" | "name" | "guided">;

/** Opens an account with the verbs of its owner. */
async function demoCompany(company: Company, env: ApiDeployment, options: SeedOptions) {
  const { ledger } = company;
  return demoOwnerOf(
    { ledger, accountId: await openDemoAccount(company, env, () => options.now) },
    env,
    options,
  );
}

interface DemoAccount {
  readonly ledger: Company["ledger"];
  readonly accountId: string;
}

/** The verbs of the owner of a demo company. */
export function demoOwnerOf({ ledger, accountId }: DemoAccount, env: ApiDeployment, options: SeedOptions) {
  const now = () => options.now;
  const database = ledger === "000" ? env.LEDGER_000 : env.LEDGER_001;
  const [apiKeySecret = ""] = options.apiKeySecrets.split(",");
  const connections = accountStore(database);
  const environment = env.config.AEAT_ENVIRONMENT;
  const ledgerOf = ({ id: connectionId }: Pick<SeededConnection, "id">) =>
    openLedger(
      ledgerDeps(env, database, { connectionId, ledger, wakeAt: NOBODY_SLEEPS, mark: markInMemory() }),
    );
  /** Answers the secret that the verb shows once. */
  async function act(
    { id }: Pick<SeededConnection, "id">,
    request: OwnerRequest,
  ): Promise<string | undefined> {
    const done = await ledgerOf({ id }).act(id, OWNER, request);
    demand("done", done);
    return done.outcome === "done" ? done.shown?.secret : undefined;
  }
  return {
    act,
    async openConnection(connection: ConnectionOptions): Promise<SeededConnection> {
      const opened = await openConnection(
        { ledger, accountId, rateLimit: null, environment, ...connection },
        { connections, apiKeySecret, now, random },
      );
      if (!opened.ok) throw new Error("the demo has more connections than a company may have");
      const { connectionId: id, key } = opened.value;
      return { id, key };
    },
    async consent(connection: SeededConnection, cutoffDate: CivilDate): Promise<void> {
      await act(connection, {
        verb: "give_consent",
        id: newId("co", ledger, random),
        textVersion: "1",
        cutoffDate,
        declaration: { commonRulesApply: false, keepsBooksInSii: false },
      });
    },
    async setUpShop(connection: SeededConnection, names: readonly string[]): Promise<void> {
      const caller = { connectionId: connection.id, keyHash: hashOfKey(connection.key), requestId: "seed" };
      const stores = names.map((name, index) => ({
        id: String(index + 1),
        name,
        url: SHOP_ORIGIN,
        ordersCount: 412 - 171 * index,
      }));
      const inventory = {
        stores,
        ordersTotal: stores.reduce((sum, { ordersCount }) => sum + ordersCount, 0),
      };
      const shown = await ledgerOf(connection).reportShop(caller, { resource: "inventory", inventory });
      demand("recorded", shown);
      await act(connection, { verb: "complete_setup", storeIds: "all" });
    },
  };
}

/** No object runs yet: once the server runs, the sweep finds the due work. */
const NOBODY_SLEEPS = async () => {};

/** A person with a password, as the sign-in library would have stored it. */
async function demoOwner({ DIRECTORY }: ApiDeployment, { now }: SeedOptions): Promise<SeededDemo["owner"]> {
  const owner = { email: "demo@cuadre.example", password: randomBytes(9).toString("base64url") };
  const db = databaseOn(DIRECTORY);
  const at = new Date(now);
  const person = { id: OWNER, name: "María Ferrer", email: owner.email, createdAt: at, updatedAt: at };
  const password = await hashPassword(owner.password);
  await db.batch([
    db.insert(user).values({ ...person, emailVerified: true }),
    db.insert(credential).values({
      ...{ id: `${OWNER}-password`, accountId: OWNER, providerId: "credential", userId: OWNER, password },
      ...{ createdAt: at, updatedAt: at },
    }),
  ]);
  return owner;
}

const random: RandomBytes = (sizeBytes) => randomBytes(sizeBytes);

async function openDemoAccount(company: Company, env: ApiDeployment, now: () => number): Promise<string> {
  const account = await openAccount(
    {
      ...company,
      ownerId: OWNER,
      timeZone: "Europe/Madrid",
      territory: "peninsula",
      defaultRegime: "01",
    },
    {
      directory: directoryStore(env.DIRECTORY),
      accountsIn: (ledger) => accountStore(ledger === "000" ? env.LEDGER_000 : env.LEDGER_001),
      now,
      random,
    },
  );
  if (!account.ok) throw new Error(`the demo account was refused: ${account.error.code}`);
  await verifyDemo(account.value, env, now);
  return account.value;
}

/** Marks the demo's companies as verified. */
async function verifyDemo(accountId: string, env: ApiDeployment, now: () => number): Promise<void> {
  const register = companyRegister(env.DIRECTORY);
  const company = await register.companyOf(accountId);
  const word = { operator: "npm start", reason: "demo" };
  if (!company || !(await verifyByOperator(company, word, { register, now, random }))) {
    throw new Error("the demo account was not verified");
  }
  const databaseOf = (ledger: string) => (ledger === "000" ? env.LEDGER_000 : env.LEDGER_001);
  await syncAfterChange(accountId, {
    ...{ register, now },
    accountsIn: (ledger) => accountStore(databaseOf(ledger)),
    noteIn: (ledger, id, line) => accountReads(databaseOn(databaseOf(ledger))).note(id, line),
    handOver: async () => {},
    mail: async () => true,
    report: () => {},
    attempt: (work) => work(),
  });
}

function demand(expected: string, { outcome }: { readonly outcome: string }): void {
  if (outcome !== expected) throw new Error(`the demo data was not stored: ${outcome}`);
}
