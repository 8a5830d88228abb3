/** Every verb of an owner at the object: done, repeated, its answer lost, refused. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { VerbOutcome } from "../../src/ledger/rpc.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import {
  A_SENT_COMPANY,
  aSentOrder,
  openCommerce,
  orderConnector,
  orderIn,
} from "../support/worlds/order-calls.ts";
import { auditOf, MARTA, settingsVersionOf, settleRecord, writesAudit } from "../support/worlds/owners.ts";
import { aConsent, act, openShop, type Shop, type ShopOptions } from "../support/worlds/shop.ts";
import { connectorOf, inventoryReport } from "../support/worlds/shop-reports.ts";

const URL_OF_SHOP = "https://tienda.es/pull?tienda=1";
const AUTHORISATION = { number: "A-1", limit: decimal("2000") };
const WEB = { name: "Web", channel: "web", stem: "WEB" };

interface Row {
  readonly request: OwnerRequest;
  /** The line of the audit log, without random ids. */
  readonly facts: Readonly<Record<string, string>>;
  /** Whether it decides issuances, and so raises the version of the settings. */
  readonly decides: boolean;
  /** Done before; `shown` of a profile that it adds is put in the place of `id`. */
  readonly before?: readonly OwnerRequest[];
  readonly stores?: boolean;
  /** A store is reported with a page of its own, which is a line. */
  readonly pages?: boolean;
  /** Its chain is stopped. */
  readonly stopped?: boolean;
  /** It has an invoice with a number that the authority has for another. */
  readonly isDuplicate?: boolean;
  /** It has an order `o9` of the customer `c9` without an invoice. */
  readonly hasOrder?: boolean;
  /** Two earlier orders of the shop are listed. */
  readonly hasList?: boolean;
  readonly consented?: boolean;
  /** A rate of the one-stop shop is kept. */
  readonly hasKeptRate?: boolean;
}

const addWeb: OwnerRequest = { verb: "add_profile", profile: WEB };
const register: OwnerRequest = { verb: "register_callback", url: URL_OF_SHOP };
const openAuthorisation: OwnerRequest = { verb: "open_authorisation", authorisation: AUTHORISATION };

const aGrant = {
  verb: "grant_representation",
  documentSha256: "a".repeat(64),
  signedBy: " Ana Gil ",
  signedOn: civilDate("2026-11-01"),
} as const satisfies OwnerRequest;

const WEBHOOK_URL = "https://receptor.es/avisos?clave=secreta";
const registerWebhook: OwnerRequest = {
  verb: "register_webhook",
  url: WEBHOOK_URL,
  events: ["record.rejected", "invoice.issued"],
};

const CREDENTIALS = { consumer_key: "ck_1234567890ab", consumer_secret: "cs_1234567890ab" };
const connectShop = {
  ...{ verb: "connect_shop", platform: "woocommerce", credentials: {}, settings: {} },
  statuses: { trash: "cancelled" },
} as const satisfies OwnerRequest;

const fetchedShop = { ...connectShop, url: "https://tienda.es", credentials: CREDENTIALS };

