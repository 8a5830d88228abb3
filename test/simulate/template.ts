/** A ledger with one company and its connections, made once for each process; every history begins with it. */
import { accountStore, directoryStore } from "../../src/db/accounts/account-store.ts";
import { openAccount, openByHand, openConnection } from "../../src/db/accounts/opening.ts";
import { draftStore } from "../../src/db/drafts/draft-store.ts";
import { ledgerStore } from "../../src/db/ledger-store.ts";
import { rejectedStore } from "../../src/db/submission/submission-status.ts";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { newId } from "../../src/domain/connection/ids.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { softwareFrom } from "../../src/domain/verifactu/software.ts";
import { markInMemory } from "../../src/ledger/core/high-water.ts";
import { openLedger } from "../../src/ledger/core/ledger.ts";
import type { RequestOf } from "../../src/ledger/verbs/table.ts";
import { aNif } from "../support/builders/requests.ts";
import { unsignedFacturae } from "../support/einvoice/unsigned.ts";
import { NO_MAILS } from "../support/worlds/mail-deps.ts";
import { templateOf } from "../support/worlds/node-ledger.ts";
import { shopsOn } from "../support/worlds/shop-deps.ts";
import { type RewindableDatabase, rewindableDatabase } from "../support/worlds/sqlite-d1.ts";
import { verifyAccount } from "../support/worlds/verified.ts";
import { chanceOf } from "./chance.ts";

export const LEDGER = "000";
export const OWNER = "us000marta";
const OPENED_AT = Date.parse("2026-10-01T08:00:00Z");

export const SOFTWARE = softwareFrom(
  JSON.stringify({
    ...{ producerName: "Cuadre Software SL", producerNif: "B70000005", name: "Cuadre", code: "CU" },
    ...{ producerAddress: "Calle de la Huella 1, 28001 Madrid", version: "1.0.0" },
    ...{ declarationDate: "2026-09-28", declarationPlace: "Madrid" },
  }),
);

export interface SimulatedShop {
  readonly connectionId: string;
  readonly keyHash: string;
  readonly kind: "api" | "commerce" | "console";
}

export interface Template {
  readonly database: RewindableDatabase;
  readonly accountId: string;
  /** Direct invoices; orders; orders before the consent of their owner. */
  readonly shops: {
    readonly direct: SimulatedShop;
    readonly orders: SimulatedShop;
    readonly new: SimulatedShop;
    /** For shops with documents of their own, which a history connects. */
    readonly posting: SimulatedShop;
    readonly fetching: SimulatedShop;
    /** For invoices that people write; no program has a key of it. */
    readonly byHand: SimulatedShop;
  };
}

let made: Promise<Template> | undefined;
let changes: readonly string[] = [];

/** Changes of the schema by a mutation check, before the first history. */
export function prepareTemplate(sql: readonly string[]): void {
  changes = sql;
}

/** One for the process. A history rewinds it before it begins. */
export function template(): Promise<Template> {
  made ??= makeTemplate();
  return made;
}

async function makeTemplate(): Promise<Template> {
  const ledgers = rewindableDatabase(templateOf("migrations/ledger"));
  const directories = rewindableDatabase(templateOf("migrations/directory"));
  const [ledger, directory] = [ledgers, directories].map((one) => one.d1(async (run) => run()));
  if (!ledger || !directory) throw new Error("there are two databases");
  const chance = chanceOf(0, 0);
  const clock = { now: () => OPENED_AT, random: chance.bytes };
  const accountId = await openTheAccount(ledger, directory, clock);
  const connections: SimulatedShop[] = [];
  for (const kind of ["api", "commerce", "commerce", "commerce", "commerce"] as const) {
    const connection = { ledger: LEDGER, accountId, kind, name: kind, rateLimit: 0 };
    const opened = await openConnection(
      { ...connection, environment: "test" },
      { connections: accountStore(ledger), apiKeySecret: "secret-of-the-simulation", ...clock },
    );
    if (!opened.ok) throw new Error(opened.error.code);
    const { connectionId, key } = opened.value;
    connections.push({ connectionId, keyHash: hashOfKey(key), kind });
  }
  const [direct, orders, fresh, posting, fetching] = connections;
  if (!direct || !orders || !fresh || !posting || !fetching) throw new Error("there are five connections");
  for (const shop of [direct, orders, posting, fetching]) await beginToIssue(ledger, shop, clock);
  const byHand = await openConsole(ledger, accountId, clock);
  ledgers.sqlite.exec("COMMIT");
  for (const sql of changes) ledgers.sqlite.exec(sql);
  const database = rewindableDatabase(ledgers.sqlite.serialize());
  for (const { sqlite } of [ledgers, directories]) sqlite.close();
  return { database, accountId, shops: { direct, orders, new: fresh, posting, fetching, byHand } };
}

