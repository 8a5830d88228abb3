/** Companies with something of everything, so that everything can be asked for. */
import { env } from "cloudflare:workers";
import { ledgersOf } from "../../../src/db/ledgers.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { A_DRAFT } from "../builders/drafts.ts";
import { type Browser, ownerOf } from "../worlds/console.ts";
import { declare, everythingIn } from "../worlds/http-calls.ts";
import { clientOf } from "../worlds/ledger-client.ts";
import { aSentOrder, orderConnector } from "../worlds/order-calls.ts";
import { CANCELLED, HELD } from "../worlds/order-changes.ts";
import { openShop, type Shop, type ShopOptions } from "../worlds/shop.ts";
import { connectorOf, inventoryReport } from "../worlds/shop-reports.ts";

/** The ids of one thing of each kind. */
export interface ConsoleIds {
  readonly account: string;
  readonly connection: string;
  readonly installation: string;
  readonly invoice: string;
  /** A record refused through our fault, and one under another's record at the authority. */
  readonly declined: string;
  readonly duplicate: string;
  readonly order: string;
  /** An order that came back after its cancellation. */
  readonly reactivated: string;
  /** An erased order, and a client of the shop. */
  readonly erased: string;
  readonly client: string;
  /** A consent. */
  readonly evidence: string;
  readonly key: string;
  readonly person: string;
  readonly invitation: string;
  /** An invoice that is being written. */
  readonly draft: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly profile: string;
  readonly authorisation: string;
  readonly tag: string;
  readonly origin: string;
  readonly series: string;
  /** The version of the form, for callers that know it. */
  readonly version?: string;
}

export interface Tenant {
  readonly shop: Shop;
  readonly owner: Browser & { readonly email: string; readonly userId: string };
  readonly ids: ConsoleIds;
  /** Of its invoice and its order, as its callers know them. */
  readonly externalId: string;
  readonly idExternal: string;
  readonly fullNumber: string;
}

/** `name` is in everything that it gives a name to. */
export async function aTenant(name: string, options: ShopOptions = {}): Promise<Tenant> {
  const shop = await openShop({ ...options, connection: { kind: "api", name: `Tienda ${name}` } });
  const owner = await ownerOf(shop);
  const [externalId, idExternal] = [`factura-${name}`, `pedido-${name}`];
  const { invoiceId: invoice, fullNumber } = await issue(shop, externalId);
  const declined = await aRejected(shop, `devuelta-${name}`, { code: 1110 });
  const duplicate = await aRejected(shop, `doble-${name}`, { code: 3000, hold: "foreign_duplicate" });
  await orderConnector(shop).send(aSentOrder(idExternal));
  await orderConnector(shop).send(aSentOrder(`retenido-${name}`, HELD));
  const reactivated = await aReactivated(shop, `vuelto-${name}`);
  const declared = await whatOwnersDeclare(shop, name, options);
  const erasing = await whatIsErased(shop, name);
  // Numbered in a series that no other connection has.
  await orderConnector(shop).send(aSentOrder(`canal-${name}`, { source_channel: name }));
  const people = `/api/accounts/${shop.accountId}/people`;
  await owner.post(`${people}/invitations`, { email: `invitada.${name}@correo.example`, role: "accountant" });
  const drafts = `/api/accounts/${shop.accountId}/drafts`;
  const written = await owner.post(drafts, { idempotency_key: `deed-of-${name}`, content: A_DRAFT });
  const { invitations } = (await owner.get(people)).body.data;
  return {
    ...{ shop, owner, externalId, idExternal, fullNumber },
    ids: {
      ...{ account: shop.accountId, connection: shop.connectionId, person: owner.userId },
      ...{ invoice, declined, duplicate, reactivated, ...declared, ...erasing },
      ...{ draft: written.body.data.id },
      ...{ order: `retenido-${name}`, invitation: invitations[0].id },
      installation: await idOf(shop, "SELECT id FROM installation WHERE connection_id = ?"),
      key: await idOf(shop, "SELECT id FROM api_key WHERE connection_id = ?"),
      evidence: await idOf(shop, "SELECT id FROM consent WHERE connection_id = ?"),
      delivery: await idOf(shop, "SELECT id FROM webhook_delivery WHERE connection_id = ?"),
      profile: await idOf(shop, "SELECT id FROM profile WHERE connection_id = ?"),
      series: await textOf(shop, "SELECT code AS v FROM series WHERE code LIKE ?", `${name.toUpperCase()}%`),
    },
  };
}

async function issue(shop: Shop, externalId: string) {
  const issued = await clientOf(shop).issue(externalId);
  if (issued.outcome !== "issued") throw new Error(`${externalId}: ${issued.outcome}`);
  return issued.invoice;
}