const VERBS: Readonly<Record<OwnerRequest["verb"], Row>> = {
  open_key: {
    request: { verb: "open_key", id: "ky000second", hash: "f".repeat(64) },
    facts: { key: "ky000second" },
    decides: false,
  },
  revoke_key: {
    request: { verb: "revoke_key", hash: "f".repeat(64) },
    before: [{ verb: "open_key", id: "ky000second", hash: "f".repeat(64) }],
    facts: { key_sha256: "f".repeat(64) },
    decides: false,
  },
  rename_connection: {
    request: { verb: "rename_connection", name: "Tienda del centro" },
    facts: { name: "Tienda del centro", name_before: "Tienda" },
    decides: true,
  },
  give_consent: {
    request: aConsent("co000first", "2026-03-01"),
    consented: false,
    facts: {
      text_version: "1",
      cutoff_date: "2026-03-01",
      common_rules_apply: "false",
      keeps_books_in_sii: "false",
    },
    decides: true,
  },
  withdraw_consent: { request: { verb: "withdraw_consent" }, facts: {}, decides: true },
  move_cutoff: {
    request: { verb: "move_cutoff", cutoffDate: civilDate("2026-06-01") },
    facts: { from: "2026-01-01", to: "2026-06-01" },
    decides: true,
  },
  complete_setup: {
    request: { verb: "complete_setup", storeIds: ["2", "1"] },
    stores: true,
    facts: { store_ids: "1,2" },
    decides: true,
  },
  declare_sales: {
    request: {
      verb: "declare_sales",
      change: {
        issuingMode: "review",
        treatments: { " COD_Fee ": { as: "fee", rate: decimal("21") }, bono: { as: "payment" } },
      },
    },
    facts: {
      ...{ issuingMode: "review", issuingMode_before: "automatic" },
      ...{ "treatment cod_fee": "fee 21 %", "treatment bono": "payment" },
    },
    decides: true,
  },
  forget_answer: {
    request: { verb: "forget_answer", setting: "treatments bono", value: { as: "payment" } },
    before: [{ verb: "declare_sales", change: { treatments: { bono: { as: "payment" } } } }],
    facts: { "treatment bono": "null", "treatment bono_before": "payment" },
    decides: true,
  },
  choose_order_stem: {
    request: { verb: "choose_order_stem", stem: "TIENDA" },
    facts: { from: "PED-1", to: "TIENDA" },
    decides: true,
  },
  add_profile: {
    request: { ...addWeb, sales: { issuingMode: "review" } },
    facts: {
      name: "Web",
      channel: "web",
      stem: "WEB",
      issuingMode: "review",
      profile: "*",
    },
    decides: true,
  },
  change_profile: {
    request: { verb: "change_profile", id: "*", change: { stem: "W2", channel: "movil" } },
    before: [addWeb],
    facts: {
      ...{ name: "Web", channel: "movil", stem: "W2", profile: "*" },
      ...{ channel_before: "web", stem_before: "WEB" },
    },
    decides: true,
  },
  remove_profile: {
    request: { verb: "remove_profile", id: "*" },
    before: [addWeb],
    facts: { name: "Web", channel: "web", stem: "WEB", profile: "*" },
    decides: true,
  },
  set_tag_rule: {
    request: { verb: "set_tag_rule", rule: { tag: " Revisar ", action: "hold" } },
    facts: { tag: "revisar", action: "hold" },
    decides: true,
  },
  remove_tag_rule: {
    request: { verb: "remove_tag_rule", tag: "REVISAR" },
    before: [{ verb: "set_tag_rule", rule: { tag: "revisar", action: "ignore" } }],
    facts: { tag: "revisar", action: "ignore" },
    decides: true,
  },
  open_authorisation: {
    request: openAuthorisation,
    facts: { number: "A-1", limit: "2000" },
    decides: true,
  },
  close_authorisation: {
    request: { verb: "close_authorisation", number: "A-1" },
    before: [openAuthorisation],
    facts: { number: "A-1" },
    decides: true,
  },
  withdraw_oss_rate: {
    request: { verb: "withdraw_oss_rate", area: "FR", rate: decimal("13.37") },
    hasKeptRate: true,
    facts: { area: "FR", rate: "13.37", from: "2026-07-01" },
    decides: true,
  },
  // The host of the address alone: the rest may be a secret of the shop's.
  register_callback: { request: register, facts: { host: "tienda.es" }, decides: false },
  remove_callback: { request: { verb: "remove_callback" }, before: [register], facts: {}, decides: false },
  ask_for_orders: {
    request: { verb: "ask_for_orders" },
    before: [register],
    facts: {},
    decides: false,
  },
  grant_representation: {
    request: aGrant,
    facts: { document_sha256: "a".repeat(64) },
    decides: false,
  },
  withdraw_representation: {
    request: { verb: "withdraw_representation" },
    before: [aGrant],
    facts: { document_sha256: "a".repeat(64) },
    decides: false,
  },
  resume_submission: {
    request: { verb: "resume_submission" },
    stopped: true,
    facts: {},
    decides: false,
  },
  settle_duplicate: {
    request: { verb: "settle_duplicate", invoiceId: "*", found: "foreign", reason: " Es de la caja " },
    isDuplicate: true,
    facts: { invoice_id: "*", found: "foreign", reason: "Es de la caja" },
    decides: false,
  },
  erase_order: {
    request: { verb: "erase_order", orderId: "o9" },
    hasOrder: true,
    facts: { order: "o9" },
    decides: false,
  },
  // Neither the customer nor their orders are named.
  erase_client: {
    request: { verb: "erase_client", clientId: "c9" },
    hasOrder: true,
    facts: { orders: "1", kept: "0" },
    decides: false,
  },
  admit_order: {
    request: { verb: "admit_order", orderId: "o9" },
    hasOrder: true,
    before: [{ verb: "erase_order", orderId: "o9" }],
    facts: { order: "o9" },
    decides: false,
  },
  switch_customer_access: {
    request: { verb: "switch_customer_access", enabled: false },
    facts: { enabled: "false" },
    decides: false,
  },
  switch_mailing: {
    request: { verb: "switch_mailing", to: "everyone", textVersion: "1" },
    facts: { to: "everyone", text_version: "1" },
    decides: true,
  },
  add_origin: {
    request: { verb: "add_origin", origin: "https://tienda.example" },
    facts: { origin: "https://tienda.example" },
    decides: false,
  },
  remove_origin: {
    request: { verb: "remove_origin", origin: "https://tienda.example" },
    before: [{ verb: "add_origin", origin: "https://tienda.example" }],
    facts: { origin: "https://tienda.example" },
    decides: false,
  },
  refuse_origin: {
    request: { verb: "refuse_origin", origin: "https://Tienda.example:443" },
    before: [{ verb: "add_origin", origin: "https://tienda.example" }],
    pages: true,
    facts: { origin: "https://tienda.example" },
    decides: false,
  },
  register_webhook: {
    request: registerWebhook,
    facts: { webhook: "*", host: "receptor.es", events: "invoice.issued,record.rejected" },
    decides: false,
  },
  choose_webhook_events: {
    request: { verb: "choose_webhook_events", id: "*", events: ["order.held"] },
    before: [registerWebhook],
    facts: { webhook: "*", events: "order.held" },
    decides: false,
  },
  rotate_webhook_secret: {
    request: { verb: "rotate_webhook_secret", id: "*" },
    before: [registerWebhook],
    facts: { webhook: "*" },
    decides: false,
  },
  end_webhook_overlap: {
    request: { verb: "end_webhook_overlap", id: "*" },
    before: [registerWebhook, { verb: "rotate_webhook_secret", id: "*" }],
    facts: { webhook: "*" },
    decides: false,
  },
  remove_webhook: {
    request: { verb: "remove_webhook", id: "*" },
    before: [registerWebhook],
    facts: { webhook: "*" },
    decides: false,
  },
  test_webhook: {
    request: { verb: "test_webhook", id: "*" },
    before: [registerWebhook],
    facts: { webhook: "*", delivery: "*" },
    decides: false,
  },
  resend_webhook_delivery: {
    request: { verb: "resend_webhook_delivery", deliveryId: "*" },
    before: [registerWebhook, { verb: "test_webhook", id: "*" }],
    facts: { webhook: "*", delivery: "*" },
    decides: false,
  },
  connect_shop: {
    request: { ...connectShop, url: "https://tienda.es/wp/", credentials: CREDENTIALS },
    facts: { platform: "woocommerce", host: "tienda.es" },
    decides: false,
  },
  disconnect_shop: {
    request: { verb: "disconnect_shop" },
    before: [connectShop],
    facts: { platform: "woocommerce" },
    decides: false,
  },
  renew_shop_address: {
    request: { verb: "renew_shop_address" },
    before: [connectShop],
    facts: {},
    decides: false,
  },
  rotate_shop_secret: {
    request: { verb: "rotate_shop_secret" },
    before: [connectShop],
    facts: {},
    decides: false,
  },
  end_shop_secret_overlap: {
    request: { verb: "end_shop_secret_overlap" },
    before: [connectShop, { verb: "rotate_shop_secret" }],
    facts: {},
    decides: false,
  },
  note_shop_test: {
    request: { verb: "note_shop_test", testId: "t-1", access: "*", answer: { answer: "refused" } },
    before: [fetchedShop],
    facts: { test: "refused" },
    decides: false,
  },
  reconcile_shop: {
    request: { verb: "reconcile_shop" },
    before: [fetchedShop],
    facts: {},
    decides: false,
  },
  fetch_shop_order: {
    request: { verb: "fetch_shop_order", orderId: "o9" },
    before: [fetchedShop],
    hasOrder: true,
    facts: { order: "o9" },
    decides: false,
  },
  choose_shop_statuses: {
    request: { verb: "choose_shop_statuses", statuses: { completed: "invoice" } },
    before: [connectShop],
    facts: { "status completed": "invoice", "status trash": "-" },
    decides: false,
  },
  adopt_shop_statuses: {
    request: { verb: "adopt_shop_statuses", access: "*", statuses: { completed: "invoice" } },
    before: [connectShop],
    facts: { statuses: "1" },
    decides: false,
  },
  make_shop_webhooks: {
    request: { verb: "make_shop_webhooks", apiUrl: "https://api.example" },
    before: [fetchedShop],
    facts: { platform: "woocommerce" },
    decides: false,
  },
  begin_shop_backfill: {
    request: { verb: "begin_shop_backfill", from: "cutoff" },
    before: [fetchedShop],
    facts: { from: "2026-01-01" },
    decides: false,
  },
  confirm_shop_backfill: {
    request: { verb: "confirm_shop_backfill", selected: { all: true } },
    before: [fetchedShop, { verb: "begin_shop_backfill", from: "cutoff" }],
    hasList: true,
    facts: { confirmed: "2" },
    decides: false,
  },
  answer_question: {
    request: {
      ...{ verb: "answer_question", id: "q-00000001", question: '["manual_issuing"]' },
      ...{ answer: { answer: "approve" }, except: [], remember: false, asOf: 0 },
    },
    facts: { answer: "approve" },
    decides: false,
  },
  end_shop_backfill: {
    request: { verb: "end_shop_backfill" },
    before: [fetchedShop, { verb: "begin_shop_backfill", from: "cutoff" }],
    facts: {},
    decides: false,
  },
};