interface Clock {
  readonly now: () => number;
  readonly random: (sizeBytes: number) => Uint8Array<ArrayBuffer>;
}

async function openTheAccount(ledger: D1Database, directory: D1Database, clock: Clock): Promise<string> {
  const opened = await openAccount(
    {
      ...{ ledger: LEDGER, ownerId: OWNER, legalName: "Comercial del Norte SL", nif: aNif(1) },
      ...{ address1: "Calle Mayor 1", postcode: "28013", city: "Madrid" },
      ...{ timeZone: "Europe/Madrid", territory: "peninsula", defaultRegime: "01" },
    },
    { directory: directoryStore(directory), accountsIn: () => accountStore(ledger), ...clock },
  );
  if (!opened.ok) throw new Error(opened.error.code);
  await verifyAccount(opened.value, { directory, databaseOf: () => ledger, ...clock });
  return opened.value;
}

/** As the first draft opens it, with its owner's consent to the text for it. */
async function openConsole(ledger: D1Database, accountId: string, clock: Clock): Promise<SimulatedShop> {
  const request = { ledger: LEDGER, accountId, name: "Facturas a mano", environment: "test" } as const;
  await openByHand({ ...request, openedBy: OWNER }, { connections: accountStore(ledger), ...clock });
  const opened = await draftStore(ledger).findConnection(accountId, "test");
  if (!opened) throw new Error("no connection for invoices by hand");
  const shop = { connectionId: opened.connectionId, keyHash: "", kind: "console" } as const;
  await beginToIssue(ledger, shop, clock);
  return shop;
}

/** With its owner's consent, and with access for its customers. */
async function beginToIssue(
  binding: D1Database,
  { connectionId, kind }: SimulatedShop,
  clock: Clock,
): Promise<void> {
  const ledger = openLedger({
    ...{ connectionId, ledger: LEDGER, software: SOFTWARE, ...clock },
    store: ledgerStore(binding, connectionId),
    declined: rejectedStore(binding, connectionId),
    facturae: unsignedFacturae(SOFTWARE, clock.now),
    shops: shopsOn(binding, connectionId, { random: clock.random }),
    invoiceMailer: NO_MAILS,
    withDeadline: (call) => call,
    wakeAt: async () => {},
    mark: markInMemory(),
    defaultRateLimit: 0,
    jitter: async () => {},
    after: () => () => {},
    alertOperator: () => {},
    log: () => {},
    chance: () => 0,
    callbackPolicy: undefined,
    send: async () => ({ outcome: { outcome: "delivered", status: 200 } }),
    submission: undefined,
  });
  const given = [
    await ledger.act(connectionId, OWNER, {
      ...aConsent(newId("co", LEDGER, clock.random)),
      textVersion: kind === "console" ? "2" : "1",
    }),
    await ledger.act(connectionId, OWNER, { verb: "switch_customer_access", enabled: true }),
  ];
  if (given.some(({ outcome }) => outcome !== "done")) throw new Error(JSON.stringify(given));
}

export function aConsent(id: string): RequestOf<"give_consent"> {
  return {
    verb: "give_consent",
    id,
    textVersion: "1",
    cutoffDate: civilDate("2026-01-01"),
    declaration: { commonRulesApply: false, keepsBooksInSii: false },
  };
}