/** An invoice of which the authority did not take the record. */
async function aRejected(shop: Shop, externalId: string, standing: object): Promise<string> {
  const { invoiceId } = await issue(shop, externalId);
  await databaseOf(shop)
    .prepare(
      "UPDATE record SET state = 'rejected', standing = ?, changed_seq = position WHERE invoice_id = ?",
    )
    .bind(JSON.stringify(standing), invoiceId)
    .run();
  return invoiceId;
}

async function aReactivated(shop: Shop, idExternal: string): Promise<string> {
  const { send } = orderConnector(shop);
  await send(aSentOrder(idExternal));
  await send(aSentOrder(idExternal, CANCELLED));
  await send(aSentOrder(idExternal, { status: "back" }));
  return idExternal;
}

async function whatOwnersDeclare(shop: Shop, name: string, { accountId }: ShopOptions) {
  const [authorisation, tag, origin] = [`AUT-${name}`, `etiqueta-${name}`, `https://${name}.example`];
  await declare(
    shop,
    { verb: "add_profile", profile: { name: `Perfil ${name}`, stem: name.toUpperCase(), channel: name } },
    { verb: "set_tag_rule", rule: { tag, action: "hold" } },
    { verb: "register_webhook", url: `https://${name}.example/avisos`, events: ["invoice.issued"] },
  );
  await connectorOf(shop)(inventoryReport({ id: name, url: `${origin}/tienda` }));
  await declare(shop, { verb: "add_origin", origin });
  const authorised = { number: authorisation, limit: decimal("1000") };
  // An account has one at a time.
  if (accountId === undefined) await declare(shop, { verb: "open_authorisation", authorisation: authorised });
  const webhook = await idOf(shop, "SELECT id FROM webhook_endpoint WHERE connection_id = ?");
  await declare(shop, { verb: "test_webhook", id: webhook });
  return { authorisation, tag, origin, webhook };
}

/** A client with an order that can be erased, and an erased order. */
async function whatIsErased(shop: Shop, name: string) {
  const [client, erased] = [`cliente-${name}`, `borrado-${name}`];
  const uninvoiced = { fiscal_event: "none", client: { id_external: client, country: "ES" } };
  await orderConnector(shop).send(aSentOrder(`sinfactura-${name}`, uninvoiced));
  await orderConnector(shop).send(aSentOrder(erased, { fiscal_event: "none" }));
  await declare(shop, { verb: "erase_order", orderId: erased });
  return { client, erased };
}

/** Missing ids of the same forms: in an existing ledger. */
export function nobodysIds(): ConsoleIds {
  const id = (prefix: string) => `${prefix}000zzzzzzzzzzzzzzzz`;
  return {
    ...{ account: id("ac"), connection: id("cn"), installation: id("is"), invoice: id("in"), key: id("ky") },
    ...{ webhook: id("wh"), delivery: `msg_${"z".repeat(26)}`, profile: id("pf"), invitation: id("iv") },
    ...{
      person: "nobody",
      draft: id("dr"),
      order: "pedido-nadie",
      reactivated: "vuelto-nadie",
      authorisation: "AUT-NADIE",
      tag: "etiqueta-nadie",
    },
    ...{ origin: "https://nadie.example", series: "NADIE-1-2026", evidence: id("co") },
    ...{ declined: id("in"), duplicate: id("in"), erased: "borrado-nadie", client: "cliente-nadie" },
  };
}

/** Every row of every database in which the tenant is named, but for those of other connections of its account. */
export async function rowsOf({ shop, owner }: Tenant): Promise<readonly string[]> {
  const named = [shop.accountId, shop.connectionId, owner.userId];
  const databases = [env.LEDGER_000, env.LEDGER_001, env.DIRECTORY];
  const all = await Promise.all(databases.map((database) => everythingIn(database)));
  return all
    .flatMap((tables) => Object.entries(tables))
    .flatMap(([table, rows]) => (rows as readonly Row[]).map((row) => ({ table, row })))
    .filter(({ row }) => (row.connection_id ?? shop.connectionId) === shop.connectionId)
    .map(({ table, row }) => `${table} ${JSON.stringify(row)}`)
    .filter((row) => named.some((id) => row.includes(id)));
}

interface Row {
  readonly connection_id?: string | null;
}

async function idOf({ connectionId }: Shop, sql: string): Promise<string> {
  return textOf({ connectionId }, sql.replace("SELECT id", "SELECT id AS v"), connectionId);
}

async function textOf(shop: Pick<Shop, "connectionId">, sql: string, bound: string): Promise<string> {
  const value = await databaseOf(shop).prepare(sql).bind(bound).first<string>("v");
  if (!value) throw new Error(`nothing by ${sql}`);
  return value;
}

function databaseOf({ connectionId }: Pick<Shop, "connectionId">): D1Database {
  const database = ledgersOf(env).get(connectionId.slice(2, 5));
  if (!database) throw new Error(`no ledger of ${connectionId}`);
  return database;
}