interface Prepared {
  readonly shop: Shop;
  readonly request: OwnerRequest;
  /** Lines before the one in question. */
  readonly lines: number;
}

async function prepared(row: Row): Promise<Prepared> {
  const { request, before = [], stores, pages, consented = true } = row;
  const shop = await openCommerce({ consented });
  if (stores) await connectorOf(shop)(inventoryReport("1", "2", "3"));
  if (pages) {
    await connectorOf(shop)(inventoryReport({ id: "1", url: "https://tienda.example/es" }));
  }
  if (row.hasOrder) await orderConnector(shop).send(AN_ORDER_WITHOUT_INVOICE);
  const ids = { id: "", deliveryId: "" };
  for (const earlier of before) {
    const outcome = await act(shop, withIds(earlier, ids), MARTA);
    expect(outcome.outcome).toBe("done");
    const { shown = {} } = outcome.outcome === "done" ? outcome : {};
    ids.id = shown.profile_id ?? shown.webhook_id ?? ids.id;
    ids.deliveryId = shown.delivery_id ?? ids.deliveryId;
  }
  // A requested call already waits: it can be requested again only after it.
  const called = `SET attempts = 1, due_at = NULL, last_outcome = '{"outcome":"delivered"}'`;
  await env.LEDGER_000.prepare(`UPDATE shop_callback ${called}`).run();
  await env.LEDGER_000.prepare(`UPDATE webhook_delivery ${called}`).run();
  await env.LEDGER_000.prepare("UPDATE shop SET due_at = NULL").run();
  if (row.hasList) await listOrders(shop);
  if (row.stopped) await stopChain(shop);
  if (row.hasKeptRate) await keepRate(shop);
  const lines = before.length + (pages ? 1 : 0);
  const invoiceId = row.isDuplicate ? await aDuplicate(shop) : "";
  const named = "invoiceId" in request ? { ...request, invoiceId } : withIds(request, ids);
  if ("access" in named) return { shop, request: { ...named, access: await accessOf(shop) }, lines };
  return { shop, request: named, lines };
}

