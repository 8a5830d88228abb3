/** Accounts and connections of the tests, opened by the product's own use cases. */
import { env } from "cloudflare:workers";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { newId } from "../../src/domain/connection/ids.ts";
import { type PreparedInvoice, prepareInvoice } from "../../src/domain/invoice/prepare.ts";
import type { InvoiceRequest } from "../../src/domain/invoice/request.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { accountStore } from "../../src/storage/account-store.ts";
import { directoryStore } from "../../src/storage/directory-store.ts";
import { type OpenAccountRequest, openAccount } from "../../src/usecases/open-account.ts";
import { type OpenConnectionRequest, openConnection } from "../../src/usecases/open-connection.ts";

export interface Shop {
  readonly accountId: string;
  readonly connectionId: string;
  readonly key: string;
}

const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
const now = () => Date.now();

/** Valid NIFs, one per account: DNI letters computed, so that no two tests need the same. */
export function aNif(ordinal: number): string {
  const digits = String(10_000_000 + ordinal);
  return digits + "TRWAGMYFPDXBNJZSQVHLCKE".charAt(Number(digits) % 23);
}

export interface ShopOptions {
  readonly ledger?: "000" | "001";
  readonly account?: Partial<OpenAccountRequest>;
  readonly connection?: Partial<OpenConnectionRequest>;
  readonly consented?: boolean;
  /** Opens the connection in an account that exists. */
  readonly accountId?: string;
}

export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const ledger = options.ledger ?? "000";
  const binding = ledger === "000" ? env.LEDGER_000 : env.LEDGER_001;
  const accountId = options.accountId ?? (await openTestAccount(ledger, options.account));
  const [apiKeySecret = ""] = env.API_KEY_SECRETS.split(",");
  const { connectionId, key } = await openConnection(
    { ledger, accountId, kind: "api", name: "API", rateLimit: 0, environment: "test", ...options.connection },
    { connections: accountStore(binding), apiKeySecret, now, random },
  );
  if (options.consented ?? true) {
    const stub = env.CONNECTION_LEDGER.getByName(connectionId);
    await stub.giveConsent(connectionId, {
      id: newId("co", ledger, random),
      grantedBy: "owner",
      textVersion: "1",
      cutoffDate: civilDate("2026-01-01"),
    });
  }
  return { accountId, connectionId, key };
}

export async function openTestAccount(
  ledger = "000",
  change: Partial<OpenAccountRequest> = {},
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
  return opened.value;
}

export function callerOf(shop: Shop, requestId = "test-request") {
  return { connectionId: shop.connectionId, keyHash: hashOfKey(shop.key), requestId };
}

export function ledgerStub(shop: Shop) {
  return env.CONNECTION_LEDGER.getByName(shop.connectionId);
}

/** An F1 of 1 x 100.00 at 21 % to a Spanish company, changed as asked. */
export function aRequest(externalId: string, change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  return {
    externalId,
    invoiceType: "F1",
    regime: "art6_full",
    flags: [],
    description: "Servicios de consultoría",
    currency: "EUR",
    pricesIncludeTax: false,
    recipient: {
      company: "Cliente Ejemplo SL",
      vatNumber: "B12345674",
      country: "ES",
      address1: "Gran Vía 1",
      postcode: "28013",
      city: "Madrid",
    },
    lines: [aLine("1", "100", "21")],
    rectifies: [],
    ...change,
  };
}

export function aLine(quantity: string, priceUnit: string, taxRate: string): InvoiceRequest["lines"][number] {
  return {
    description: "Artículo",
    quantity: decimal(quantity),
    priceUnit: decimal(priceUnit),
    taxRate: decimal(taxRate),
    qualification: "S1",
  };
}

export function anInvoice(externalId: string, change: Partial<InvoiceRequest> = {}): PreparedInvoice {
  return prepareInvoice(aRequest(externalId, change));
}
