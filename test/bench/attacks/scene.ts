/** The targets: the demo companies, a person with many unfinished companies, an order of 5,000 lines. */
import { randomBytes } from "node:crypto";
import { accountStore } from "../../../src/db/accounts/account-store.ts";
import { type SeedEnv, type SeededDemo, seedDemo } from "../../../src/dev/seed.ts";
import { newId } from "../../../src/domain/connection/ids.ts";
import { withLocalDatabases } from "../../../src/ops/local-databases.ts";
import { personNif } from "../books/people.ts";
import { migratedState } from "../books/state.ts";
import { freePort, localVars, type RunningWorker, startWorker } from "../local-worker.ts";

/** The attacker's knowledge, as plain data. */
export interface Facts {
  readonly url: string;
  readonly email: string;
  /** The owner who invites, also the owner of the page of stores. */
  readonly cookie: string;
  readonly peoplePath: string;
  readonly shopPath: string;
  readonly cronPath: string;
  readonly shopKey: string;
  /** Alive, on another connection than the invoices. */
  readonly otherKey: string;
  readonly forgedKey: string;
  readonly revokedKey: string;
  /** The viewer URL of the order of 5,000 lines. */
  readonly page: string;
  readonly pdf: string;
}

export interface Scene {
  readonly facts: Facts;
  readonly worker: RunningWorker;
  /** The key of the issuing connection. */
  readonly invoiceKey: string;
}

const COMPANIES = 1_000;
const AT_ONCE = 20;
const LINES = 5_000;

export async function openScene(dir: string): Promise<Scene> {
  const state = await migratedState(dir);
  const demo = await withLocalDatabases<SeedEnv, SeededDemo>(state, async (env) => {
    const seeded = await seedDemo(env, { apiKeySecrets: state.apiKeySecrets, now: Date.now() });
    await openUnfinished(env);
    return seeded;
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const worker = await startWorker({
    ...{
      config: "wrangler.toml",
      entry: "test/bench/attacks/worker.ts",
      withOwner: true,
      port,
      state: state.databases,
    },
    vars: { ...localVars(dir), CONSOLE_URL: url, API_URL: url },
  });
  try {
    return { facts: await factsOf(url, demo), worker, invoiceKey: demo.connections.api.key };
  } catch (error) {
    await worker.stop();
    throw error;
  }
}

/** Companies of one person with an interrupted opening: cron has to finish each. */
async function openUnfinished({ LEDGER_001 }: SeedEnv): Promise<void> {
  const store = accountStore(LEDGER_001);
  const opened = (index: number) =>
    store.openAccount({
      ...{ id: newId("ac", "001", randomBytes), legalName: `Empresa ${index} SL`, nif: personNif(index) },
      ...{ address1: "Calle Mayor 1", postcode: "28013", city: "Madrid", timeZone: "Europe/Madrid" },
      ...{ territory: "peninsula", defaultRegime: "01", openedAt: Date.now(), openedBy: "person-of-many" },
    });
  for (let from = 0; from < COMPANIES; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => opened(from + at)));
  }
}

async function factsOf(url: string, { owner, connections }: SeededDemo): Promise<Facts> {
  const cookie = await signIn(url, owner);
  const ask = <Data>(path: string, method: "GET" | "POST" | "DELETE" = "GET", body?: object) =>
    answerOf<Data>(url, path, { method, headers: { Cookie: cookie, Origin: url } }, body);
  const { accounts } = await ask<{ readonly accounts: readonly { readonly id: string }[] }>("/api/me");
  const { api, api_unconsented: other, commerce, commerce_new: shop } = connections;
  const account = accounts.find(({ id }) => id.slice(2, 5) === api.id.slice(2, 5))?.id;
  const connectionPath = (id: string) => `/api/accounts/${account}/connections/${id}`;
  const keys = `${connectionPath(other.id)}/keys`;
  const made = await ask<{ readonly id: string; readonly key: string }>(keys, "POST");
  await ask(`${keys}/${made.id}`, "DELETE");
  const page = await linkOf(url, commerce.key);
  return {
    ...{ url, email: owner.email, cookie, cronPath: "/bench/cron", otherKey: other.key, shopKey: shop.key },
    ...{ peoplePath: `/api/accounts/${account}/people/invitations`, page, pdf: await pdfOf(url, page) },
    ...{ shopPath: `${connectionPath(shop.id)}/setup`, revokedKey: made.key },
    forgedKey: `${made.key.slice(0, -1)}${made.key.endsWith("0") ? "1" : "0"}`,
  };
}

async function signIn(url: string, owner: SeededDemo["owner"]): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    ...{ method: "POST", headers: { "Content-Type": "application/json", Origin: url } },
    body: JSON.stringify(owner),
  });
  if (!response.ok) throw new Error(`no sign-in: ${response.status} ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
}

/** The path of a link to an order of so many lines. */
export async function linkOf(url: string, key: string, lines = LINES): Promise<string> {
  const line = { name: "Artículo de prueba", quantity: 1, base_amount: 1, tax_rate: 21, tax_amount: 0.21 };
  const call = <Data>(path: string, body: object) =>
    answerOf<Data>(url, path, { method: "POST", headers: { "X-API-KEY": key } }, body);
  await call("/api/v1/order", {
    ...{ id_external: "attacked", order_date: new Date().toISOString(), total: 1.21 * lines },
    ...{ currency: "EUR", fiscal_event: "invoice_candidate" },
    client: {
      ...{ company: "Hostelería del Tormes SL", vat_number: "B12345674", country: "ES" },
      ...{ address1: "Paseo de la Estación 12", postcode: "37004", city: "Salamanca" },
    },
    breakdown: Array<object>(lines).fill(line),
  });
  return linkAgain(url, key);
}

/** Another link to the same order, which is not sent again. */
export async function linkAgain(url: string, key: string): Promise<string> {
  const asked = { order_id: "attacked", presentation: "link" };
  const path = "/api/v1/order/invoice-access";
  const init = { method: "POST", headers: { "X-API-KEY": key } };
  const { viewer_url } = await answerOf<{ readonly viewer_url: string }>(url, path, init, asked);
  return new URL(viewer_url).pathname;
}

export async function pdfOf(url: string, page: string): Promise<string> {
  const html = await (await fetch(url + page)).text();
  const [, pdf] = /href="(\/v\/[^"]+\.pdf)"/.exec(html) ?? [];
  if (pdf === undefined) throw new Error("the page has no PDF");
  return pdf;
}

async function answerOf<Data>(url: string, path: string, asked: RequestInit, body?: object): Promise<Data> {
  const response = await fetch(url + path, {
    ...asked,
    headers: { ...asked.headers, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 1_000)}`);
  return (JSON.parse(text) as { readonly data: Data }).data;
}