async function accessOf({ connectionId }: Shop): Promise<string> {
  const row = env.LEDGER_000.prepare("SELECT access FROM shop WHERE connection_id = ?").bind(connectionId);
  return (await row.first<string>("access")) ?? "";
}

const AN_ORDER_WITHOUT_INVOICE = aSentOrder("o9", {
  fiscal_event: "none",
  client: { id_external: "c9", first_name: "Ana", last_name: "Pérez", country: "ES" },
});

async function listOrders({ connectionId }: Shop): Promise<void> {
  const { LEDGER_000: ledger } = env;
  await ledger.batch([
    ledger.prepare("UPDATE shop_backfill SET state = 'listed' WHERE connection_id = ?").bind(connectionId),
    ...[1, 2].map((id) =>
      ledger
        .prepare(
          `INSERT INTO shop_backfill_order (connection_id, native_id, place, outlook, confirmed, would)
          VALUES (?, ?, ?, '{}', 0, 'invoiced')`,
        )
        .bind(connectionId, String(id), id),
    ),
  ]);
}

async function aDuplicate(shop: Shop): Promise<string> {
  const order = orderIn(await orderConnector(shop).send(aSentOrder("o1", { client: A_SENT_COMPANY })));
  const invoiceId = order.invoices[0]?.issued?.invoiceId ?? "";
  await settleRecord(shop, invoiceId, { state: "rejected", code: 3000, hold: "foreign_duplicate" });
  return invoiceId;
}

async function stopChain({ connectionId }: Shop): Promise<void> {
  await env.LEDGER_000.prepare(
    `INSERT INTO chain_submission SELECT id, connection_id, account_id, 1, 60, 9e12, 1, 0, 1, NULL,
      '{"reason":"suspended","since":1}', NULL FROM installation WHERE connection_id = ?`,
  )
    .bind(connectionId)
    .run();
}

async function keepRate({ connectionId }: Shop): Promise<void> {
  await env.LEDGER_000.prepare(
    "INSERT INTO oss_rate SELECT account_id, 'FR', '13.37', '2026-07-01', 1 FROM connection WHERE id = ?",
  )
    .bind(connectionId)
    .run();
}

const SHOWS_SECRET: ReadonlySet<string> = new Set([
  "register_webhook",
  "rotate_webhook_secret",
  "register_callback",
  "connect_shop",
  "rotate_shop_secret",
]);

function secretIn(outcome: VerbOutcome): string | undefined {
  return outcome.outcome === "done" ? outcome.shown?.secret : undefined;
}

function withoutSecret(outcome: VerbOutcome): VerbOutcome {
  if (outcome.outcome !== "done" || outcome.shown?.secret === undefined) return outcome;
  const { secret: _, ...shown } = outcome.shown;
  return Object.keys(shown).length === 0 ? { outcome: "done" } : { outcome: "done", shown };
}

function withIds(
  request: OwnerRequest,
  ids: { readonly id: string; readonly deliveryId: string },
): OwnerRequest {
  if ("deliveryId" in request) return { ...request, deliveryId: ids.deliveryId };
  return "id" in request && request.id === "*" ? { ...request, id: ids.id } : request;
}

const MADE_BY_CHANCE: ReadonlySet<string> = new Set(["profile", "webhook", "delivery", "invoice_id"]);

function withoutIds(facts: Readonly<Record<string, string>>) {
  const entries = Object.entries(facts).map(([name, fact]) => [name, MADE_BY_CHANCE.has(name) ? "*" : fact]);
  return Object.fromEntries(entries);
}

/** Its one line, and nothing more. */
async function expectOneLine({ shop, request, lines }: Prepared, { facts }: Row): Promise<void> {
  const written = (await auditOf(shop)).slice(lines);
  expect(written.map((line) => ({ ...line, facts: withoutIds(line.facts) }))).toEqual([
    { verb: request.verb, userId: MARTA, facts },
  ]);
}

describe.each(Object.entries(VERBS))("%s", (_, row) => {
  test("is done, with its line, and a repeat is no second change", async () => {
    const ready = await prepared(row);
    const before = await settingsVersionOf(ready.shop);
    const first = await act(ready.shop, ready.request, MARTA);
    expect(first.outcome).toBe("done");
    const after = await settingsVersionOf(ready.shop);
    expect(after > before).toBe(row.decides);
    await expectOneLine(ready, row);
    // Also the shown answer, but for a secret: that is shown once.
    expect(await act(ready.shop, ready.request, MARTA)).toEqual(withoutSecret(first));
    expect(await settingsVersionOf(ready.shop)).toBe(after);
    await expectOneLine(ready, row);
  });

  test("is done once where the database's answer is lost", async () => {
    const ready = await prepared(row);
    const lost = faults.when(writesAudit, loseAnswer());
    const told = await act(ready.shop, ready.request, MARTA);
    expect(told.outcome).toBe("done");
    expect(secretIn(told) !== undefined).toBe(SHOWS_SECRET.has(ready.request.verb));
    await lost.reached();
    await expectOneLine(ready, row);
  });

  test("is not done while the database is down, and can be tried again", async () => {
    const ready = await prepared(row);
    const before = await settingsVersionOf(ready.shop);
    faults.next(failBefore(), { times: 20 });
    expect((await act(ready.shop, ready.request, MARTA)).outcome).toBe("unavailable");
    expect(await settingsVersionOf(ready.shop)).toBe(before);
    expect(await auditOf(ready.shop)).toHaveLength(ready.lines);
    faults.reset();
    expect((await act(ready.shop, ready.request, MARTA)).outcome).toBe("done");
    await expectOneLine(ready, row);
  });
});

describe("refused, and nothing is written", () => {
  const FORAL: ShopOptions = { account: { postcode: "48001" }, consented: false };
  const UNCONSENTED: ShopOptions = { consented: false };
  const inSii = {
    ...aConsent("co000x"),
    declaration: { commonRulesApply: false, keepsBooksInSii: true },
  };
  const rows: [code: string, request: OwnerRequest, options?: ShopOptions][] = [
    ["consent_text_outdated", { ...aConsent("co000x"), textVersion: "0" }, UNCONSENTED],
    ["issuer_not_eligible", aConsent("co000x"), FORAL],
    ["issuer_not_eligible", inSii, UNCONSENTED],
    ["cutoff_too_late", aConsent("co000x", "2099-01-01"), UNCONSENTED],
    ["consent_missing", { verb: "move_cutoff", cutoffDate: civilDate("2026-02-01") }, UNCONSENTED],
    ["cutoff_too_late", { verb: "move_cutoff", cutoffDate: civilDate("2099-02-01") }],
    ["inventory_missing", { verb: "complete_setup", storeIds: "all" }],
    ["profile_unknown", { verb: "declare_sales", change: {}, profileId: "pf000nobody" }],
    [
      "fee_rate_not_allowed",
      { verb: "declare_sales", change: { treatments: { x: { as: "fee", rate: decimal("20") } } } },
    ],
    ["treatment_code_invalid", { verb: "declare_sales", change: { treatments: { " ": null } } }],
    ["authorisation_missing", { verb: "declare_sales", change: { underAuthorisation: true } }],
    ["stem_reserved", { verb: "choose_order_stem", stem: "API-9" }],
    ["stem_invalid", { verb: "choose_order_stem", stem: "pedidos" }],
    ["profile_takes_everything", { verb: "add_profile", profile: { name: "Todo", stem: "T" } }],
    ["store_unknown", { verb: "add_profile", profile: { name: "Uno", storeId: "1", stem: "T" } }],
    ["profile_unknown", { verb: "change_profile", id: "pf000nobody", change: { name: "X" } }],
    ["tag_invalid", { verb: "set_tag_rule", rule: { tag: " ", action: "hold" } }],
    [
      "authorisation_number_invalid",
      { ...openAuthorisation, authorisation: { ...AUTHORISATION, number: " " } },
    ],
    [
      "agreement_number_required",
      { ...openAuthorisation, authorisation: { ...AUTHORISATION, limit: decimal("9000") } },
    ],
    ["callback_url_not_https", { verb: "register_callback", url: "http://tienda.es/" }],
    ["callback_missing", { verb: "ask_for_orders" }],
    ["shop_missing", { verb: "renew_shop_address" }],
    ["shop_missing", { verb: "rotate_shop_secret" }],
    ["shop_missing", { verb: "reconcile_shop" }],
    ["shop_order_unknown", { verb: "fetch_shop_order", orderId: "1" }],
    ["shop_missing", { verb: "choose_shop_statuses", statuses: {} }],
    ["shop_credentials_incomplete", { ...connectShop, url: "https://tienda.es" }],
    ["shop_credentials_incomplete", { ...connectShop, platform: "shopify" }],
    ["shop_credentials_incomplete", { ...connectShop, credentials: { password: "x" } }],
    ["shop_url_invalid", { ...connectShop, url: "https://tienda.es/?x=1", credentials: CREDENTIALS }],
    ["callback_url_ip_address", { ...connectShop, url: "https://10.0.0.1", credentials: CREDENTIALS }],
    ["callback_url_not_https", { ...connectShop, url: "http://127.0.0.1:8790/x", credentials: CREDENTIALS }],
    ["representation_document_invalid", { ...aGrant, documentSha256: "a" }],
    ["representation_signer_invalid", { ...aGrant, signedBy: " " }],
    ["representation_date_invalid", { ...aGrant, signedOn: civilDate("2099-01-01") }],
    ["callback_url_host_not_public", { ...registerWebhook, url: "https://caja.local/" }],
    ["webhook_events_missing", { ...registerWebhook, events: [] }],
    ["webhook_event_unknown", { ...registerWebhook, events: ["invoice.paid"] }],
    ["invoice_unknown", { verb: "settle_duplicate", invoiceId: "in000nobody", found: "ours", reason: "x" }],
    ["webhook_not_found", { verb: "choose_webhook_events", id: "wh000nobody", events: ["order.held"] }],
    ["webhook_not_found", { verb: "rotate_webhook_secret", id: "wh000nobody" }],
    ["webhook_not_found", { verb: "end_webhook_overlap", id: "wh000nobody" }],
    ["webhook_not_found", { verb: "remove_webhook", id: "wh000nobody" }],
    ["webhook_not_found", { verb: "test_webhook", id: "wh000nobody" }],
    ["webhook_delivery_not_found", { verb: "resend_webhook_delivery", deliveryId: "msg_nobody" }],
  ];

  test.each(rows.map(([code, request, options = {}]) => ({ code, request, options })))(
    "$code",
    async (row) => {
      const { code, request, options } = row;
      const shop = await openCommerce(options);
      const before = await settingsVersionOf(shop);
      expect(await act(shop, request, MARTA)).toMatchObject({ outcome: "refused", refusal: { code } });
      expect(await auditOf(shop)).toEqual([]);
      expect(await settingsVersionOf(shop)).toBe(before);
    },
  );

  test("the current state forbids it", async () => {
    const shop = await openCommerce();
    await act(shop, openAuthorisation, MARTA);
    await act(shop, addWeb, MARTA);
    const codes: string[] = [];
    for (const request of [
      { verb: "open_authorisation", authorisation: { ...AUTHORISATION, number: "A-2" } },
      { verb: "close_authorisation", number: "A-2" },
      { verb: "choose_order_stem", stem: "OTRO" },
      { verb: "add_profile", profile: { ...WEB, stem: "W3" } },
      { verb: "add_profile", profile: { name: "Dos", channel: "WEB ", stem: "W3" } },
      { verb: "add_profile", profile: { name: "Dos", channel: "dos", stem: "WEBS" } },
    ] as const satisfies readonly OwnerRequest[]) {
      codes.push(codeOf(await act(shop, request, MARTA)));
    }
    expect(codes).toEqual([
      "authorisation_active",
      "authorisation_not_active",
      "stem_of_profiles",
      "profile_name_taken",
      "profile_match_taken",
      "stem_taken",
    ]);
    expect(await auditOf(shop)).toHaveLength(2);
  });

  test("a connection that takes no orders has no stores and no profiles", async () => {
    const shop = await openShop({ connection: { kind: "accounting" }, consented: false });
    const setup: OwnerRequest = { verb: "complete_setup", storeIds: "all" };
    expect([codeOf(await act(shop, setup)), codeOf(await act(shop, addWeb))]).toEqual([
      "orders_not_supported_by_connection",
      "orders_not_supported_by_connection",
    ]);
  });

  test("orders are requested only after step 2", async () => {
    const shop = await openCommerce({ connection: { guided: true }, consented: false });
    expect((await act(shop, register)).outcome).toBe("done");
    expect(codeOf(await act(shop, { verb: "ask_for_orders" }))).toBe("setup_not_completed");
  });
});

function codeOf(outcome: VerbOutcome): string {
  return outcome.outcome === "refused" ? outcome.refusal.code : outcome.outcome;
}
